//! The scripted server's loop: bytes in, events to the record, responses out at their
//! time.

use super::{
    Role, Script,
    record::{Event, Log},
    responses::response,
};
use mcp_from_scratch::frame::{FrameReader, Framing};
use serde_json::{Value, json};
use std::{
    io::{self, Read, Write},
    process,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

/// The delay of the response to `initialize`, in which an impatient client sends more.
const INITIALIZE_DELAY: Duration = Duration::from_millis(250);
/// How long calls are collected, so that more may follow.
const COLLECT: Duration = Duration::from_millis(250);
/// How long the response to `tools/list` waits for the client's responses.
const CLIENT_RESPONSES: Duration = Duration::from_millis(1500);
const MAX_MESSAGE: usize = 8 * 1024 * 1024;

enum Due {
    Response(Value),
    /// The responses to the collected calls.
    Collected,
}

struct Server {
    role: Role,
    log: Log,
    /// What is sent at its time.
    due: Vec<(Instant, Due)>,
    collected: Vec<Value>,
    /// How many responses the client owes.
    pending: usize,
    has_changed: bool,
}

/// Serves on stdin and stdout until the end of input.
pub fn serve(role: Role) -> io::Result<()> {
    let log = Log::connect(role.recorder)?;
    let (due, collected) = (Vec::new(), Vec::new());
    let mut server =
        Server { role, log, due, collected, pending: 0, has_changed: false };
    server.noise("starting up")?;
    let (chunks, input) = mpsc::channel();
    thread::spawn(move || read(&chunks));
    server.run(&input)?;
    server.log.write(&Event::EndOfInput)?;
    if server.role.script == Script::Stays {
        loop {
            thread::park();
        }
    }
    Ok(())
}

fn read(chunks: &Sender<Vec<u8>>) {
    let mut buffer = vec![0; 64 * 1024];
    while let Ok(length @ 1..) = io::stdin().read(&mut buffer) {
        if chunks.send(buffer[..length].to_vec()).is_err() {
            return;
        }
    }
}

impl Server {
    fn run(&mut self, input: &Receiver<Vec<u8>>) -> io::Result<()> {
        let mut frames = FrameReader::new(self.role.framing, MAX_MESSAGE);
        loop {
            let chunk = match self.due.iter().map(|it| it.0).min() {
                Some(next) => {
                    input.recv_timeout(next.saturating_duration_since(Instant::now()))
                }
                None => input.recv().map_err(RecvTimeoutError::from),
            };
            match chunk {
                Ok(bytes) => {
                    frames.feed(&bytes);
                    self.log.write(&Event::Bytes(bytes))?;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let now = Instant::now();
                    self.send_due(|time| time <= now)?;
                }
                Err(RecvTimeoutError::Disconnected) => return self.send_due(|_| true),
            }
            while let Some(frame) = frames.next_frame() {
                if let Ok(body) = frame {
                    self.handle(&body)?;
                }
            }
        }
    }

    fn handle(&mut self, body: &[u8]) -> io::Result<()> {
        self.log.write(&Event::Received(String::from_utf8_lossy(body).into_owned()))?;
        let message: Value = serde_json::from_slice(body).unwrap_or_default();
        let Some(method) = message["method"].as_str() else {
            self.pending = self.pending.saturating_sub(1);
            return match self.pending {
                0 => self.send_due(|_| true),
                _ => Ok(()),
            };
        };
        if message["id"].is_null() {
            return Ok(());
        }
        let script = self.role.script;
        match (script, method) {
            (Script::DiesAtList, "tools/list") | (Script::DiesAtCall, "tools/call") => {
                process::exit(3)
            }
            (Script::Plain | Script::OldVersion, "initialize") => {
                self.send_later(INITIALIZE_DELAY, response(script, &message));
            }
            (Script::Ordered | Script::Reversed, "tools/call") => self.collect(message),
            (Script::Requests, "tools/list") => {
                self.request_twice(&message["id"])?;
                self.send_later(CLIENT_RESPONSES, response(script, &message));
            }
            _ => {
                self.send_extras(method)?;
                if let Some(response) = response(script, &message) {
                    self.send(&response)?;
                }
            }
        }
        Ok(())
    }

    fn send_later(&mut self, delay: Duration, response: Option<Value>) {
        let time = Instant::now() + delay;
        self.due.extend(response.map(|it| (time, Due::Response(it))));
    }

    fn send_due(&mut self, is_due: impl Fn(Instant) -> bool) -> io::Result<()> {
        let (due, rest) = self.due.drain(..).partition(|it| is_due(it.0));
        self.due = rest;
        let due: Vec<(Instant, Due)> = due;
        for (_, due) in due {
            match due {
                Due::Response(response) => self.send(&response)?,
                Due::Collected => self.send_collected()?,
            }
        }
        Ok(())
    }

    fn send_collected(&mut self) -> io::Result<()> {
        let mut calls = std::mem::take(&mut self.collected);
        if self.role.script == Script::Reversed {
            calls.reverse();
        }
        let script = self.role.script;
        calls
            .iter()
            .filter_map(|it| response(script, it))
            .try_for_each(|it| self.send(&it))
    }

    /// Each call restarts the wait for more.
    fn collect(&mut self, call: Value) {
        self.collected.push(call);
        self.due.retain(|(_, due)| !matches!(due, Due::Collected));
        self.due.push((Instant::now() + COLLECT, Due::Collected));
    }

    /// A ping with an id that is pending in the client, and an unknown request.
    fn request_twice(&mut self, id: &Value) -> io::Result<()> {
        self.pending = 2;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }))?;
        self.send(&json!({ "jsonrpc": "2.0", "id": "1", "method": "no/such/request" }))
    }

    /// What some scripts send before a response.
    fn send_extras(&mut self, method: &str) -> io::Result<()> {
        match self.role.script {
            Script::Noise => self.noise("about to respond"),
            Script::Stray => {
                for id in [json!(987_654), json!("unknown")] {
                    self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": {} }))?;
                }
                Ok(())
            }
            Script::Notifications => {
                let log = json!({ "level": "info", "data": "about to respond" });
                self.notify("notifications/message", log)?;
                if method == "initialize" {
                    return Ok(());
                }
                self.notify("notifications/of_mcp_check", json!({}))?;
                // Once, because a client may list its tools again after each.
                match std::mem::replace(&mut self.has_changed, true) {
                    true => Ok(()),
                    false => self.notify("notifications/tools/list_changed", json!({})),
                }
            }
            _ => Ok(()),
        }
    }

    fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn noise(&mut self, text: &str) -> io::Result<()> {
        if self.role.script == Script::Noise {
            write(match self.role.framing {
                Framing::Newline => format!("[info] {text} {{\n\n\r\n"),
                Framing::ContentLength => format!("[info] {text} {{\r\n"),
            });
        }
        Ok(())
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        self.log.write(&Event::Sent(message.to_string()))?;
        write(self.role.framing.encode(message.to_string().as_bytes()));
        Ok(())
    }
}

fn write(bytes: impl AsRef<[u8]>) {
    let mut stdout = io::stdout().lock();
    // A client that has closed the pipe may still send.
    let _ = stdout.write_all(bytes.as_ref()).and_then(|()| stdout.flush());
}
