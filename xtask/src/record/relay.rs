//! Runs between a client and its server: forwards every byte unchanged, and logs which
//! bytes passed and when.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    process::{Command, ExitCode, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Instant,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Client,
    Server,
}

/// One line of the log.
#[derive(Serialize, Deserialize)]
pub struct Entry {
    pub from: Side,
    /// Milliseconds since the relay started.
    pub ms: u64,
    pub what: What,
}

#[derive(Serialize, Deserialize)]
pub enum What {
    /// The result of one read.
    Bytes(Vec<u8>),
    /// Its output ended.
    End,
    /// The server's process ended.
    Exit(String),
}

#[derive(Clone)]
struct Log {
    file: Arc<Mutex<File>>,
    start: Instant,
}

impl Log {
    fn add(&self, from: Side, what: What) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = self.start.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        let line = serde_json::to_string(&Entry { from, ms, what })? + "\n";
        file.write_all(line.as_bytes()).context("cannot write the log")
    }
}

/// Runs the server between our stdin and stdout until it ends; returns its exit code.
pub fn run(log: &Path, command: &[String]) -> Result<ExitCode> {
    let file = OpenOptions::new().create(true).append(true).open(log);
    let file = file.with_context(|| format!("cannot open {}", log.display()))?;
    let log = Log { file: Arc::new(Mutex::new(file)), start: Instant::now() };
    let (program, args) = command.split_first().context("no server")?;
    let mut server = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let to_server = server.stdin.take().context("no stdin")?;
    let from_server = server.stdout.take().context("no stdout")?;
    let other = log.clone();
    // The client may outlive the server, so this thread is not joined.
    thread::spawn(move || forward(std::io::stdin(), to_server, Side::Client, &other));
    forward(from_server, std::io::stdout(), Side::Server, &log)?;
    let status = server.wait()?;
    log.add(Side::Server, What::Exit(status.to_string()))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// Logs a chunk before it passes it on, so that a response never precedes its request.
/// Closes the receiving end at the end of input.
fn forward(
    mut from: impl Read,
    mut to: impl Write,
    side: Side,
    log: &Log,
) -> Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut chunk)?;
        if count == 0 {
            return log.add(side, What::End);
        }
        log.add(side, What::Bytes(chunk[..count].to_vec()))?;
        to.write_all(&chunk[..count])?;
        to.flush()?;
    }
}

/// The log that a relay wrote.
pub fn read(log: &Path) -> Result<Vec<Entry>> {
    let text = crate::files::read(log)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}
