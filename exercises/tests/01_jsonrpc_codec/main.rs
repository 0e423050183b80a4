//! Exercise 1: the JSON-RPC codec
//!
//! You write the encoder and the parser of messages. There is no pipe and no process
//! yet: these are functions from values to values.
//!
//! Where   `exercises/src/jsonrpc.rs`, and `members.rs` and `parse.rs` in
//!         `exercises/src/jsonrpc/`. A function to write contains `todo!("task 1.…")`;
//!         the comment above it specifies what it takes and returns, and its errors.
//!         You may use or replace what is already written; what is `pub` keeps its
//!         signature.
//! Tasks   1.1  write a message
//!         1.2  find the request that a response belongs to
//!         1.3  refuse a body that is not a message
//!         1.4  distinguish requests, notifications and responses
//!         1.5  read an id
//!         1.6  read a result or an error
//!         1.7  decide whether a malformed message gets a response
//! Order   as numbered. The tests of 1.1 and 1.2 need no other task; from 1.3 on each
//!         task needs those before it.
//! Given   `Members`: the members of an object, each as its original text (`RawValue`),
//!         which distinguishes null from absent and 1 from 1.0.
//! Read    the book, chapter 1; JSON-RPC 2.0, §4 to §6; MCP 2025-11-25, basic/index.
//! Judge   cargo test -p exercises --test 01_jsonrpc_codec t1_1
//!         (without `t1_1` all tasks; all exercises, if all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    run `cargo run --bin 01-jsonrpc-codec` and compare the output with the
//!         transcript.
//!         (In the course's repository, first copy your modules over those in `src/`;
//!         the tests of the book then miss marks, and `git restore src` restores them.)

mod t1_1;
mod t1_2;
mod t1_3;
mod t1_4;
mod t1_5;
mod t1_6;
mod t1_7;

#[cfg(feature = "reference")]
use mcp_from_scratch::jsonrpc;
#[cfg(not(feature = "reference"))]
#[path = "../../src"]
mod exercise {
    pub mod jsonrpc;
}
#[cfg(not(feature = "reference"))]
use exercise::jsonrpc;
// Your modules import the given `transcript` as `crate::transcript`.
use exercises::{Explain, Verdict, judge, same, same_bytes};
use jsonrpc::{
    ErrorObject, Id, Message, MessageKind, Notification, ParseError, Request, Response,
    UnknownId, pair, parse,
};
#[allow(unused_imports)]
use mcp_from_scratch::transcript;
use serde_json::{Map, Value, json};
use std::fmt;

fn params(value: Value) -> Option<Map<String, Value>> {
    value.as_object().cloned()
}

fn id(number: i128) -> Option<Id> {
    Some(Id::Integer(number))
}

fn string_id(text: &str) -> Option<Id> {
    Some(Id::String(text.into()))
}

/// A description, compared and printed without quotes.
#[derive(PartialEq)]
struct Description(String);

impl fmt::Debug for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn describe_id(id: Option<&Id>) -> String {
    id.map_or("no id".into(), |id| format!("the id {id}"))
}

fn describe_params(params: Option<&Map<String, Value>>) -> String {
    params.map_or("no params".into(), |params| {
        format!("params {}", Value::from(params.clone()))
    })
}

fn describe_message(message: &Message) -> String {
    match message {
        Message::Request(Request { id, method, params }) => {
            let params = describe_params(params.as_ref());
            format!("a request: {}, method {method:?}, {params}", describe_id(Some(id)))
        }
        Message::Notification(Notification { method, params }) => {
            format!(
                "a notification: method {method:?}, {}",
                describe_params(params.as_ref())
            )
        }
        Message::Response(Response { id, result: Ok(result) }) => {
            format!("a response: {}, result {result}", describe_id(id.as_ref()))
        }
        Message::Response(Response { id, result: Err(error) }) => {
            let ErrorObject { code, message, data } = error;
            let id = describe_id(id.as_ref());
            let data = data.as_ref().map_or("no data".into(), |d| format!("data {d}"));
            format!("a response: {id}, error {code}, message {message:?}, {data}")
        }
    }
}

fn describe(read: &Result<Message, ParseError>) -> Description {
    Description(match read {
        Ok(message) => describe_message(message),
        Err(ParseError { code, id, kind, .. }) => {
            format!(
                "rejected: code {code}, {}, kind {kind:?}",
                describe_id(id.as_ref())
            )
        }
    })
}

fn read(body: impl AsRef<[u8]>) -> Result<Message, ParseError> {
    parse(body.as_ref())
}

fn shown(body: &[u8]) -> String {
    if body.is_empty() {
        "an empty body".into()
    } else {
        transcript::escape_untrusted(body)
    }
}

fn is_read_as(expected: Message, body: &str) -> Verdict {
    let got = match read(body) {
        Ok(message) => describe_message(&message),
        Err(ParseError { code, reason, .. }) => {
            format!("rejected: code {code}, {reason}")
        }
    };
    same(Description(describe_message(&expected)), Description(got))
        .given(shown(body.as_bytes()))
}

/// Compares everything in a `ParseError` except `reason`, whose text is up to the learner.
fn is_rejected(
    code: i64,
    id: Option<Id>,
    kind: MessageKind,
    body: impl AsRef<[u8]>,
) -> Verdict {
    let body = body.as_ref();
    let expected = ParseError { code, reason: String::new(), id, kind };
    same(describe(&Err(expected)), describe(&read(body))).given(shown(body))
}

/// The likely cause: a lost id, or else `otherwise`.
fn likely_unless_id_lost<'a>(
    id: Option<Id>,
    body: &str,
    otherwise: &'a str,
) -> &'a str {
    match read(body) {
        Err(bad) if id.is_some() && bad.id.is_none() => {
            "the id was dropped: read it separately, even if another member is invalid"
        }
        _ => otherwise,
    }
}

const PARSE_ERROR: i64 = -32700;

const INVALID_REQUEST: i64 = -32600;

const INVALID_PARAMS: i64 = -32602;
