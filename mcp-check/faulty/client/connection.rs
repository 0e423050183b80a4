//! The faulty client's connection to its server.

use mcp_from_scratch::frame::{FrameReader, Framing};
use serde_json::{Value, json};
use std::{
    io::{self, Read, Write},
    process::{self, Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread::{self, sleep},
    time::{Duration, Instant},
};

const TIMEOUT: Duration = Duration::from_millis(600);

/// Why there is no answer.
#[derive(Debug)]
pub enum Lost {
    Death,
    Timeout,
    Version,
}

pub struct Connection {
    pub fault: String,
    framing: Framing,
    server: Child,
    stdin: Option<ChildStdin>,
    bodies: Receiver<Vec<u8>>,
    /// Answers that came before anybody asked for them.
    early: Vec<Value>,
}

impl Connection {
    pub fn start(fault: &str, framing: Framing, command: &[&str]) -> io::Result<Self> {
        let mut server = Command::new(command[0])
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = server.stdin.take();
        let (sender, bodies) = mpsc::channel();
        if let Some(stdout) = server.stdout.take() {
            thread::spawn(move || read(stdout, framing, &sender));
        }
        let fault = fault.to_owned();
        Ok(Self { fault, framing, server, stdin, bodies, early: Vec::new() })
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn send(&mut self, message: &Value) {
        let frame = self.framing.encode(message.to_string().as_bytes());
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(&frame); // a dead server shows on its stdout
            if self.fault == "prints-to-server" {
                let _ = stdin.write_all(b"sent it\r\n");
            }
        }
    }

    fn id(&self, number: i64) -> Value {
        match self.fault.as_str() {
            "ids-are-floats" => json!(number as f64 + 0.5),
            "ids-repeat" if number == 2 => json!(1),
            _ => json!(number),
        }
    }

    pub fn request(&mut self, id: i64, method: &str, params: Value) {
        let id = self.id(id);
        self.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
        );
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// The result of the request with that number.
    pub fn answer(&mut self, id: i64) -> Result<Value, Lost> {
        let wanted = self.id(id);
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let in_order = self.has("pairs-by-order") && id > 2;
            let is_it = |answer: &Value| in_order || answer["id"] == wanted;
            if let Some(at) = self.early.iter().position(is_it) {
                return Ok(self.early.remove(at)["result"].clone());
            }
            let wait = match self.has("has-no-timeout") {
                true => Duration::from_secs(60),
                false => deadline.saturating_duration_since(Instant::now()),
            };
            match self.bodies.recv_timeout(wait) {
                Ok(body) => self.take(&body),
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Death),
                Err(RecvTimeoutError::Timeout) => {
                    self.give_up(id, &wanted);
                    return Err(Lost::Timeout);
                }
            }
        }
    }

    fn give_up(&mut self, id: i64, wanted: &Value) {
        if self.has("cancels-nothing") || id == 1 && !self.has("cancels-initialize") {
            return;
        }
        self.notify("notifications/cancelled", json!({ "requestId": wanted }));
        if id == 3 {
            // Both calls are given up.
            let second = self.id(4);
            self.notify("notifications/cancelled", json!({ "requestId": second }));
        }
    }

    fn take(&mut self, body: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Value>(body) else {
            match self.fault.as_str() {
                "dies-of-noise" => process::exit(1),
                "answers-noise" => self.send(&json!({
                    "jsonrpc": "2.0", "id": null,
                    "error": { "code": -32700, "message": "what?" },
                })),
                _ => {}
            }
            return;
        };
        let has_id = !message["id"].is_null();
        let is_request = message["method"].is_string() && has_id;
        if is_request && !(self.has("looks-ids-up-first") && message["id"].is_number())
        {
            return self.asked(&message);
        }
        if message["method"].is_string() && !has_id {
            if self.has("dies-of-notification") {
                process::exit(1);
            }
            return;
        }
        if self.has("dies-of-stray-answer") && message["id"] == "nobody's" {
            process::exit(1);
        }
        let is_stray = message["id"].is_string() || message["id"] == 987_654;
        if !is_stray {
            self.early.push(message);
        }
    }

    fn asked(&mut self, message: &Value) {
        let id = &message["id"];
        let result = json!({ "jsonrpc": "2.0", "id": id, "result": {} });
        match (message["method"] == "ping", self.fault.as_str()) {
            (true, "ignores-ping") | (false, "ignores-requests") => {}
            (true, _) | (false, "accepts-requests") => self.send(&result),
            (false, _) => self.send(&json!({
                "jsonrpc": "2.0", "id": id,
                "error": { "code": -32601, "message": "not offered" },
            })),
        }
    }

    /// End of input, a while, then SIGKILL.
    pub fn end(mut self, went_well: bool) {
        // After a timeout, a last cancellation must still be read.
        if self.has("kills-server") && went_well {
            let _ = self.server.kill();
        }
        self.stdin = None;
        if self.has("leaves-server") {
            return;
        }
        let deadline = Instant::now() + TIMEOUT;
        while Instant::now() < deadline {
            if matches!(self.server.try_wait(), Ok(Some(_))) {
                return;
            }
            sleep(Duration::from_millis(5));
        }
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Each line, or each body.
fn read(mut stdout: impl Read, framing: Framing, bodies: &Sender<Vec<u8>>) {
    let mut reader = FrameReader::new(framing, 1 << 24);
    let mut chunk = vec![0; 1 << 16];
    while let Ok(length @ 1..) = stdout.read(&mut chunk) {
        reader.feed(&chunk[..length]);
        while let Some(frame) = reader.next_frame() {
            let body = frame.unwrap_or_else(|noise| noise.to_string().into_bytes());
            if bodies.send(body).is_err() {
                return;
            }
        }
    }
}
