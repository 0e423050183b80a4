//! JSON-RPC 2.0 messages: what they are, how they are written, whose answer is whose.
//!
//! Another way: a message is written member by member into its bytes, with no struct for
//! all of them, and answers are found in an index by id.
//!
//! A frame's body goes through [`parse()`] and comes out as one [`Message`];
//! [`Message::encode`] goes the other way. Pure: no I/O.
//!
//! Sources: JSON-RPC 2.0, §4 to §6; MCP, basic/index (where MCP is stricter: an id is
//! a string or an integer and never null, params are an object, no batches).

mod members;
mod parse;
mod result;
mod unrepeated;

pub use parse::{ParseError, MessageKind, parse};

use crate::transcript::excerpt;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt};

/// Invalid JSON was received (JSON-RPC 2.0, §5.1, as are the next four).
pub const PARSE_ERROR: i64 = -32700;
/// JSON, but no request; also a request at the wrong time, for which MCP names no code.
pub const INVALID_REQUEST: i64 = -32600;
pub const METHOD_NOT_FOUND: i64 = -32601;
pub const INVALID_PARAMS: i64 = -32602;
/// The server's own fault. A tool's failure is none: it is a result.
pub const INTERNAL_ERROR: i64 = -32603;

/// A request's id: a string or an integer, never null and never fractional.
///
/// `"1"` and `1` are different ids, and they print differently. An integer outside
/// 128 bits, or one not written in plain digits (`1.0`, `1e2`, `-0`), is refused,
/// because it could not be sent back as it came. A call whose id does not fit 64 bits
/// cannot be cancelled: inside params such a number has lost its digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id {
    Integer(i128),
    String(String),
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Integer(number) => write!(f, "{number}"),
            Id::String(text) => write!(f, "{}", Value::from(text.as_str())),
        }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Id::Integer(number) => serializer.serialize_i128(*number),
            Id::String(text) => serializer.serialize_str(text),
        }
    }
}

/// Expects exactly one answer, which carries the same id.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub id: Id,
    pub method: String,
    pub params: Option<Map<String, Value>>,
}

/// Has no id and is never answered, not even with an error (§4.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    pub method: String,
    pub params: Option<Map<String, Value>>,
}

/// The answer to a request: a result or an error, never both.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// `None` only in the error answer to something whose id could not be read.
    pub id: Option<Id>,
    pub result: Result<Value, ErrorObject>,
}

/// Why a request failed (§5.1). The protocol's failures only: a tool that fails is a
/// result.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[error("error {code}: {message}")]
pub struct ErrorObject {
    /// One of the constants above, or the peer's own.
    pub code: i64,
    /// One short sentence, for people.
    pub message: String,
    /// Anything more, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub fn method_not_found(method: &str) -> Self {
        Self::new(METHOD_NOT_FOUND, format!("no method `{}`", excerpt(method)))
    }
}

/// What one frame carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    Request(Request),
    Notification(Notification),
    Response(Response),
}

impl Message {
    pub fn request(id: i128, method: &str, params: Option<Map<String, Value>>) -> Self {
        Self::Request(Request { id: Id::Integer(id), method: method.into(), params })
    }

    pub fn notification(method: &str, params: Option<Map<String, Value>>) -> Self {
        Self::Notification(Notification { method: method.into(), params })
    }

    /// The body of one frame: compact JSON, without a raw newline. Members stand in
    /// the order jsonrpc, id, method, params, or jsonrpc, id, result or error.
    pub fn encode(&self) -> Vec<u8> {
        let (id, method, params) = match self {
            Self::Request(Request { id, method, params }) => (Some(id), method, params),
            Self::Notification(Notification { method, params }) => {
                (None, method, params)
            }
            Self::Response(response) => return response.encode(UnknownId::Null),
        };
        let mut line = Line::new();
        if let Some(id) = id {
            line.member("id", id);
        }
        line.member("method", method);
        if let Some(params) = params {
            line.member("params", params);
        }
        line.end()
    }
}

/// How an error answer says that it does not know whose answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownId {
    /// `"id":null`: JSON-RPC 2.0, §5, and MCP until 2025-06-18.
    Null,
    /// No `id` member: allowed from MCP 2025-11-25 on (basic/index, Responses).
    Absent,
}

impl Response {
    pub fn result(id: Id, result: Value) -> Self {
        Self { id: Some(id), result: Ok(result) }
    }

    pub fn error(id: Option<Id>, error: ErrorObject) -> Self {
        Self { id, result: Err(error) }
    }

    /// Like [`Message::encode`]; `unknown` matters only where `self.id` is `None`.
    pub fn encode(&self, unknown: UnknownId) -> Vec<u8> {
        let mut line = Line::new();
        if self.id.is_some() || unknown == UnknownId::Null {
            line.member("id", &self.id);
        }
        match &self.result {
            Ok(result) => line.member("result", result),
            Err(error) => line.member("error", error),
        }
        line.end()
    }
}

/// Finds the request that `answer` belongs to: by id, whatever the order of arrival.
pub fn pair<'a>(requests: &'a [Request], answer: &Response) -> Option<&'a Request> {
    // The first of two with the same id is the one that counts.
    let by_id: BTreeMap<&Id, &Request> =
        requests.iter().rev().map(|request| (&request.id, request)).collect();
    by_id.get(answer.id.as_ref()?).copied()
}

/// A `json!({…})` literal as the map that params are.
pub fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => unreachable!("not written as an object: {other}"),
    }
}

/// One message on its way to bytes.
struct Line(Vec<u8>);

impl Line {
    fn new() -> Self {
        Self(br#"{"jsonrpc":"2.0""#.to_vec())
    }

    fn member(&mut self, name: &str, value: &impl Serialize) {
        self.0.extend(format!(",\"{name}\":").bytes());
        serde_json::to_writer(&mut self.0, value).expect("JSON values always encode");
    }

    fn end(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}
