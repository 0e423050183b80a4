//! Why an operation of a client has no result.

use crate::{
    jsonrpc::ErrorObject, lifecycle::InvalidTransition, process::Exit,
    protocol::VERSIONS,
};
use std::{fmt, io, time::Duration};

/// Why an operation has no result. A tool that failed has one: a
/// [`ToolResult`](crate::tool::ToolResult).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The server's program cannot be started.
    #[error("cannot start `{program}`")]
    Spawn {
        /// As the caller named it.
        program: String,
        /// Why not.
        #[source]
        error: io::Error,
    },
    /// The wrong moment; nothing was sent.
    #[error(transparent)]
    InvalidTransition(#[from] InvalidTransition),
    /// No response in time. Whether the server did what was requested is unknown.
    #[error("no response to `{method}` within {} s", after.as_secs_f64())]
    Timeout {
        /// The request's method.
        method: String,
        /// The limit.
        after: Duration,
    },
    /// A notification is not written, because the server does not read.
    #[error("cannot write `{method}`: not read within {} s", after.as_secs_f64())]
    NotWritten {
        /// The notification's method.
        method: String,
        /// The limit.
        after: Duration,
    },
    /// A JSON-RPC error, as the server sent it.
    #[error("the server responded with {0}")]
    Rpc(ErrorObject),
    /// The response does not fit the request.
    #[error("malformed response to `{method}`: {reason}")]
    Malformed {
        /// The request's method.
        method: String,
        /// What was expected and what was received.
        reason: String,
    },
    /// The server chose a revision that the client does not support.
    #[error(
        "no common protocol version: the client offered {offered} and supports {}, \
         the server responded with {chosen}", VERSIONS.join(", ")
    )]
    Version {
        /// The client's offer.
        offered: String,
        /// The server's choice.
        chosen: String,
    },
    /// The client does not ask for what the server did not declare.
    #[error("the server declares no `{0}` capability")]
    NotOffered(&'static str),
    /// The connection is closed.
    #[error(transparent)]
    Closed(#[from] Closed),
}

/// Why a connection is closed.
#[derive(Clone, Debug, thiserror::Error)]
pub struct Closed {
    /// How the server's process ended, if that is the reason.
    pub exit: Option<Exit>,
    /// For a person.
    pub reason: String,
}

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl Closed {
    /// Closed for this reason.
    pub fn because(reason: impl fmt::Display) -> Self {
        Self { exit: None, reason: reason.to_string() }
    }

    pub(super) fn exited(exit: Exit) -> Self {
        Self { reason: exit.to_string(), exit: Some(exit) }
    }
}
