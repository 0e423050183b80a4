//! Another way: first the whole text is checked, then it is looked into.

use super::{
    ErrorObject, INVALID_REQUEST, Id, Message, PARSE_ERROR, Response,
    members::{scan, understand},
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
    pub kind: MessageKind,
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
        match self {
            Self { kind: MessageKind::Notification | MessageKind::Response, .. } => None,
            Self { code, reason, id, .. } => {
                let error = ErrorObject::new(*code, reason.clone());
                Some(Response { id: id.clone(), result: Err(error) })
            }
        }
    }
}

/// Reads one frame's body.
pub fn parse(body: &[u8]) -> Result<Message, ParseError> {
    let refuse = |code, reason: String| {
        Err(ParseError { code, reason, id: None, kind: MessageKind::Unknown })
    };
    let Ok(text) = std::str::from_utf8(body) else {
        return refuse(PARSE_ERROR, "no UTF-8".into());
    };
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        return refuse(PARSE_ERROR, error.to_string());
    }
    match scan(text) {
        Some(members) => understand(&members),
        None => refuse(INVALID_REQUEST, "no object".into()),
    }
}
