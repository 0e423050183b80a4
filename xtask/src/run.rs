//! Running a program within limits of time and output.

use crate::interrupt;
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    io::Read,
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
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

/// How often a running program is looked at.
const CHECK: Duration = Duration::from_millis(5);
/// How long the pipes of a killed group may stay open: a process that left the group
/// can hold them.
const CLOSE: Duration = Duration::from_millis(500);

/// Runs a program in its own process group until it ends or exceeds a limit; then kills
/// the group.
pub fn run(command: &mut Command, limits: &Limits) -> Result<Ran> {
    command.process_group(0).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {:?}", command.get_program()))?;
    let (sender, outputs) = mpsc::channel();
    read(child.stdout.take(), 0, limits.output, sender.clone());
    read(child.stderr.take(), 1, limits.output, sender);
    let (mut texts, mut stopped) = ([String::new(), String::new()], None);
    let mut keep = |(part, bytes): Output, stopped: &mut Option<Ended>| {
        if bytes.len() > limits.output {
            stopped.get_or_insert(Ended::TooMuchOutput);
        }
        let kept = &bytes[..bytes.len().min(limits.output)];
        texts[part] = String::from_utf8_lossy(kept).into_owned();
    };
    let end = Instant::now() + limits.time;
    while stopped.is_none() && matches!(child.try_wait(), Ok(None)) {
        match outputs.recv_timeout(CHECK) {
            Ok(output) => keep(output, &mut stopped),
            Err(RecvTimeoutError::Disconnected) => thread::sleep(CHECK),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if Instant::now() >= end || interrupt::received().is_some() {
            stopped.get_or_insert(Ended::TooSlow);
        }
    }
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // The group may be empty already.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    while let Ok(output) = outputs.recv_timeout(CLOSE) {
        keep(output, &mut stopped);
    }
    if let Some(signal) = interrupt::received() {
        bail!("interrupted by signal {signal}");
    }
    Ok(Ran { text: texts.concat(), ended: stopped.unwrap_or_else(|| of(status)) })
}

/// Shells and bubblewrap report a signal as an exit code above 128.
fn of(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code @ 129..=192), _) => Ended::Killed(code - 128),
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Killed(signal.unwrap_or_default()),
    }
}

/// All of stdout (0) or of stderr (1); or more than the limit.
type Output = (usize, Vec<u8>);

fn read(
    from: Option<impl Read + Send + 'static>,
    part: usize,
    limit: usize,
    to: mpsc::Sender<Output>,
) {
    thread::spawn(move || {
        let Some(from) = from else { return };
        let mut bytes = Vec::new();
        // What came before an error counts.
        let _ = from.take(limit as u64 + 1).read_to_end(&mut bytes);
        // The receiver does not wait for a pipe that stays open.
        let _ = to.send((part, bytes));
    });
}
