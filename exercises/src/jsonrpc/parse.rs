//! From the bytes of one frame to one message, or to the error that explains why not.

#![allow(unused)]

use super::{
    ErrorObject, INVALID_REQUEST, Id, Message, PARSE_ERROR, Response,
    members::{kind_of, read_members},
};
use serde::de::IgnoredAny;

/// Why a body is not a message, with the parts of it that could be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("error {code}: {reason}")]
pub struct ParseError {
    /// The code of the error response: [`PARSE_ERROR`], [`INVALID_REQUEST`] or
    /// [`super::INVALID_PARAMS`].
    pub code: i64,
    /// What was expected and what was received, on one line.
    pub reason: String,
    /// The id, if it could be read although something else could not.
    pub id: Option<Id>,
    /// The kind of message that the sender probably meant.
    pub kind: MessageKind,
}

/// The kind of a message, as far as its members show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    /// A method and an id.
    Request,
    /// A method without an id.
    Notification,
    /// A result or an error.
    Response,
    /// None of these members, or not an object.
    Unknown,
}

impl ParseError {
    /// The error response that a server sends for it. `None` for a notification or a
    /// response: otherwise two peers could respond to each other's errors forever.
    pub fn reply(&self) -> Option<Response> {
        todo!("task 1.7: decide whether a malformed message gets a response")
    }
}

/// Reads one frame's body.
///
/// Errors: [`PARSE_ERROR`] for invalid JSON; [`INVALID_REQUEST`] for JSON that is not a
/// message (a batch, a scalar, a null or fractional id, a duplicate member, a wrong
/// `jsonrpc`); [`super::INVALID_PARAMS`] for params that are not an object.
pub fn parse(body: &[u8]) -> Result<Message, ParseError> {
    todo!("task 1.3: refuse a body that is not a message")
}

fn not_an_object(json: &str) -> String {
    let kind = kind_of(json);
    let hint = match kind {
        "an array" => " (batches are not part of MCP; send each message alone)",
        _ => "",
    };
    format!("expected one JSON object, got {kind}{hint}")
}
