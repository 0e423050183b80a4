//! What a client's calls and its tasks share: the state, the pending requests, the
//! sending side.

use super::{ClientConfig, ClientError, Closed};
use crate::{
    jsonrpc::Id,
    lifecycle::{Event, State},
    pending::Pending,
    process::{Exit, Process},
    protocol::{self, Capabilities, InitializeResult, method},
    transport::{Sender, Tap, Tapped},
};
use serde_json::Value;
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Instant,
};
use tokio::sync::{Mutex as AsyncMutex, Notify, oneshot};

pub struct Connection {
    pub config: ClientConfig,
    pub tap: Tap,
    pub sender: Sender,
    state: Mutex<ConnectionState>,
    /// A request was added whose deadline is the soonest of all.
    pub sooner: Notify,
    pub child: AsyncMutex<Child>,
}

/// The process behind the connection, if the client started one, and how it ended.
pub struct Child {
    pub process: Option<Process>,
    exit: Option<Exit>,
}

impl Child {
    pub async fn shut_down(&mut self, wait: std::time::Duration) {
        if let Some(process) = self.process.take() {
            self.exit = Some(process.shut_down(wait).await);
        }
    }
}

// ANCHOR: connection-state
pub struct ConnectionState {
    pub lifecycle: State,
    pub pending: Pending<Waiter>,
    capabilities: Capabilities,
    /// Why the connection is closed.
    closed: Option<Closed>,
}

/// The caller of one request.
pub struct Waiter {
    pub method: &'static str,
    pub response: oneshot::Sender<Result<Value, ClientError>>,
}
// ANCHOR_END: connection-state

impl Connection {
    pub fn new(
        sender: Sender,
        process: Option<Process>,
        config: ClientConfig,
        tap: Tap,
    ) -> Self {
        let state = ConnectionState {
            lifecycle: State::New,
            pending: Pending::default(),
            capabilities: Capabilities::default(),
            closed: None,
        };
        Self {
            config,
            tap,
            sender,
            state: Mutex::new(state),
            sooner: Notify::new(),
            child: AsyncMutex::new(Child { process, exit: None }),
        }
    }

    pub fn state(&self) -> State {
        self.locked().lifecycle
    }

    pub fn is_closed(&self) -> bool {
        self.state() == State::Closed
    }

    pub fn pending(&self) -> usize {
        self.locked().pending.len()
    }

    pub fn capabilities(&self) -> Capabilities {
        self.locked().capabilities
    }

    /// Whether `event` is allowed now; the state does not change.
    pub fn allows(&self, event: Event) -> Result<(), ClientError> {
        self.locked().next(event).map(drop)
    }

    pub fn accept(&self, result: &InitializeResult) -> Result<(), ClientError> {
        let mut state = self.locked();
        state.lifecycle = state.next(Event::InitializeAccepted)?;
        state.capabilities = result.capabilities;
        Ok(())
    }

    pub fn initialize_failed(&self) {
        let mut state = self.locked();
        if let Ok(next) = state.lifecycle.step(Event::InitializeFailed) {
            state.lifecycle = next;
        }
    }

    pub async fn close(&self) -> Option<Exit> {
        self.end(Closed::because("the client was closed"));
        let mut child = self.child.lock().await;
        child.shut_down(self.config.shutdown_wait).await;
        child.exit.clone()
    }

    // ANCHOR: end
    /// Closes the connection: every pending request fails with the reason, and nothing
    /// more is sent. The first reason is kept.
    pub fn end(&self, reason: Closed) {
        let (waiters, reason) = {
            let mut state = self.locked();
            state.lifecycle =
                state.lifecycle.step(Event::Close).unwrap_or(State::Closed);
            let reason = state.closed.get_or_insert(reason).clone();
            (state.pending.drain(), reason)
        };
        for waiter in waiters {
            let _ = waiter.response.send(Err(reason.clone().into()));
        }
        self.sender.close();
    }
    // ANCHOR_END: end

    // ANCHOR: expire
    pub fn expire(&self, now: Instant) {
        let expired = self.locked().pending.expire(now);
        for (id, Waiter { method, response }) in expired {
            self.cancel(&id, method, "the request timed out");
            let after = self.config.timeout;
            let error = ClientError::Timeout { method: method.into(), after };
            let _ = response.send(Err(error)); // the caller may have stopped waiting
        }
    }
    // ANCHOR_END: expire

    // ANCHOR: cancel
    /// `initialize` is never cancelled (basic/utilities/cancellation).
    pub fn cancel(&self, id: &Id, method: &str, reason: &str) {
        if method != method::INITIALIZE {
            let body = protocol::cancelled(id, reason).encode();
            let _ = self.sender.try_send(body); // the server may be gone already
        }
    }
    // ANCHOR_END: cancel

    pub fn locked(&self) -> MutexGuard<'_, ConnectionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn note(&self, text: fmt::Arguments<'_>) {
        (self.tap)(Tapped::Note(&text));
    }
}

impl ConnectionState {
    /// The state after `event`, or why the event is refused.
    pub fn next(&self, event: Event) -> Result<State, ClientError> {
        self.lifecycle.step(event).map_err(|refused| match &self.closed {
            Some(reason) => reason.clone().into(),
            None => refused.into(),
        })
    }

    /// Why the connection is closed, or else `error`.
    pub fn closed_or(&self, error: impl fmt::Display) -> ClientError {
        self.closed.clone().unwrap_or_else(|| Closed::because(error)).into()
    }
}
