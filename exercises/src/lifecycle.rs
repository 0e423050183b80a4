//! The life cycle of a client: new → initialized → ready → closed. Pure.
//!
//! A server may serve a call before the handshake, refuse it, or crash (all three were
//! measured), so the client keeps the order itself.
//!
//! Stricter than MCP in one point: ping is also refused before the state is ready.
//!
//! Source: MCP 2025-11-25, basic/lifecycle (Initialization, Shutdown).

#![allow(unused)]

use std::fmt;

/// The state of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was sent yet.
    New,
    /// `initialize` is under way. Prints as `new`: nothing is negotiated yet.
    Initializing,
    /// The response to `initialize` was received, and `initialized` is not sent yet.
    Initialized,
    /// `notifications/initialized` is sent: tools may be listed and called.
    Ready,
    /// Closed by either side.
    Closed,
}

/// What a client does, or the result of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// `initialize` is sent.
    InitializeSent,
    /// The server accepted it in a revision that the client supports.
    InitializeAccepted,
    /// It got an error or a malformed response, timed out, or its caller left.
    InitializeFailed,
    /// `notifications/initialized` is sent.
    InitializedSent,
    /// Any other request is sent: `tools/list`, `tools/call`, `ping`.
    Request,
    /// The client closes the connection, or finds it closed.
    Close,
}

/// The event is not allowed in the state. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{event} is not allowed in state `{state}`: {hint}", hint = hint(*.state))]
pub struct InvalidTransition {
    /// The state, which does not change.
    pub state: State,
    /// The refused event.
    pub event: Event,
}

impl State {
    /// The state after `event`: the whole table.
    ///
    /// Error: every other pair. While `initialize` is under way a second one is
    /// refused; after a failed one it is allowed. Closing is allowed in every state,
    /// also twice.
    pub fn step(self, event: Event) -> Result<State, InvalidTransition> {
        todo!("task 4.1: keep the order of a connection's states")
    }
}

fn hint(state: State) -> &'static str {
    match state {
        State::New => "call initialize first",
        State::Initializing => "initialize is under way",
        State::Initialized => "send the initialized notification first",
        State::Ready => "the handshake is done",
        State::Closed => "the connection is closed",
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::New | Self::Initializing => "new",
            Self::Initialized => "initialized",
            Self::Ready => "ready",
            Self::Closed => "closed",
        })
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InitializeSent => "initialize",
            Self::InitializeAccepted => "a response to initialize",
            Self::InitializeFailed => "a failed initialize",
            Self::InitializedSent => "the initialized notification",
            Self::Request => "a request",
            Self::Close => "closing",
        })
    }
}
