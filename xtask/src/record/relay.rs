//! Runs between a client and its server: forwards every byte unchanged, and logs each
//! frame with the time at which it was complete.

use super::cut::{Passed, Piece, Side, Stream};
use anyhow::{Context, Result};
use mcp_from_scratch::frame::Framing;
use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    process::{Command, ExitCode, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Instant,
};

#[derive(Clone)]
struct Log {
    file: Arc<Mutex<File>>,
    start: Instant,
}

impl Log {
    fn add(&self, from: Side, what: Piece) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = self.start.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        let line = serde_json::to_string(&Passed { from, ms, what })? + "\n";
        file.write_all(line.as_bytes()).context("cannot write the log")
    }
}

/// Runs the server between our stdin and stdout until it ends; returns its exit code.
pub fn run(log: &Path, framing: Framing, command: &[String]) -> Result<ExitCode> {
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
    let (other, stream) = (log.clone(), Stream::new(framing));
    // The client may outlive the server, so this thread is not joined.
    thread::spawn(move || {
        forward(std::io::stdin(), to_server, Side::Client, stream, &other)
    });
    let stream = Stream::new(framing);
    forward(from_server, std::io::stdout(), Side::Server, stream, &log)?;
    let status = server.wait()?;
    log.add(Side::Server, Piece::Event { event: status.to_string() })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// Logs a frame before it passes its last bytes on, so that a response never precedes
/// its request. Closes the receiving end at the end of input.
fn forward(
    mut from: impl Read,
    mut to: impl Write,
    side: Side,
    mut stream: Stream,
    log: &Log,
) -> Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut chunk)?;
        if count == 0 {
            return log.add(side, Piece::Event { event: "end of output".into() });
        }
        for piece in stream.feed(&chunk[..count])? {
            log.add(side, piece)?;
        }
        to.write_all(&chunk[..count])?;
        to.flush()?;
    }
}

/// The log that a relay wrote.
pub fn read(log: &Path) -> Result<Vec<Passed>> {
    let text = crate::files::read(log)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}
