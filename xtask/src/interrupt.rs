//! Signals that end the grading. They only set a flag: [`crate::run`] then kills what
//! is running and returns an error, and the temporary folders are removed.

use anyhow::{Context, Result};
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};
use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicUsize, Ordering},
};

static RECEIVED: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Replaces the default action of the signals, which ends this process at once.
pub fn catch_signals() -> Result<()> {
    for signal in [SIGHUP, SIGINT, SIGTERM] {
        flag::register_usize(signal, RECEIVED.clone(), signal as usize)
            .context("cannot catch signals")?;
    }
    Ok(())
}

/// The number of the signal, if one has come.
pub fn received() -> Option<u8> {
    u8::try_from(RECEIVED.load(Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
}
