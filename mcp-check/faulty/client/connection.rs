//! The faulty client's connection to its server.

use mcp_check::message::{self, Message};
use mcp_from_scratch::frame::{FrameReader, Framing};
use serde_json::{Value, json};
use std::{
    io::{self, Read, Write},
    process::{self, Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread::{self, sleep},
    time::{Duration, Instant},
};

const TIMEOUT: Duration = Duration::from_millis(1500);

/// Why there is no result.
#[derive(Debug)]
pub enum Lost {
    Exit,
    Timeout,
    Version,
}

pub struct Connection {
    pub fault: String,
    framing: Framing,
    server: Child,
    stdin: Option<ChildStdin>,
    bodies: Receiver<Vec<u8>>,
    /// Responses that nothing waits for yet.
    early: Vec<Value>,
}

impl Connection {
    pub fn start(fault: &str, framing: Framing, command: &[&str]) -> io::Result<Self> {
        let [program, arguments @ ..] = command else {
            return Err(io::Error::other("no server"));
        };
        let mut server = Command::new(program)
            .args(arguments)
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

    /// The result of the request with this number.
    pub fn response(&mut self, number: i64) -> Result<Value, Lost> {
        let id = self.id(number);
        let deadline = Instant::now() + TIMEOUT;
        loop {
            let in_order = self.has("pairs-by-order") && number > 2;
            let is_it = |response: &Value| in_order || response["id"] == id;
            if let Some(at) = self.early.iter().position(is_it) {
                return Ok(self.early.remove(at)["result"].clone());
            }
            let wait = match self.has("has-no-timeout") {
                true => Duration::from_secs(60),
                false => deadline.saturating_duration_since(Instant::now()),
            };
            match self.bodies.recv_timeout(wait) {
                Ok(body) => self.handle(Message::new(body)),
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Exit),
                Err(RecvTimeoutError::Timeout) => {
                    self.cancel(number);
                    return Err(Lost::Timeout);
                }
            }
        }
    }

    fn cancel(&mut self, number: i64) {
        let is_forbidden = number == 1 && !self.has("cancels-initialize");
        if self.has("cancels-nothing") || is_forbidden {
            return;
        }
        // Both calls are pending.
        let last = if number == 3 { 4 } else { number };
        for number in number..=last {
            let params = json!({ "requestId": self.id(number) });
            self.notify("notifications/cancelled", params);
        }
    }

    fn handle(&mut self, message: Message) {
        let id = &message.json["id"];
        if message.json.is_null() {
            match self.fault.as_str() {
                "dies-of-noise" => process::exit(1),
                "responds-to-noise" => {
                    self.send(&message::error(id, -32700, "not valid JSON"));
                }
                _ => {}
            }
            return;
        }
        let is_misread = self.has("looks-ids-up-first") && id.is_number();
        if message.is_request() && !is_misread {
            return self.respond(&message);
        }
        if message.json["method"].is_string() && id.is_null() {
            if self.has("dies-of-notification") {
                process::exit(1);
            }
            return;
        }
        if self.has("dies-of-stray-response") && id == "unknown" {
            process::exit(1);
        }
        if !id.is_string() && id != 987_654 {
            self.early.push(message.json);
        }
    }

    fn respond(&mut self, request: &Message) {
        let id = &request.json["id"];
        match (request.has_method("ping"), self.fault.as_str()) {
            (false, "ignores-requests") => {}
            (true, _) | (false, "accepts-requests") => {
                self.send(&message::result(id, json!({})));
            }
            (false, _) => self.send(&message::error(id, -32601, "not supported")),
        }
    }

    /// The end of input, a wait, then SIGKILL.
    pub fn end(mut self, has_succeeded: bool) {
        // After a timeout the server must still read the cancellation.
        if self.has("kills-server") && has_succeeded {
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
