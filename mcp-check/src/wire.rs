//! A conversation with a server: raw bytes out, frames in, each wait with its limit.

mod received;

pub use received::Received;

use crate::{
    process::{Chunk, Process},
    rule::Failure,
};
use mcp_from_scratch::{
    frame::{FrameError, FrameReader, Framing},
    transcript::{escape_untrusted, excerpt},
};
use received::is_like;
use serde_json::{Value, json};
use std::{
    io,
    process::ExitStatus,
    time::{Duration, Instant},
};

/// The longest message that is read, in bytes.
const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// How much of a stream is kept for judging it, in bytes.
const MAX_KEPT: usize = 4 * 1024 * 1024;
/// A program takes its time to start, so the first message may take so much longer.
const START: u32 = 3;
/// How long the rest of the output may take after the end of input.
const EXIT_GRACE: Duration = Duration::from_millis(500);

enum Event {
    Frame(Vec<u8>),
    Skipped(FrameError),
    End,
    Late,
}

pub struct Wire {
    process: Process,
    framing: Framing,
    patience: Duration,
    frames: FrameReader,
    /// All that came on stdout, up to a limit.
    pub raw: Vec<u8>,
    /// All messages that came, in their order.
    pub received: Vec<Received>,
    /// What the reader had to skip.
    skipped: Vec<FrameError>,
    ended: bool,
}

impl Wire {
    pub fn start(
        command: &[String],
        framing: Framing,
        patience: Duration,
    ) -> io::Result<Self> {
        let wire = Self::start_deaf(command, framing, patience)?;
        wire.listen();
        Ok(wire)
    }

    /// Nothing is read before [`Wire::listen`].
    pub fn start_deaf(
        command: &[String],
        framing: Framing,
        patience: Duration,
    ) -> io::Result<Self> {
        Ok(Self {
            process: Process::start(command)?,
            framing,
            patience,
            frames: FrameReader::new(framing, MAX_MESSAGE),
            raw: Vec::new(),
            received: Vec::new(),
            skipped: Vec::new(),
            ended: false,
        })
    }

    pub fn listen(&self) {
        self.process.listen();
    }

    pub fn framing(&self) -> Framing {
        self.framing
    }

    pub fn is_cut(&self) -> bool {
        self.raw.len() >= MAX_KEPT
    }

    /// Sends one body as a frame.
    pub fn send(&self, body: &str) {
        self.process.send(self.framing.encode(body.as_bytes()));
    }

    pub fn send_raw(&self, bytes: Vec<u8>) {
        self.process.send(bytes);
    }

    pub fn pause(&self, time: Duration) {
        self.process.pause(time);
    }

    /// Sends a request and waits for the answer. An id that came back as another type
    /// still counts here: the checks of ids judge that, and no other check should fail.
    pub fn ask(&mut self, body: &str) -> Result<Received, Failure> {
        let request: Value = serde_json::from_str(body).unwrap_or_default();
        let first = self.received.len();
        self.send(body);
        self.answer(&request["id"], first)
    }

    /// The answer to a request that is sent already, among the messages from `first`.
    pub fn answer(&mut self, id: &Value, first: usize) -> Result<Received, Failure> {
        let patience = match self.received.is_empty() {
            true => self.patience * START,
            false => self.patience,
        };
        let deadline = Instant::now() + patience;
        let is_it = |it: &Received| it.is_answer() && is_like(&it.json["id"], id);
        let mut at = first;
        loop {
            if let Some(found) = self.received.iter().skip(at).find(|it| is_it(it)) {
                return Ok(found.clone());
            }
            at = self.received.len();
            if !self.step(deadline) {
                let expected = format!("an answer with the id {}", excerpt(id));
                return Err(self.nothing(expected, first, patience));
            }
        }
    }

    /// What is said when an expected answer has not come.
    fn nothing(
        &mut self,
        expected: String,
        first: usize,
        patience: Duration,
    ) -> Failure {
        let (mut got, mut cause) = if self.ended {
            ("the end of its output".to_owned(), self.death())
        } else {
            let cause = format!(
                "it does not answer, or waits for more input: does it speak {} \
                 framing, and is its stdout flushed after each message?",
                self.framing
            );
            (format!("nothing within {} s", patience.as_secs_f64()), cause)
        };
        if let Some(last) = self.received[first.min(self.received.len())..].last() {
            got = format!("{got}; the last message is {}", last.shown());
            if last.json.is_null() {
                cause = "this is not one JSON message on one line".into();
            }
        }
        if let Some(error) = self.skipped.last() {
            cause = error.to_string();
        }
        Failure::new(expected, got, cause)
    }

    /// How it ended, with its last words.
    fn death(&mut self) -> String {
        let status = self.process.exit(Instant::now() + EXIT_GRACE);
        let status = status.map_or("it still runs".into(), |it| it.to_string());
        let stderr = self.process.stderr();
        let start = stderr.len().saturating_sub(300);
        let tail = escape_untrusted(stderr[start..].trim_ascii());
        match tail.is_empty() {
            true => format!("it has closed its stdout ({status})"),
            false => format!("it has closed its stdout ({status}); stderr: {tail}"),
        }
    }

    /// Reads on until a message came. `false`: the end, or the deadline.
    fn step(&mut self, deadline: Instant) -> bool {
        loop {
            match self.next_event(deadline) {
                Event::Frame(body) => {
                    self.take(body);
                    return true;
                }
                // A stream in the other framing holds nothing that could be read.
                Event::Skipped(error @ FrameError::WrongFraming { .. }) => {
                    self.skipped.push(error);
                    return false;
                }
                Event::Skipped(error) if self.skipped.len() < 1000 => {
                    self.skipped.push(error);
                }
                Event::Skipped(_) => {}
                Event::End => {
                    self.ended = true;
                    return false;
                }
                Event::Late => return false,
            }
        }
    }

    fn next_event(&mut self, deadline: Instant) -> Event {
        loop {
            // Output without end must not keep this loop from looking at the clock.
            if Instant::now() >= deadline {
                return Event::Late;
            }
            match self.frames.next_frame() {
                Some(Ok(body)) => return Event::Frame(body),
                Some(Err(error)) => return Event::Skipped(error),
                None if self.ended => return Event::End,
                None => {}
            }
            match self.process.receive(deadline) {
                Chunk::Bytes(bytes) => {
                    self.frames.feed(&bytes);
                    let room = MAX_KEPT.saturating_sub(self.raw.len());
                    self.raw.extend_from_slice(&bytes[..bytes.len().min(room)]);
                }
                Chunk::End => {
                    self.ended = true;
                    match self.frames.finish() {
                        Some(Ok(body)) => return Event::Frame(body),
                        Some(Err(error)) => return Event::Skipped(error),
                        None => return Event::End,
                    }
                }
                Chunk::Late => return Event::Late,
            }
        }
    }

    /// Keeps a message. What the server asks is answered, so that it can go on.
    fn take(&mut self, body: Vec<u8>) {
        let json: Value = serde_json::from_slice(&body).unwrap_or_default();
        if json["method"].is_string() && !json["id"].is_null() {
            let id = &json["id"];
            let answer = match json["method"] == "ping" {
                true => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
                false => json!({ "jsonrpc": "2.0", "id": id,
                    "error": { "code": -32601, "message": "not offered" } }),
            };
            self.send(&answer.to_string());
        }
        if self.received.len() < 100_000 {
            self.received.push(Received { body, json });
        }
    }

    /// Closes its stdin and takes what it still says, for a short while.
    pub fn finish(&mut self) {
        self.process.close_input();
        let deadline = Instant::now() + EXIT_GRACE;
        while self.step(deadline) {}
    }

    /// Closes its stdin and waits for its end. `None`: it runs on.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.process.close_input();
        let deadline = Instant::now() + self.patience;
        while self.step(deadline) {}
        self.process.exit(deadline)
    }
}
