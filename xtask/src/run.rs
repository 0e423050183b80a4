//! Running a program within limits of time and output.

use crate::interrupt;
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use std::{
    io::Read,
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
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
    let (sender, chunks) = sync_channel(4);
    read(child.stdout.take(), 0, sender.clone());
    read(child.stderr.take(), 1, sender);
    let mut printed = Printed { parts: Default::default(), limit: limits.output };
    let end = Instant::now() + limits.time;
    let mut stopped = loop {
        match printed.receive(&chunks) {
            Received::TooMuch => break Some(Ended::TooMuchOutput),
            Received::Closed => thread::sleep(CHECK),
            Received::Something => {}
        }
        if !matches!(child.try_wait(), Ok(None)) || interrupt::received().is_some() {
            break None;
        }
        if Instant::now() >= end {
            break Some(Ended::TooSlow);
        }
    };
    kill_group(&child);
    let status = child.wait()?;
    let close = Instant::now() + CLOSE;
    while Instant::now() < close {
        match printed.receive(&chunks) {
            Received::TooMuch => stopped = stopped.or(Some(Ended::TooMuchOutput)),
            Received::Closed => break,
            Received::Something => {}
        }
    }
    if let Some(signal) = interrupt::received() {
        bail!("interrupted by signal {signal}");
    }
    Ok(Ran { text: printed.text(), ended: stopped.unwrap_or_else(|| of(status)) })
}

/// Shells and bubblewrap report a signal as an exit code above 128.
fn of(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code @ 129..=192), _) => Ended::Killed(code - 128),
        (Some(code), _) => Ended::Exited(code),
        (None, signal) => Ended::Killed(signal.unwrap_or_default()),
    }
}

fn kill_group(child: &Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // The group may be empty already.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A piece of stdout (0) or of stderr (1).
type Chunk = (usize, Vec<u8>);

fn read(from: Option<impl Read + Send + 'static>, part: usize, to: SyncSender<Chunk>) {
    thread::spawn(move || {
        let Some(mut from) = from else { return };
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            if to.send((part, buffer[..count].to_vec())).is_err() {
                return;
            }
        }
    });
}

/// The beginning of stdout and of stderr, up to the limit.
struct Printed {
    parts: [Vec<u8>; 2],
    limit: usize,
}

enum Received {
    Something,
    TooMuch,
    Closed,
}

impl Printed {
    fn receive(&mut self, chunks: &Receiver<Chunk>) -> Received {
        match chunks.recv_timeout(CHECK) {
            Ok((part, bytes)) => {
                let room = self.limit - self.parts[part].len();
                self.parts[part].extend_from_slice(&bytes[..bytes.len().min(room)]);
                if bytes.len() > room { Received::TooMuch } else { Received::Something }
            }
            Err(RecvTimeoutError::Timeout) => Received::Something,
            Err(RecvTimeoutError::Disconnected) => Received::Closed,
        }
    }

    fn text(&self) -> String {
        self.parts.iter().map(|part| String::from_utf8_lossy(part)).collect()
    }
}
