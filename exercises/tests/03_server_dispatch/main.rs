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
//!         returns, and its errors. You may use or replace what is already written;
//!         what is `pub` keeps its signature.
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

mod pipes;
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
use pipes::on_real_pipes;
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

const REFUSED: &str = "response 2: error -32600";

/// The reaction to a message, without what the learner chooses: the text of an
/// error and of [`Action::Ignore`].
#[derive(PartialEq)]
struct Reaction(String);

impl fmt::Debug for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Reaction {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<Action> for Reaction {
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

impl From<&Response> for Reaction {
    fn from(response: &Response) -> Self {
        let id = response.id.as_ref().map_or("without id".into(), Id::to_string);
        Self(match &response.result {
            Err(error) => format!("response {id}: error {}", error.code),
            Ok(result) => format!("response {id}: {}", summary(result)),
        })
    }
}

/// The revision or the tools' names, where the result is about these.
fn summary(result: &Value) -> String {
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
        Self::new().initialize()
    }

    /// The handshake is done.
    fn ready() -> Result<Self, Failure> {
        Self::new().initialize()?.open()
    }

    fn initialize(mut self) -> Result<Self, Failure> {
        self.expect(AGREED, INITIALIZE)
            .likely("this test begins with `initialize`, task 3.2")?;
        self.given = vec!["(`initialize`, and its response)".into()];
        Ok(self)
    }

    fn open(mut self) -> Result<Self, Failure> {
        self.receive(INITIALIZED);
        let listed = Reaction::from(self.receive(LIST));
        holds(listed != Reaction::from(REFUSED), "an open gate", listed)
            .given(self.given.join("\n"))
            .likely(
                "the gate of task 3.4 does not open, so nothing else can be tested",
            )?;
        self.given = vec!["(the handshake)".into()];
        Ok(self)
    }

    /// The handshake is done, and a call of `echo` runs under this id.
    fn calling(id: &str) -> Result<Self, Failure> {
        let mut server = Self::ready()?;
        server
            .expect(&running(id), &call(id))
            .likely("this test begins with a running call, task 3.5")?;
        Ok(server)
    }

    fn receive(&mut self, line: &str) -> Action {
        self.given.push(line.into());
        self.session.receive(jsonrpc::parse(line.as_bytes()))
    }

    fn expect(&mut self, expected: &str, line: &str) -> Verdict {
        let got = Reaction::from(self.receive(line));
        same(Reaction::from(expected), got).given(self.given.join("\n"))
    }

    /// The result in the response to a line.
    fn result(&mut self, line: &str) -> Result<Value, Failure> {
        match self.receive(line) {
            Action::Reply(Response { result: Ok(result), .. }) => Ok(result),
            other => {
                holds(false, "a result", Reaction::from(other))
                    .given(self.given.join("\n"))
                    .likely(
                        "this request gets a result, whatever the other tests require",
                    )?;
                Ok(Value::Null)
            }
        }
    }

    /// A call finish, and this is the reaction.
    fn finish(&mut self, expected: &str, id: Id, outcome: ToolResult) -> Verdict {
        self.given.push(format!("the result of the call {id}"));
        let got = self.session.finish(&id, Ok(outcome.to_json()));
        let got = got.as_ref().map_or("nothing".into(), Reaction::from);
        same(Reaction::from(expected), got).given(self.given.join("\n"))
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
    same(Reaction(expected.to_string()), Reaction(got.to_string()))
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

fn text_response(id: &str, text: &str) -> String {
    format!(r#"response {id}: {{"content":[{{"type":"text","text":"{text}"}}]}}"#)
}
