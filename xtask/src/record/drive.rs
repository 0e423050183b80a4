//! Plays messages to a server, and logs both directions: a client that checks nothing.

use super::cut::{Passed, Piece, Side, Stream};
use anyhow::{Context, Result, ensure};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{Message, parse},
};
use std::{
    io::{Read, Write},
    mem,
    process::{ChildStdout, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// The longest wait for a response.
const TIMEOUT: Duration = Duration::from_secs(10);

pub enum Line {
    /// The body of one message.
    Send(String),
    /// Bytes that are not a valid frame; the server responds once.
    Raw(String),
    /// Until every request so far has its response.
    Wait,
}

/// A script has one body per line. An empty line waits for all responses; `raw` and a
/// JSON string are sent byte for byte.
pub fn script(text: &str) -> Result<Vec<Line>> {
    let line = |line: &str| match (line.trim(), line.strip_prefix("raw ")) {
        ("", _) => Ok(Line::Wait),
        (_, Some(raw)) => Ok(Line::Raw(serde_json::from_str(raw)?)),
        (body, None) => Ok(Line::Send(body.into())),
    };
    text.lines().map(line).collect()
}

/// The messages that a transcript shows as sent, each after the response to the last.
pub fn sent(transcript: &str) -> Vec<Line> {
    let bodies =
        transcript.lines().filter_map(|line| line.trim().strip_prefix("[mcp:send]"));
    bodies.flat_map(|body| [Line::Send(body.trim().into()), Line::Wait]).collect()
}

struct Log {
    passed: Vec<Passed>,
    start: Instant,
}

impl Log {
    fn add(&mut self, from: Side, pieces: impl IntoIterator<Item = Piece>) {
        let ms = self.start.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        let pieces = pieces.into_iter();
        self.passed.extend(pieces.map(|what| Passed { from, ms, what }));
    }
}

/// Plays all lines, waits for all responses, closes the server's stdin and waits for
/// its exit.
pub fn play(
    server: &mut Command,
    framing: Framing,
    lines: &[Line],
) -> Result<Vec<Passed>> {
    let mut log = Log { passed: Vec::new(), start: Instant::now() };
    let mut child = server
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start the server")?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let chunks = chunks(child.stdout.take().context("no stdout")?);
    let (mut client, mut server) = (Stream::new(framing), Stream::new(framing));
    let (mut bytes, mut expected) = (Vec::new(), 0);
    for line in lines.iter().chain([&Line::Wait]) {
        match line {
            Line::Send(body) => {
                bytes.extend(framing.encode(body.as_bytes()));
                let parsed = parse(body.as_bytes());
                expected += usize::from(matches!(parsed, Ok(Message::Request(_))));
            }
            Line::Raw(raw) => {
                bytes.extend(raw.as_bytes());
                expected += 1;
            }
            Line::Wait => {
                log.add(Side::Client, client.feed(&bytes)?);
                stdin.write_all(&mem::take(&mut bytes))?;
                while expected > 0 {
                    let chunk = chunks.recv_timeout(TIMEOUT);
                    let chunk = chunk.context("a response is missing")?;
                    let pieces = server.feed(&chunk)?;
                    expected = expected.saturating_sub(pieces.len());
                    log.add(Side::Server, pieces);
                }
            }
        }
    }
    drop(stdin);
    log.add(Side::Client, [Piece::end()]);
    while let Ok(chunk) = chunks.recv_timeout(TIMEOUT) {
        log.add(Side::Server, server.feed(&chunk)?);
    }
    let status = child.wait()?;
    ensure!(status.success(), "the server ended with {status}");
    log.add(Side::Server, [Piece::end(), Piece::Event { event: status.to_string() }]);
    Ok(log.passed)
}

/// The bytes that arrive, until the end of the stream.
fn chunks(mut from: ChildStdout) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            let _ = sender.send(chunk[..count].to_vec()); // the receiver may be gone
        }
    });
    receiver
}
