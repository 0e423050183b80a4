//! Plays a script to a server: a client without opinions.

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

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The body of one message.
    Send(String),
    /// Bytes that are no right frame, or none at all; they are answered once.
    Raw(String),
    /// Until every request so far has its answer.
    Wait,
}

/// A script: a body a line; an empty line waits for all answers; `raw` and a JSON string
/// are bytes as they stand.
pub fn script(text: &str) -> Result<Vec<Line>> {
    let line = |line: &str| match (line.trim(), line.strip_prefix("raw ")) {
        ("", _) => Ok(Line::Wait),
        (_, Some(raw)) => Ok(Line::Raw(serde_json::from_str(raw)?)),
        (body, None) => Ok(Line::Send(body.into())),
    };
    text.lines().map(line).collect()
}

/// What a transcript says was sent, each time after the answer to what came before.
pub fn sent(transcript: &str) -> Vec<Line> {
    let bodies =
        transcript.lines().filter_map(|line| line.trim().strip_prefix("[mcp:send]"));
    bodies.flat_map(|body| [Line::Send(body.trim().into()), Line::Wait]).collect()
}

/// Plays all lines, waits for all answers, closes the server's stdin and waits for its
/// end.
pub fn play(server: &mut Command, framing: Framing, lines: &[Line]) -> Result<()> {
    let mut child = server
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start the server")?;
    let mut stdin = child.stdin.take().context("no stdin")?;
    let answers = frames(child.stdout.take().context("no stdout")?, framing);
    let mut owed = 0;
    for line in lines.iter().chain([&Line::Wait]) {
        match line {
            Line::Send(body) => {
                stdin.write_all(&framing.encode(body.as_bytes()))?;
                let parsed = parse(body.as_bytes());
                owed += usize::from(matches!(parsed, Ok(Message::Request(_))));
            }
            Line::Raw(bytes) => {
                stdin.write_all(bytes.as_bytes())?;
                owed += 1;
            }
            Line::Wait => {
                for _ in 0..std::mem::take(&mut owed) {
                    answers.recv_timeout(PATIENCE).context("an answer is missing")?;
                }
            }
        }
    }
    drop(stdin);
    while answers.recv_timeout(PATIENCE).is_ok() {}
    let status = child.wait()?;
    ensure!(status.success(), "the server ended with {status}");
    Ok(())
}

/// The bodies that come, until there are no more.
fn frames(mut from: ChildStdout, framing: Framing) -> mpsc::Receiver<Vec<u8>> {
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = FrameReader::new(framing, MAX_MESSAGE);
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from.read(&mut chunk) {
            reader.feed(&chunk[..count]);
            while let Some(frame) = reader.next_frame() {
                if let Ok(body) = frame {
                    let _ = tell.send(body); // it may have stopped listening
                }
            }
        }
    });
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(body: &str) -> Line {
        Line::Send(body.into())
    }

    #[test]
    fn what_was_sent_is_taken_from_a_transcript() {
        let text = "--- 1. x\n  [mcp:send]    {\"id\":1}\n  [mcp:receive] {}\n  · y\n";
        assert_eq!(vec![send("{\"id\":1}"), Line::Wait], sent(text));
    }

    #[test]
    fn an_empty_line_of_a_script_waits() -> Result<()> {
        let expected = vec![send("{\"id\":1}"), send("{\"id\":2}"), Line::Wait];
        assert_eq!(expected, script("{\"id\":1}\n{\"id\":2}\n\n")?);
        Ok(())
    }

    #[test]
    fn raw_bytes_of_a_script_are_a_json_string() -> Result<()> {
        let expected = vec![Line::Raw("a: 1\r\n{}".into())];
        assert_eq!(expected, script(r#"raw "a: 1\r\n{}""#)?);
        Ok(())
    }
}
