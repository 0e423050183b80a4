//! Exercise 3: the server's rules
//!
//! You write how a server reacts to each message: with a response, a call, or nothing.
//! You read no pipe and start no task: a `Session` takes a message and returns an
//! `Action`. The given `Server` performs it. The tests named `on_real_pipes` run your
//! session in that server, as a separate process.
//!
//! Where   `exercises/src/server/session.rs`, and one function in
//!         `exercises/src/protocol.rs`. A function to write contains
//!         `todo!("task 3.…")`; the comment above it specifies what it takes and
//!         returns, and its errors. You may use or replace what is already written; what
//!         is `pub` keeps its signature.
//! Tasks   3.1  respond to the requests of every server
//!         3.2  negotiate a revision
//!         3.3  send no response to a notification
//!         3.4  open the gate, and list the tools
//!         3.5  call a tool, and respond with its result
//!         3.6  cancel a running call
//! Order   as numbered; each task needs those before it. One rule of 3.1, that an id in
//!         use is refused, is tested in 3.5, because it needs running calls.
//! Given   `Server` and `Calls`, which read, run the tools and write; the messages of
//!         the handshake in `protocol.rs`; messages, frames and tools from the library.
//! Read    the book, chapter 3; MCP 2025-11-25, basic/lifecycle, basic/utilities
//!         (ping, cancellation), server/tools.
//! Judge   cargo test -p exercises --test 03_server_dispatch t3_1
//!         (without `t3_1` all tasks; all exercises, if all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    run `cargo run --bin 03-echo-server -- --demo` and compare the output with
//!         the transcript.
//!         (In the course's repository, first copy your `session.rs` and `protocol.rs`
//!         over those in `src/`; the tests of the book then miss marks, and `git
//!         restore src` restores them.)

mod t3_1;
mod t3_2;
mod t3_3;
mod t3_4;
mod t3_5;
mod t3_6;

#[cfg(feature = "reference")]
use mcp_from_scratch::{protocol, server};
#[cfg(not(feature = "reference"))]
#[path = "../../src"]
mod exercise {
    pub mod protocol;
    pub mod server;
}
#[cfg(not(feature = "reference"))]
use exercise::{protocol, server};
// What your modules find as `crate::…` beside themselves.
use exercises::{Explain, Failure, Verdict, child, holds, judge, same};
use jsonrpc::{Id, Message, Response, UnknownId};
#[allow(unused_imports)]
use mcp_from_scratch::{frame, jsonrpc, params, tool, transcript, transport};
use protocol::Implementation;
use serde_json::{Value, json};
use server::{Action, Catalog, Server, Session};
use std::{fmt, sync::Arc};
use tokio::sync::Notify;
use tool::{BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult, echo, from_fn};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;

const AGREED: &str = r#"response "init": revision 2025-11-25"#;

const SHUT: &str = "response 2: error -32600";

/// The reaction to a message, without what the learner chooses: the text of an
/// error and of [`Action::Ignore`].
#[derive(PartialEq)]
struct Owed(String);

impl fmt::Debug for Owed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Owed {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Action> for Owed {
    fn from(action: Action) -> Self {
        match action {
            Action::Reply(response) => (&response).into(),
            Action::Call { id, tool, arguments } => {
                let (name, arguments) = (&tool.info.name, Value::Object(arguments));
                Self(format!("run {name} {arguments} as {id}"))
            }
            Action::Cancel(id) => Self(format!("stop {id}")),
            Action::Nothing | Action::Ignore(_) => Self("nothing".into()),
        }
    }
}

impl From<&Response> for Owed {
    fn from(response: &Response) -> Self {
        let id = response.id.as_ref().map_or("without id".into(), Id::to_string);
        Self(match &response.result {
            Err(error) => format!("response {id}: error {}", error.code),
            Ok(result) => format!("response {id}: {}", gist(result)),
        })
    }
}

/// The revision or the tools' names, where the result is about these.
fn gist(result: &Value) -> String {
    if let Some(version) = result["protocolVersion"].as_str() {
        return format!("revision {version}");
    }
    let Some(tools) = result["tools"].as_array() else { return result.to_string() };
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap_or("?"));
    format!("tools {}", names.collect::<Vec<_>>().join(", "))
}

/// One session, and what it was given up to now.
struct Recorder {
    session: Session,
    given: Vec<String>,
}

impl Recorder {
    fn new() -> Self {
        Self::with(&[echo().0])
    }

    fn with(tools: &[ToolInfo]) -> Self {
        Self { session: session_of(tools), given: Vec::new() }
    }

    /// The response to `initialize` is sent.
    fn initialized() -> Result<Self, Failure> {
        Self::new().begun()
    }

    /// The handshake is done.
    fn ready() -> Result<Self, Failure> {
        Self::new().begun()?.open()
    }

    fn begun(mut self) -> Result<Self, Failure> {
        self.owes(AGREED, INITIALIZE)
            .likely("what this test is about begins with `initialize`, task 3.2")?;
        self.given = vec!["(`initialize`, and its response)".into()];
        Ok(self)
    }

    fn open(mut self) -> Result<Self, Failure> {
        self.hear(INITIALIZED);
        let listed = Owed::from(self.hear(LIST));
        holds(listed != Owed::from(SHUT), "an open gate", listed)
            .given(self.given.join("\n"))
            .likely(
                "the gate of task 3.4 does not open, so nothing else can be seen",
            )?;
        self.given = vec!["(the handshake)".into()];
        Ok(self)
    }

    /// The handshake is done, and a call of `echo` runs under this id.
    fn calling(id: &str) -> Result<Self, Failure> {
        let mut talk = Self::ready()?;
        talk.owes(&running(id), &call(id))
            .likely("what this test is about begins with a call that runs, task 3.5")?;
        Ok(talk)
    }

    fn hear(&mut self, line: &str) -> Action {
        self.given.push(line.into());
        self.session.receive(jsonrpc::parse(line.as_bytes()))
    }

    fn owes(&mut self, expected: &str, line: &str) -> Verdict {
        let got = Owed::from(self.hear(line));
        same(Owed::from(expected), got).given(self.given.join("\n"))
    }

    /// The result in the response to a line.
    fn result(&mut self, line: &str) -> Result<Value, Failure> {
        match self.hear(line) {
            Action::Reply(Response { result: Ok(result), .. }) => Ok(result),
            other => {
                holds(false, "a result", Owed::from(other))
                    .given(self.given.join("\n"))
                    .likely(
                        "this request gets a result, whatever the other tests require",
                    )?;
                Ok(Value::Null)
            }
        }
    }

    /// A call ends, and this is the reaction.
    fn ends(&mut self, expected: &str, id: Id, outcome: ToolResult) -> Verdict {
        self.given.push(format!("the outcome of the call {id}"));
        let got = self.session.finish(&id, Ok(outcome.to_json()));
        let got = got.as_ref().map_or("nothing".into(), Owed::from);
        same(Owed::from(expected), got).given(self.given.join("\n"))
    }

    /// The id of a response to an unreadable message.
    fn unknown_id(&self, expected: UnknownId) -> Verdict {
        same(expected, self.session.unknown_id()).given(self.given.join("\n"))
    }
}

/// A session whose tools are never run.
fn session_of(tools: &[ToolInfo]) -> Session {
    let mut catalog = Catalog::new(Implementation::new("server", "1.0.0"));
    for info in tools {
        let added = catalog.add(info.clone(), from_fn(|_| Ok(ToolResult::default())));
        added.expect("the test's tools have different names");
    }
    Session::new(Arc::new(catalog))
}

/// Whatever the order of members.
fn same_json(expected: &Value, got: &Value) -> Verdict {
    if expected == got {
        return Ok(());
    }
    same(Owed(expected.to_string()), Owed(got.to_string()))
}

fn integer(number: i128) -> Id {
    Id::Integer(number)
}

fn request(id: &str, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#)
}

fn with_params(id: &str, method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#)
}

fn call(id: &str) -> String {
    with_params(id, "tools/call", r#"{"name":"echo","arguments":{"text":"hi"}}"#)
}

fn running(id: &str) -> String {
    format!(r#"run echo {{"text":"hi"}} as {id}"#)
}

// On real pipes: this very test program, started again, is the server

/// The test whose first line makes it the server.
const SERVER: &str = "t3_1::on_real_pipes_stdout_carries_frames_only";

/// Sends the lines to a server process, and expects these responses, each once,
/// in any order, and nothing else on its stdout.
fn on_real_pipes(lines: &[&str], expected: &[&str]) -> Verdict {
    rehearse(lines);
    let input = lines.join("\n") + "\n";
    let mut owed: Vec<Owed> = expected.iter().copied().map(Owed::from).collect();
    let mut others = Vec::new();
    for line in child::exchange(SERVER, &input)? {
        let Ok(Message::Response(answer)) = jsonrpc::parse(line.as_bytes()) else {
            let line = Owed(transcript::escape_untrusted(line.as_bytes()));
            return holds(
                false,
                "one JSON-RPC response per line, and nothing else",
                line,
            )
            .given(input)
            .likely("a `println!`: stdout belongs to frames; look with `eprintln!`");
        };
        let answer = Owed::from(&answer);
        match owed.iter().position(|one| *one == answer) {
            Some(at) => drop(owed.remove(at)),
            None => others.push(answer),
        }
    }
    // Calls end in any order; the same mistake must be reported with the same text.
    if let Some(answer) = others.into_iter().min_by(|a, b| a.0.cmp(&b.0)) {
        return not_owed(&owed, answer).given(input);
    }
    holds(owed.is_empty(), one_of(&owed), Owed::from("the end of stdout"))
        .given(input)
        .likely("a request without a response; its client waits")
}

fn not_owed(owed: &[Owed], answer: Owed) -> Verdict {
    let id = answer.0.split_inclusive(": ").next().unwrap_or_default();
    match owed.iter().find(|one| one.0.starts_with(id)) {
        Some(other) => holds(false, &other.0, answer).likely(
            "the right id and another response; a test without pipes shows \
                     more",
        ),
        None => holds(false, one_of(owed), answer).likely(
            "no pending request: another id, a second response, or one to a \
             notification",
        ),
    }
}

fn one_of(owed: &[Owed]) -> String {
    if owed.is_empty() {
        return "nothing more".into();
    }
    owed.iter().map(|one| one.0.as_str()).collect::<Vec<_>>().join("\n")
}

/// The same without pipes, so that a panic is reported with its place.
fn rehearse(lines: &[&str]) {
    let info = |name| ToolInfo::new(name, "", json!({}));
    let mut session = session_of(&["echo", "wait", "ring"].map(info));
    for line in lines {
        let action = session.receive(jsonrpc::parse(line.as_bytes()));
        if let Action::Call { id, .. } = action {
            session.finish(&id, Ok(json!({})));
        }
    }
}

fn said(id: &str, text: &str) -> String {
    format!(r#"response {id}: {{"content":[{{"type":"text","text":"{text}"}}]}}"#)
}
