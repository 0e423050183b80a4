//! A connection to a server under test: raw bytes out, messages in. Every wait has a
//! limit.

use crate::{
    message::{self, Message, is_similar_id},
    process::{Chunk, Process},
    rule::Failure,
};
use mcp_from_scratch::{
    frame::{FrameError, FrameReader, Framing},
    transcript::excerpt,
};
use serde_json::{Value, json};
use std::{
    io,
    process::ExitStatus,
    time::{Duration, Instant},
};

/// The longest message that is read, in bytes.
const MAX_MESSAGE: usize = 8 * 1024 * 1024;
/// How much of a stream is kept for the check of its bytes.
const MAX_KEPT: usize = 4 * 1024 * 1024;
/// How many messages and errors are kept.
const MAX_MESSAGES: usize = 100_000;
/// A program needs time to start: its first response may take this many times longer.
const START: u32 = 3;
/// How long the rest of the output may take after the end of input.
const EXIT_GRACE: Duration = Duration::from_millis(500);

enum Event {
    Frame(Vec<u8>),
    Skipped(FrameError),
    End,
    Timeout,
}

pub struct Connection {
    process: Process,
    framing: Framing,
    timeout: Duration,
    frames: FrameReader,
    /// The bytes of its stdout, up to a limit.
    pub raw: Vec<u8>,
    /// The messages that arrived, in order.
    pub received: Vec<Message>,
    skipped: Vec<FrameError>,
    ended: bool,
}

impl Connection {
    /// Starts the server. Its stdout is not read before [`Connection::start_reading`].
    pub fn start(
        command: &[String],
        framing: Framing,
        timeout: Duration,
    ) -> io::Result<Self> {
        Ok(Self {
            process: Process::start(command)?,
            framing,
            timeout,
            frames: FrameReader::new(framing, MAX_MESSAGE),
            raw: Vec::new(),
            received: Vec::new(),
            skipped: Vec::new(),
            ended: false,
        })
    }

    pub fn start_reading(&self) {
        self.process.start_reading();
    }

    /// Whether `raw` lacks the end of the stream.
    pub fn is_truncated(&self) -> bool {
        self.raw.len() >= MAX_KEPT
    }

    /// Sends one body as a frame.
    pub fn send(&self, body: &str) {
        self.send_raw(self.framing.encode(body.as_bytes()));
    }

    pub fn send_raw(&self, bytes: Vec<u8>) {
        self.process.send(bytes);
    }

    /// Delays everything that is sent after this.
    pub fn pause(&self, time: Duration) {
        self.process.pause(time);
    }

    /// Sends a request and waits for its response. A response whose id has another type
    /// counts too: that is a violation of the rules about ids only.
    pub fn request(&mut self, body: &str) -> Result<Message, Failure> {
        let request: Value = serde_json::from_str(body).unwrap_or_default();
        let first = self.received.len();
        self.send(body);
        self.response(&request["id"], first)
    }

    /// The response to a request that is already sent, among the messages from `first`.
    pub fn response(&mut self, id: &Value, first: usize) -> Result<Message, Failure> {
        let timeout = match self.received.is_empty() {
            true => self.timeout * START,
            false => self.timeout,
        };
        let deadline = Instant::now() + timeout;
        let mut next = first;
        loop {
            let mut messages = self.received[next..].iter();
            let is_it =
                |it: &&Message| it.is_response() && is_similar_id(&it.json["id"], id);
            if let Some(found) = messages.find(is_it) {
                return Ok(found.clone());
            }
            next = self.received.len();
            if !self.receive(deadline) {
                return Err(self.no_response(id, first, timeout));
            }
        }
    }

    fn no_response(&mut self, id: &Value, first: usize, timeout: Duration) -> Failure {
        let (mut got, mut cause) = if self.ended {
            ("the end of its output".to_owned(), self.exit_text())
        } else {
            let cause = format!(
                "it does not respond, or waits for more input: does it use {} framing, \
                 and does it flush stdout after each message?",
                self.framing
            );
            (format!("nothing within {} s", timeout.as_secs_f64()), cause)
        };
        if let Some(last) = self.received[first..].last() {
            got = format!("{got}; the last message is {}", last.quoted());
            if last.json.is_null() {
                cause = "this is not one JSON message on one line".into();
            }
        }
        if let Some(error) = self.skipped.last() {
            cause = error.to_string();
        }
        Failure::new(format!("a response with the id {}", excerpt(id)), got, cause)
    }

    fn exit_text(&mut self) -> String {
        let status = self.process.exit(Instant::now() + EXIT_GRACE);
        let status = status.map_or("it still runs".into(), |it| it.to_string());
        format!("it has closed its stdout ({status}){}", self.process.stderr_text())
    }

    /// Reads until a message has arrived. `false`: the end, or the deadline.
    fn receive(&mut self, deadline: Instant) -> bool {
        loop {
            match self.next_event(deadline) {
                Event::Frame(body) => {
                    self.handle(Message::new(body));
                    return true;
                }
                // Nothing in a stream of the other framing can be read.
                Event::Skipped(error @ FrameError::WrongFraming { .. }) => {
                    self.skipped.push(error);
                    return false;
                }
                Event::Skipped(error) if self.skipped.len() < MAX_MESSAGES => {
                    self.skipped.push(error);
                }
                Event::Skipped(_) => {}
                Event::End => {
                    self.ended = true;
                    return false;
                }
                Event::Timeout => return false,
            }
        }
    }

    fn next_event(&mut self, deadline: Instant) -> Event {
        loop {
            // Endless output must not hide the deadline.
            if Instant::now() >= deadline {
                return Event::Timeout;
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
                Chunk::Timeout => return Event::Timeout,
            }
        }
    }

    /// Keeps a message, and responds to a request, so that the server can continue.
    fn handle(&mut self, message: Message) {
        if message.is_request() {
            let id = &message.json["id"];
            let response = match message.has_method("ping") {
                true => message::result(id, json!({})),
                false => message::error(id, -32601, "not supported"),
            };
            self.send(&response.to_string());
        }
        if self.received.len() < MAX_MESSAGES {
            self.received.push(message);
        }
    }

    /// Closes its stdin and reads the rest of its output, for a short time.
    pub fn finish(&mut self) {
        self.process.close_input();
        let deadline = Instant::now() + EXIT_GRACE;
        while self.receive(deadline) {}
    }

    /// Closes its stdin and waits for its exit. `None`: it still runs.
    pub fn end(&mut self) -> Option<ExitStatus> {
        self.process.close_input();
        let deadline = Instant::now() + self.timeout;
        while self.receive(deadline) {}
        self.process.exit(deadline)
    }
}
