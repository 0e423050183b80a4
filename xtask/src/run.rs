//! Running a program within limits.

use crate::strays;
use anyhow::Result;
use std::{
    io::Read,
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

#[cfg(test)]
mod tests;

/// What a program may use.
#[derive(Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    /// In bytes, of stdout and of stderr.
    pub output: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    Exited(i32),
    /// By a signal that was not ours.
    Killed(i32),
    TooSlow,
    TooMuchOutput,
}

pub struct Ran {
    /// What it printed: stdout, then stderr.
    pub text: String,
    pub ended: Ended,
}

/// Runs a program in a process group of its own until it ends or breaks a limit; then
/// the whole group is gone, and so are strays.
pub fn run(command: &mut Command, limits: &Limits) -> Result<Ran> {
    command.process_group(0).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = strays::start(command)?;
    let (tell, told) = mpsc::channel();
    let out = collect(child.stdout.take(), limits.output, tell.clone());
    let err = collect(child.stderr.take(), limits.output, tell);
    let ended = wait(&mut child, &told, Instant::now() + limits.time);
    kill_group(&child);
    let status = child.wait();
    strays::forget(&child);
    strays::sweep();
    let status = status?;
    // The readers end with the pipes. A process that left the group may hold one open,
    // and is not waited for.
    if ended.is_none() {
        while told.recv_timeout(Duration::from_millis(500)).is_ok() {}
    }
    let text = |bytes: &Mutex<Vec<u8>>| {
        let bytes = bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let ended = ended.unwrap_or_else(|| of_status(status));
    Ok(Ran { text: text(&out) + &text(&err), ended })
}

fn of_status(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Killed(signal.unwrap_or_default()),
    }
}

/// `None`: it has ended by itself.
fn wait(child: &mut Child, told: &mpsc::Receiver<()>, end: Instant) -> Option<Ended> {
    const LOOK: Duration = Duration::from_millis(5);
    loop {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            return None;
        }
        if Instant::now() >= end {
            return Some(Ended::TooSlow);
        }
        match told.recv_timeout(LOOK) {
            Ok(()) => return Some(Ended::TooMuchOutput),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
        }
    }
}

fn kill_group(child: &Child) {
    let group = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // There may be nobody left to kill.
        let _ =
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Reads to the end, keeps `most` bytes, and tells when there are more.
fn collect(
    from: Option<impl Read + Send + 'static>,
    most: usize,
    tell: mpsc::Sender<()>,
) -> Arc<Mutex<Vec<u8>>> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let into = kept.clone();
    thread::spawn(move || {
        let Some(mut from) = from else { return };
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            let mut kept = into.lock().unwrap_or_else(PoisonError::into_inner);
            let room = most - kept.len();
            kept.extend_from_slice(&chunk[..count.min(room)]);
            if count > room {
                let _ = tell.send(());
                return;
            }
        }
    });
    kept
}
