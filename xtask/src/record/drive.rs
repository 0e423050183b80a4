//! Plays a script to a server: a client that checks nothing.

use anyhow::{Context, Result, ensure};
use mcp_from_scratch::{
    frame::{FrameReader, Framing, MAX_MESSAGE},
    jsonrpc::{Message, parse},
};
use std::{
    io::{Read, Write},
    process::{ChildStdout, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
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

/// Plays all lines, waits for all responses, closes the server's stdin and waits for
/// its exit.
pub fn play(server: &mut Command, framing: Framing, lines: &[Line]) -> Result<()> {
    let mut child = server
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start the server")?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let responses = frames(child.stdout.take().context("no stdout")?, framing);
    let mut expected = 0;
    for line in lines.iter().chain([&Line::Wait]) {
        match line {
            Line::Send(body) => {
                stdin.write_all(&framing.encode(body.as_bytes()))?;
                let parsed = parse(body.as_bytes());
                expected += usize::from(matches!(parsed, Ok(Message::Request(_))));
            }
            Line::Raw(bytes) => {
                stdin.write_all(bytes.as_bytes())?;
                expected += 1;
            }
            Line::Wait => {
                for _ in 0..std::mem::take(&mut expected) {
                    responses.recv_timeout(TIMEOUT).context("a response is missing")?;
                }
            }
        }
    }
    drop(stdin);
    while responses.recv_timeout(TIMEOUT).is_ok() {}
    let status = child.wait()?;
    ensure!(status.success(), "the server ended with {status}");
    Ok(())
}

/// The bodies that arrive, until the end of the stream.
fn frames(mut from: ChildStdout, framing: Framing) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = FrameReader::new(framing, MAX_MESSAGE);
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            reader.feed(&chunk[..count]);
            while let Some(frame) = reader.next_frame() {
                if let Ok(body) = frame {
                    let _ = sender.send(body); // the receiver may be gone
                }
            }
        }
    });
    receiver
}
