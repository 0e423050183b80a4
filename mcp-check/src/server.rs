//! Stage 3: the checker is the client, and a server is tested.

mod errors;
mod handshake;
mod ids;
mod malformed;
mod notifications;
mod stream;
mod tools;

use crate::{
    connection::Connection,
    message::Message,
    rule::{Check, Problem, Verdict, skipped},
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
const PING: &str = r#"{"jsonrpc":"2.0","id":"ping","method":"ping"}"#;

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

/// The server under test: how to start it, and what the first checks found.
pub struct Server {
    pub command: Vec<String>,
    pub framing: Framing,
    /// The limit for one response.
    pub timeout: Duration,
    /// The tool to call, if the user named one.
    pub call: Option<Call>,
    /// It did not respond to `initialize`.
    is_silent: Cell<bool>,
    shared: Cell<Option<Connection>>,
    initialize_result: OnceCell<Value>,
    listed: OnceCell<Vec<Value>>,
}

impl Server {
    pub fn new(command: Vec<String>, framing: Framing, timeout: Duration) -> Self {
        Self {
            command,
            framing,
            timeout,
            call: None,
            is_silent: Cell::new(false),
            shared: Cell::new(None),
            initialize_result: OnceCell::new(),
            listed: OnceCell::new(),
        }
    }

    /// A fresh process whose output is not read yet.
    fn start_unread(&self) -> Result<Connection, Problem> {
        Connection::start(&self.command, self.framing, self.timeout)
            .map_err(Problem::NotStarted)
    }

    /// A fresh process.
    fn start(&self) -> Result<Connection, Problem> {
        let connection = self.start_unread()?;
        connection.start_reading();
        Ok(connection)
    }

    fn skip_if_silent(&self) -> Result<(), Problem> {
        match self.is_silent.get() {
            true => skipped("it does not respond to `initialize`"),
            false => Ok(()),
        }
    }

    /// A fresh process that has responded to `initialize`.
    fn initializing(&self) -> Result<Connection, Problem> {
        self.skip_if_silent()?;
        let mut connection = self.start()?;
        self.initialize(&mut connection)?;
        Ok(connection)
    }

    /// A fresh process after the handshake.
    fn ready(&self) -> Result<Connection, Problem> {
        let connection = self.initializing()?;
        connection.send(INITIALIZED);
        Ok(connection)
    }

    /// Runs a check on the process of earlier checks; after a violation the next check
    /// starts a fresh one. The checks must use different ids.
    fn shared(&self, check: impl FnOnce(&mut Connection) -> Verdict) -> Verdict {
        let mut connection = match self.shared.take() {
            Some(connection) => connection,
            None => self.ready()?,
        };
        let verdict = check(&mut connection);
        self.shared.set(verdict.is_ok().then_some(connection));
        verdict
    }

    fn initialize(&self, connection: &mut Connection) -> Result<Message, Problem> {
        let response = connection.request(&initialize(OFFERED));
        let has_responded = self.initialize_result.get().is_some();
        self.is_silent.set(response.is_err() && !has_responded);
        let response = response?;
        if let Some(result) = response.json.get("result") {
            let _ = self.initialize_result.set(result.clone()); // later ones are equal
        }
        Ok(response)
    }

    /// Its tools, from tools/list.
    fn tools(&self) -> Result<&[Value], Problem> {
        match self.listed.get() {
            Some(tools) => Ok(tools),
            None => skipped("it lists no tools, see tools-list"),
        }
    }

    fn skip_without_tools(&self) -> Result<(), Problem> {
        let result = self.initialize_result.get();
        match result.is_none_or(|it| it["capabilities"]["tools"].is_object()) {
            true => Ok(()),
            false => skipped("it declares no `tools`"),
        }
    }

    /// The negotiated revision; empty if the server named none.
    fn revision(&self) -> &str {
        let result = self.initialize_result.get();
        result.and_then(|it| it["protocolVersion"].as_str()).unwrap_or_default()
    }
}

/// The body of a request. The id is raw JSON, sent as it is.
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

/// A call of a tool that does not exist.
fn call_unknown_tool(id: u32) -> String {
    request(id, "tools/call", &json!({ "name": "no_such_tool", "arguments": {} }))
}
