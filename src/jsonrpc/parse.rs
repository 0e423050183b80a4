//! From the bytes of one frame to one message, or to the error that explains why not.

use super::{
    ErrorObject, INVALID_REQUEST, Id, Message, PARSE_ERROR, Response,
    members::{kind_of, read_members},
};
use serde::de::IgnoredAny;

// ANCHOR: parse-error
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
// ANCHOR_END: parse-error

impl ParseError {
    // ANCHOR: reply
    /// The error response that a server sends for it. `None` for a notification or a
    /// response: otherwise two peers could respond to each other's errors forever.
    pub fn reply(&self) -> Option<Response> {
        let expected = matches!(self.kind, MessageKind::Request | MessageKind::Unknown);
        let error = ErrorObject::new(self.code, self.reason.as_str());
        expected.then(|| Response::error(self.id.clone(), error))
    }
    // ANCHOR_END: reply
}

// ANCHOR: parse
/// Reads one frame's body.
///
/// Errors: [`PARSE_ERROR`] for invalid JSON; [`INVALID_REQUEST`] for JSON that is not a
/// message (a batch, a scalar, a null or fractional id, a duplicate member, a wrong
/// `jsonrpc`); [`super::INVALID_PARAMS`] for params that are not an object.
pub fn parse(body: &[u8]) -> Result<Message, ParseError> {
    let unreadable = |code, reason: String| ParseError {
        code,
        reason,
        id: None,
        kind: MessageKind::Unknown,
    };
    let text = std::str::from_utf8(body).map_err(|error| {
        let at = error.valid_up_to();
        unreadable(PARSE_ERROR, format!("not UTF-8: invalid byte at offset {at}"))
    })?;
    let members = read_members(text).map_err(|error| {
        // Reading stops at a first byte that does not begin an object. Only the whole
        // text distinguishes a batch from a log line such as `[cache] warm`.
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if error.is_data() => {
                unreadable(INVALID_REQUEST, not_an_object(text))
            }
            Ok(_) => unreadable(PARSE_ERROR, format!("not valid JSON: {error}")),
            Err(error) => unreadable(PARSE_ERROR, format!("not valid JSON: {error}")),
        }
    })?;
    members.read()
}
// ANCHOR_END: parse

fn not_an_object(json: &str) -> String {
    let kind = kind_of(json);
    let hint = match kind {
        "an array" => " (batches are not part of MCP; send each message alone)",
        _ => "",
    };
    format!("expected one JSON object, got {kind}{hint}")
}
