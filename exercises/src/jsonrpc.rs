//! JSON-RPC 2.0 messages: their types, encoding, and pairing by id.
//!
//! [`parse()`] turns a frame's body into one [`Message`]; [`Message::encode`] is the
//! reverse. Pure: no I/O.
//!
//! ```
//! use mcp_from_scratch::jsonrpc::{Id, Message, parse};
//!
//! let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
//! let Ok(Message::Request(ping)) = parse(body) else { panic!("not a request") };
//! assert_eq!((Id::Integer(1), "ping"), (ping.id.clone(), ping.method.as_str()));
//! assert_eq!(&body[..], Message::Request(ping).encode());
//! ```
//!
//! Sources: JSON-RPC 2.0, §4 to §6; MCP, basic/index (where MCP is stricter: an id is
//! a string or an integer and never null, params are an object, no batches).

#![allow(unused)]

mod members;
mod parse;
mod result;
mod unrepeated;

pub use parse::{MessageKind, ParseError, parse};

use crate::transcript::excerpt;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// Invalid JSON was received (JSON-RPC 2.0, §5.1, as are the next four).
pub const PARSE_ERROR: i64 = -32700;
/// Valid JSON that is not a request; also a request at the wrong time, for which MCP
/// defines no code.
pub const INVALID_REQUEST: i64 = -32600;
/// The receiver does not have this method.
pub const METHOD_NOT_FOUND: i64 = -32601;
/// The params do not fit the method.
pub const INVALID_PARAMS: i64 = -32602;
/// A fault of the server itself. A failed tool is a result, not this error.
pub const INTERNAL_ERROR: i64 = -32603;

/// A request's id: a string or an integer, never null and never fractional.
///
/// `"1"` and `1` are different ids, and they print differently. An integer outside
/// 128 bits, or one not written in plain digits (`1.0`, `1e2`, `-0`), is refused,
/// because it could not be returned byte for byte. A call whose id does not fit 64 bits
/// cannot be cancelled: `serde_json` rounds such a number inside params.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id {
    /// `1`
    Integer(i128),
    /// `"1"`
    String(String),
}

impl From<i128> for Id {
    fn from(number: i128) -> Self {
        Self::Integer(number)
    }
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

/// Expects exactly one response, which carries the same id.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Chosen by the sender.
    pub id: Id,
    /// What to do, such as `tools/call`.
    pub method: String,
    /// The method's arguments.
    pub params: Option<Map<String, Value>>,
}

/// Has no id and never gets a response, not even an error (§4.1).
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// What happened, such as `notifications/cancelled`.
    pub method: String,
    /// The details.
    pub params: Option<Map<String, Value>>,
}

/// The response to a request: a result or an error, never both.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The id of the request. `None` only in an error response to a message whose id
    /// could not be read.
    pub id: Option<Id>,
    /// The member `result` or the member `error`.
    pub result: Result<Value, ErrorObject>,
}

/// Why a request failed (§5.1): a protocol failure. A failed tool is a result.
#[derive(Clone, Debug, PartialEq, Serialize, thiserror::Error)]
#[error("error {code}: {message}")]
pub struct ErrorObject {
    /// One of the constants above, or a code that the peer defines.
    pub code: i64,
    /// One short sentence, for people.
    pub message: String,
    /// Anything more, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ErrorObject {
    /// An error without `data`.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The response to a request for a method that the receiver does not have.
    pub fn method_not_found(method: &str) -> Self {
        let message = format!("method not found: {}", excerpt(method));
        Self::new(METHOD_NOT_FOUND, message)
    }
}

/// What one frame carries.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Has a method and an id.
    Request(Request),
    /// Has a method and no id.
    Notification(Notification),
    /// Has a result or an error.
    Response(Response),
}

impl Message {
    /// A request with an integer id.
    pub fn request(id: i128, method: &str, params: Option<Map<String, Value>>) -> Self {
        Self::Request(Request { id: Id::Integer(id), method: method.into(), params })
    }

    /// A notification.
    pub fn notification(method: &str, params: Option<Map<String, Value>>) -> Self {
        Self::Notification(Notification { method: method.into(), params })
    }

    /// The body of one frame: compact JSON without a raw newline. The members are in
    /// the order jsonrpc, id, method, params, or jsonrpc, id, result or error.
    pub fn encode(&self) -> Vec<u8> {
        todo!("task 1.1: write a message")
    }
}

/// How an error response is written when the request's id could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownId {
    /// `"id":null`: JSON-RPC 2.0, §5, and MCP until 2025-06-18.
    Null,
    /// No `id` member: allowed from MCP 2025-11-25 on (basic/index, Responses).
    Absent,
}

impl Response {
    /// A response that carries a result.
    pub fn result(id: Id, result: Value) -> Self {
        Self { id: Some(id), result: Ok(result) }
    }

    /// A response that carries an error.
    pub fn error(id: Option<Id>, error: ErrorObject) -> Self {
        Self { id, result: Err(error) }
    }

    /// Like [`Message::encode`]; `unknown` matters only where `self.id` is `None`.
    pub fn encode(&self, unknown: UnknownId) -> Vec<u8> {
        todo!("task 1.1: write a message")
    }
}

/// Finds the request that `response` belongs to: by id, in whatever order the responses
/// arrive.
pub fn pair<'a>(requests: &'a [Request], response: &Response) -> Option<&'a Request> {
    todo!("task 1.2: find the request that a response belongs to")
}

/// Params, or a tool's arguments, written like JSON: `params! { "name": "echo" }` is a
/// `serde_json::Map`.
///
/// ```
/// let params = mcp_from_scratch::params! { "requestId": 1 };
///
/// assert_eq!(params["requestId"], 1);
/// ```
#[macro_export]
macro_rules! params {
    ($($member:tt)*) => {
        match serde_json::json!({ $($member)* }) {
            serde_json::Value::Object(members) => members,
            _ => unreachable!("the braces make it an object"),
        }
    };
}

/// All members that a message can have, in the order in which they are encoded.
#[derive(Serialize)]
struct Wire<'a> {
    jsonrpc: &'static str,
    /// `Some(None)` is written as `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Option<&'a Id>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'a Map<String, Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorObject>,
}

impl Wire<'_> {
    fn new() -> Self {
        let (method, params, result, error) = (None, None, None, None);
        Self { jsonrpc: "2.0", id: None, method, params, result, error }
    }
}

fn to_bytes(wire: &Wire<'_>) -> Vec<u8> {
    serde_json::to_vec(wire).expect("strings, integers and JSON values always encode")
}
