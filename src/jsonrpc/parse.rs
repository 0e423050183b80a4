//! From the bytes of one frame to one message, or to the reason why there is none.

use super::{
    ErrorObject, INVALID_REQUEST, Id, Message, PARSE_ERROR, Response,
    members::{kind_of, read_members},
};
use serde::de::IgnoredAny;

// ANCHOR: malformed
/// Why a body is no message. Whatever could be read of it is kept.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("error {code}: {reason}")]
pub struct Malformed {
    /// What to answer with: [`PARSE_ERROR`], [`INVALID_REQUEST`] or
    /// [`super::INVALID_PARAMS`].
    pub code: i64,
    /// What was expected and what came, in one line.
    pub reason: String,
    /// The id, if it could be read although something else could not.
    pub id: Option<Id>,
    /// What it was going to be.
    pub shape: Shape,
}

/// What a malformed message was going to be, as far as one can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Request,
    Notification,
    Response,
    Unknown,
}
// ANCHOR_END: malformed

impl Malformed {
    // ANCHOR: reply
    /// What a server owes for it: nothing to what looks like a notification or a
    /// response, or two ends could answer each other's errors for ever.
    pub fn reply(&self) -> Option<Response> {
        let owed = matches!(self.shape, Shape::Request | Shape::Unknown);
        let error = ErrorObject::new(self.code, self.reason.as_str());
        owed.then(|| Response::error(self.id.clone(), error))
    }
    // ANCHOR_END: reply
}

// ANCHOR: parse
/// Reads one frame's body.
///
/// Errors: [`PARSE_ERROR`] for what is no JSON; [`INVALID_REQUEST`] for JSON that is no
/// message (a batch, a scalar, a null or fractional id, a member that stands twice, a
/// wrong `jsonrpc`); [`super::INVALID_PARAMS`] for params that are no object.
pub fn parse(body: &[u8]) -> Result<Message, Malformed> {
    let unreadable = |code, reason: String| Malformed {
        code,
        reason,
        id: None,
        shape: Shape::Unknown,
    };
    let text = std::str::from_utf8(body).map_err(|error| {
        let at = error.valid_up_to();
        unreadable(PARSE_ERROR, format!("not UTF-8: byte {at} begins no character"))
    })?;
    let members = read_members(text).map_err(|error| {
        // Reading stops at a first byte that begins no object. Only the whole text
        // tells a batch from a line of log such as `[cache] warm`.
        match serde_json::from_str::<IgnoredAny>(text) {
            Ok(_) if error.is_data() => unreadable(INVALID_REQUEST, no_object(text)),
            Ok(_) => unreadable(PARSE_ERROR, format!("not JSON: {error}")),
            Err(error) => unreadable(PARSE_ERROR, format!("not JSON: {error}")),
        }
    })?;
    members.read()
}
// ANCHOR_END: parse

fn no_object(json: &str) -> String {
    let kind = kind_of(json);
    let hint = match kind {
        "an array" => " (batches are not part of MCP; send each message alone)",
        _ => "",
    };
    format!("expected one JSON object, got {kind}{hint}")
}
