//! A signal that ends the judging ends the programs too, and leaves no folder behind.

use crate::strays;
use anyhow::{Context, Result};
use std::{
    fs::{self, Permissions},
    future::poll_fn,
    os::unix::fs::PermissionsExt,
    process,
    task::Poll,
    thread,
};
use tempfile::TempDir;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The folder of one call, in which all others are made.
pub fn folder() -> Result<TempDir> {
    let folder = tempfile::tempdir().context("cannot make a scratch folder")?;
    // The users of the tests pass through it, and see nothing.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot listen for signals")?;
    let path = folder.path().to_owned();
    let inside = runtime.enter();
    let kinds =
        [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let mut signals = Vec::new();
    for kind in kinds {
        let listener = signal(kind).context("cannot listen for signals")?;
        signals.push((kind.as_raw_value(), listener));
    }
    drop(inside);
    thread::spawn(move || {
        let number = runtime.block_on(first(signals));
        strays::end_all();
        // A compiler that is being killed may still write; then it is tried again.
        for _ in 0..100 {
            if fs::remove_dir_all(&path).is_ok() || !path.exists() {
                break;
            }
        }
        process::exit(128 + number);
    });
    Ok(folder)
}

/// The number of the first signal that comes.
async fn first(mut signals: Vec<(i32, Signal)>) -> i32 {
    poll_fn(|context| {
        for (number, signal) in &mut signals {
            if signal.poll_recv(context).is_ready() {
                return Poll::Ready(*number);
            }
        }
        Poll::Pending
    })
    .await
}
