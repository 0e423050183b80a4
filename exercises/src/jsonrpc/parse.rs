//! From the bytes of one frame to one message, or to the reason why there is none.

#![allow(unused)]

use super::{
    ErrorObject, INVALID_REQUEST, Id, Message, PARSE_ERROR, Response,
    members::{kind_of, read_members},
};
use serde::de::IgnoredAny;

/// Why a body is no message. Whatever could be read of it is kept.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("error {code}: {reason}")]
pub struct ParseError {
    /// What to answer with: [`PARSE_ERROR`], [`INVALID_REQUEST`] or
    /// [`super::INVALID_PARAMS`].
    pub code: i64,
    /// What was expected and what came, in one line.
    pub reason: String,
    /// The id, if it could be read although something else could not.
    pub id: Option<Id>,
    /// What it was going to be.
    pub shape: MessageKind,
}

/// What a malformed message was going to be, as far as one can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKind {
    Request,
    Notification,
    Response,
    Unknown,
}

impl ParseError {
    /// What a server owes for it: nothing to what looks like a notification or a
    /// response, or two ends could answer each other's errors for ever.
    pub fn reply(&self) -> Option<Response> {
        todo!("task 1.7: decide whether anything is owed for a malformed message")
    }
}

/// Reads one frame's body.
///
/// Errors: [`PARSE_ERROR`] for what is no JSON; [`INVALID_REQUEST`] for JSON that is no
/// message (a batch, a scalar, a null or fractional id, a member that stands twice, a
/// wrong `jsonrpc`); [`super::INVALID_PARAMS`] for params that are no object.
pub fn parse(body: &[u8]) -> Result<Message, ParseError> {
    todo!("task 1.3: tell what is no message from what is one")
}

fn no_object(json: &str) -> String {
    let kind = kind_of(json);
    let hint = match kind {
        "an array" => " (batches are not part of MCP; send each message alone)",
        _ => "",
    };
    format!("expected one JSON object, got {kind}{hint}")
}
