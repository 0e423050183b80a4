//! The rules of the codec, one test each, in a file for each kind of rule.
//!
//! Sources: JSON-RPC 2.0, §4 to §6; MCP, basic/index.

mod encoding;
mod ids;
mod envelope;
mod requests_and_notifications;
mod responses;
mod replies;

use mcp_from_scratch::jsonrpc::{
    ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, MessageKind,
    PARSE_ERROR, ParseError, Request, Response, UnknownId, pair, parse,
};
use serde_json::{Value, json};

#[track_caller]
fn message(body: &str) -> Message {
    parse(body.as_bytes()).unwrap_or_else(|why| panic!("{body}: {why}"))
}

#[track_caller]
fn malformed(body: impl AsRef<[u8]>) -> ParseError {
    let body = body.as_ref();
    match parse(body) {
        Ok(message) => panic!("taken for {message:?}"),
        Err(malformed) => malformed,
    }
}

/// Code, id and shape of a malformed message.
#[track_caller]
fn verdict(body: impl AsRef<[u8]>) -> (i64, Option<Id>, MessageKind) {
    let malformed = malformed(body);
    (malformed.code, malformed.id, malformed.shape)
}

fn id(number: i128) -> Option<Id> {
    Some(Id::Integer(number))
}

fn encoded(message: &Message) -> String {
    String::from_utf8(message.encode()).expect("JSON is UTF-8")
}

fn object(value: Value) -> Option<serde_json::Map<String, Value>> {
    value.as_object().cloned()
}

fn response(id: i128, outcome: Result<Value, ErrorObject>) -> Message {
    Message::Response(Response { id: Some(Id::Integer(id)), outcome })
}
