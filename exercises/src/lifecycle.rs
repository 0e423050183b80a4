//! A client's life: new → initialized → ready → closed. Pure.
//!
//! A server may serve a call before the handshake, refuse it, or die of it (all three
//! were measured), so the client keeps the order itself.
//!
//! Stricter than MCP in one point: ping, too, waits until the state is ready.
//!
//! Source: MCP 2025-11-25, basic/lifecycle (Initialization, Shutdown).

#![allow(unused)]

use std::fmt;

/// How far a connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing was said yet.
    New,
    /// `initialize` is on its way. Prints as `new`, for nothing is agreed yet.
    Initializing,
    /// The server has answered `initialize` and does not know yet that we know.
    Initialized,
    /// `notifications/initialized` is sent: tools may be listed and called.
    Ready,
    /// Over, whoever ended it.
    Closed,
}

/// What a client does, or what comes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// `initialize` goes out.
    InitializeSent,
    /// It was answered in a revision that we speak.
    InitializeAccepted,
    /// It was refused, answered wrongly, timed out or given up.
    InitializeFailed,
    /// `notifications/initialized` goes out.
    InitializedSent,
    /// `tools/list` or `tools/call`.
    ToolRequest,
    Ping,
    Close,
}

/// The event does not fit the state. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{1} is not allowed in state `{0}`: {hint}", hint = hint(*.0))]
pub struct InvalidTransition(pub State, pub Event);

impl State {
    /// The state after `event`. The whole table is here.
    ///
    /// Refuses every other pair, and the refusal keeps both. While `initialize` is on
    /// its way there is no second one; after it has failed there may be. Closing is
    /// allowed in every state, twice too.
    pub fn step(self, event: Event) -> Result<State, InvalidTransition> {
        todo!("task 4.1: keep the order of a connection's life")
    }
}

fn hint(state: State) -> &'static str {
    match state {
        State::New => "call initialize first",
        State::Initializing => "initialize is on its way",
        State::Initialized => "send the initialized notification first",
        State::Ready => "the handshake is done",
        State::Closed => "the connection is over",
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
            Self::InitializeAccepted => "an answer to initialize",
            Self::InitializeFailed => "a failed initialize",
            Self::InitializedSent => "the initialized notification",
            Self::ToolRequest => "a tool request",
            Self::Ping => "ping",
            Self::Close => "closing",
        })
    }
}
