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
mod recorder;
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
// Your modules import the given ones as `crate::jsonrpc` and so on.
use exercises::{Explain, Failure, Verdict, child, holds, judge, same};
use jsonrpc::{Id, Message, Response, UnknownId};
#[allow(unused_imports)]
use mcp_from_scratch::{frame, jsonrpc, params, tool, transcript, transport};
use pipes::{on_real_pipes, serve};
use protocol::Implementation;
use recorder::{Reaction, Recorder, session_of};
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

const NOT_READY: &str = "response 2: error -32600";

/// The members of an object may be in any order.
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

/// A call with the id 3.
fn call_with(params: &str) -> String {
    with_params("3", "tools/call", params)
}

fn running(id: &str) -> String {
    format!(r#"run echo {{"text":"hi"}} as {id}"#)
}

fn text_result(id: &str, text: &str) -> String {
    format!(r#"response {id}: {{"content":[{{"type":"text","text":"{text}"}}]}}"#)
}
