//! Stage 3: we are the client, and a server is judged.

mod errors;
mod handshake;
mod ids;
mod malformed;
mod notifications;
mod stream;
mod tools;

use crate::{
    rule::{Check, Problem, Verdict, skipped},
    wire::{Received, Wire},
};
use mcp_from_scratch::frame::Framing;
use serde_json::{Map, Value, json};
use std::{
    cell::{Cell, OnceCell},
    fmt::Display,
    time::Duration,
};

/// The revision that is offered: the newest with a handshake.
const OFFERED: &str = "2025-11-25";

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":"are you there","method":"ping"}"#;

/// All checks, in the order in which they run.
pub fn checks() -> Vec<Check<Server>> {
    let mut checks = handshake::checks();
    checks.extend(ids::checks());
    checks.extend(tools::checks());
    checks.extend(errors::checks());
    checks.extend(notifications::checks());
    checks.extend(malformed::checks());
    checks.extend(stream::checks());
    checks
}

/// A tool, and arguments for it.
pub type Call = (String, Map<String, Value>);

/// The server under test: how to start it, and what the first checks learned of it.
pub struct Server {
    pub command: Vec<String>,
    pub framing: Framing,
    /// How long one answer may take.
    pub patience: Duration,
    /// What to call, if not what its list suggests.
    pub call: Option<Call>,
    mute: Cell<bool>,
    shared: Cell<Option<Wire>>,
    hello: OnceCell<Value>,
    listed: OnceCell<Vec<Value>>,
}

impl Server {
    pub fn new(command: Vec<String>, framing: Framing, patience: Duration) -> Self {
        Self {
            command,
            framing,
            patience,
            call: None,
            mute: Cell::new(false),
            shared: Cell::new(None),
            hello: OnceCell::new(),
            listed: OnceCell::new(),
        }
    }

    /// A fresh process, to which nothing was said yet.
    fn start(&self) -> Result<Wire, Problem> {
        let started = Wire::start(&self.command, self.framing, self.patience);
        started.map_err(|error| cannot_start(&error))
    }

    /// The same, unless it is known to answer nothing.
    fn hopeful(&self) -> Result<Wire, Problem> {
        match self.mute.get() {
            true => skipped("it does not answer `initialize`"),
            false => self.start(),
        }
    }

    /// A fresh process that has answered `initialize`.
    fn greeted(&self) -> Result<Wire, Problem> {
        let mut wire = self.hopeful()?;
        self.greet(&mut wire)?;
        Ok(wire)
    }

    /// A fresh process after the handshake.
    fn ready(&self) -> Result<Wire, Problem> {
        let wire = self.greeted()?;
        wire.send(INITIALIZED);
        Ok(wire)
    }

    /// Uses a process that earlier checks have used, and found in order. Whoever finds
    /// something else leaves none to the next. Ids differ from those of the others.
    fn shared(&self, check: impl FnOnce(&mut Wire) -> Verdict) -> Verdict {
        let mut wire = match self.shared.take() {
            Some(wire) => wire,
            None => self.ready()?,
        };
        let verdict = check(&mut wire);
        self.shared.set(verdict.is_ok().then_some(wire));
        verdict
    }

    fn greet(&self, wire: &mut Wire) -> Result<Received, Problem> {
        let answer = wire.ask(&initialize(OFFERED));
        self.mute.set(answer.is_err() && self.hello.get().is_none());
        let answer = answer?;
        if let Some(result) = answer.json.get("result") {
            let _ = self.hello.set(result.clone()); // what it says once, it says again
        }
        Ok(answer)
    }

    /// Its tools, as it has listed them.
    fn tools(&self) -> Result<&[Value], Problem> {
        match self.listed.get() {
            Some(tools) => Ok(tools),
            None => skipped("it lists no tools, see tools-list"),
        }
    }

    fn has_tools(&self) -> bool {
        self.hello.get().is_none_or(|it| it["capabilities"]["tools"].is_object())
    }

    /// The revision that it agreed on, empty if it named none.
    fn revision(&self) -> &str {
        let hello = self.hello.get();
        hello.and_then(|it| it["protocolVersion"].as_str()).unwrap_or_default()
    }
}

fn cannot_start(error: &std::io::Error) -> Problem {
    Problem::NotStarted(error.to_string())
}

/// A request's body. The id is raw, so that it goes out as it stands there.
fn request(id: impl Display, method: &str, params: &Value) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn initialize(version: &str) -> String {
    let params = json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": { "name": "mcp-check", "version": "1.0.0" },
    });
    request(1, "initialize", &params)
}

/// A call of a tool that nobody has.
fn call_nothing(id: u32) -> String {
    request(id, "tools/call", &json!({ "name": "no_such_tool", "arguments": {} }))
}
