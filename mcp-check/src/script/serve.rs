//! The scripted server's loop: bytes in, lines in the log, answers out when they are
//! due.

use super::{Order, Script, answers::answer, log::Log};
use mcp_from_scratch::{
    frame::{FrameReader, Framing},
    transcript::escape_untrusted,
};
use serde_json::{Value, json};
use std::{
    io::{self, Read, Write},
    process,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

/// How long `initialize` waits for its answer: long enough to see who does not wait.
const FIRST: Duration = Duration::from_millis(250);
/// How long calls are held back, so that more can join them.
const TOGETHER: Duration = Duration::from_millis(250);
/// How long `tools/list` waits at most for the client's own answers.
const THEIRS: Duration = Duration::from_millis(1500);
const MAX_MESSAGE: usize = 8 * 1024 * 1024;

struct Serving {
    order: Order,
    log: Log,
    /// What goes out when its time has come.
    due: Vec<(Instant, Value)>,
    /// Calls that are held back.
    held: Vec<Value>,
    /// How many answers of the client are awaited.
    awaited: usize,
    has_changed: bool,
}

/// Serves on stdin and stdout as ordered, to the end of input.
pub fn serve(order: Order) -> io::Result<()> {
    let lifetime = Instant::now() + order.lifetime;
    let mut serving = Serving {
        log: Log::open(&order.folder)?,
        order,
        due: Vec::new(),
        held: Vec::new(),
        awaited: 0,
        has_changed: false,
    };
    serving.log.event("start", "")?;
    serving.noise("starting up")?;
    let (chunks, input) = mpsc::channel();
    thread::spawn(move || read(&chunks));
    serving.run(&input, lifetime)?;
    serving.log.event("end", "")?;
    if serving.order.script == Script::Stays {
        thread::sleep(lifetime.saturating_duration_since(Instant::now()));
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

impl Serving {
    fn run(&mut self, input: &Receiver<Vec<u8>>, lifetime: Instant) -> io::Result<()> {
        let mut frames = FrameReader::new(self.order.framing, MAX_MESSAGE);
        loop {
            let next = self.due.iter().map(|it| it.0).min().unwrap_or(lifetime);
            let wait = next.min(lifetime).saturating_duration_since(Instant::now());
            match input.recv_timeout(wait) {
                Ok(bytes) => {
                    self.log.raw(&bytes)?;
                    frames.feed(&bytes);
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= lifetime => {
                    process::exit(4);
                }
                Err(RecvTimeoutError::Timeout) => self.send_due(Instant::now())?,
                Err(RecvTimeoutError::Disconnected) => {
                    self.send_due(lifetime)?; // all that is owed
                    return Ok(());
                }
            }
            while let Some(frame) = frames.next_frame() {
                if let Ok(body) = frame {
                    self.take(&body)?;
                }
            }
        }
    }

    fn take(&mut self, body: &[u8]) -> io::Result<()> {
        self.log.event("received", &String::from_utf8_lossy(body))?;
        let message: Value = serde_json::from_slice(body).unwrap_or_default();
        let Some(method) = message["method"].as_str() else {
            self.awaited = self.awaited.saturating_sub(1);
            return match self.awaited {
                0 => self.send_due(Instant::now() + THEIRS),
                _ => Ok(()),
            };
        };
        if message["id"].is_null() {
            return Ok(());
        }
        match (self.order.script, method) {
            (Script::DiesAtList, "tools/list") | (Script::DiesAtCall, "tools/call") => {
                process::exit(3)
            }
            (Script::Plain | Script::OldVersion, "initialize") => {
                self.later(FIRST, answer(self.order.script, &message))
            }
            (Script::Ordered | Script::Reversed, "tools/call") => {
                return self.hold(message);
            }
            (Script::Asks, "tools/list") => {
                self.ask(&message["id"])?;
                self.later(THEIRS, answer(Script::Asks, &message));
            }
            (script, _) => {
                self.before(method)?;
                if let Some(answer) = answer(script, &message) {
                    self.write(&answer)?;
                }
            }
        }
        Ok(())
    }

    fn later(&mut self, wait: Duration, answer: Option<Value>) {
        self.due.extend(answer.map(|answer| (Instant::now() + wait, answer)));
    }

    fn send_due(&mut self, now: Instant) -> io::Result<()> {
        let (due, rest) = self.due.drain(..).partition(|it| it.0 <= now);
        self.due = rest;
        let due: Vec<(Instant, Value)> = due;
        if due.iter().any(|it| it.1.is_null()) {
            let mut calls: Vec<_> = self.held.drain(..).collect();
            if self.order.script == Script::Reversed {
                calls.reverse();
            }
            for call in calls {
                if let Some(answer) = answer(self.order.script, &call) {
                    self.write(&answer)?;
                }
            }
        }
        due.iter().filter(|it| !it.1.is_null()).try_for_each(|it| self.write(&it.1))
    }

    /// Waits for more calls; null among what is due means "answer those held".
    fn hold(&mut self, call: Value) -> io::Result<()> {
        self.held.push(call);
        self.due.retain(|it| !it.1.is_null());
        self.due.push((Instant::now() + TOGETHER, Value::Null));
        Ok(())
    }

    /// A ping whose id the client's own request has too, and a request that no client
    /// knows.
    fn ask(&mut self, id: &Value) -> io::Result<()> {
        self.awaited = 2;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }))?;
        self.write(&json!({ "jsonrpc": "2.0", "id": "1", "method": "no/such/request" }))
    }

    /// What some scripts say before an answer.
    fn before(&mut self, method: &str) -> io::Result<()> {
        match self.order.script {
            Script::Noise => self.noise("about to answer"),
            Script::Stray => {
                for id in [json!(987_654), json!("nobody's")] {
                    self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": {} }))?;
                }
                Ok(())
            }
            Script::Notifications => {
                let log = json!({ "level": "info", "data": "about to answer" });
                self.notify("notifications/message", log)?;
                if method == "initialize" {
                    return Ok(());
                }
                self.notify("notifications/of_mcp_check", json!({}))?;
                // Once, since a client may list its tools again for each.
                if std::mem::replace(&mut self.has_changed, true) {
                    return Ok(());
                }
                self.write(&json!({
                    "jsonrpc": "2.0", "method": "notifications/tools/list_changed"
                }))
            }
            _ => Ok(()),
        }
    }

    fn notify(&mut self, method: &str, params: Value) -> io::Result<()> {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
    }

    fn noise(&mut self, text: &str) -> io::Result<()> {
        if self.order.script != Script::Noise {
            return Ok(());
        }
        let noise = match self.order.framing {
            Framing::Newline => format!("[info] {text} {{\n\n\r\n"),
            Framing::ContentLength => format!("[info] {text} {{\r\n"),
        };
        self.put(noise.as_bytes())
    }

    fn write(&mut self, message: &Value) -> io::Result<()> {
        let frame = self.order.framing.encode(message.to_string().as_bytes());
        self.log.event("sent", &message.to_string())?;
        self.put(&frame)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Err(error) => self
                .log
                .event("unread", &escape_untrusted(error.to_string().as_bytes())),
            Ok(()) => Ok(()),
        }
    }
}
