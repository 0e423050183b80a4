//! One message from the client: a request that waits for its response, or a
//! notification.

use super::{
    ClientError, Closed,
    connection::{Connection, Waiter},
    malformed,
};
use crate::{
    jsonrpc::{Id, Message, Request},
    lifecycle::Event,
    process::EXIT_GRACE,
    protocol::method::INITIALIZE,
    transcript::excerpt,
    transport,
};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::{sync::oneshot, time::timeout};

/// A year: `Instant` cannot represent a deadline after `Duration::MAX`.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(365 * 86400);

impl Connection {
    // ANCHOR: request
    /// Sends the request that `build` makes for a new id, and waits for the object that
    /// is its result.
    pub async fn request(
        &self,
        event: Event,
        method: &'static str,
        build: impl FnOnce(Id) -> Request,
    ) -> Result<Value, ClientError> {
        let (response, mut wait) = oneshot::channel();
        let id = self.enter(event, Waiter { method, response })?;
        let mut guard =
            RequestGuard { connection: self, id: id.clone(), method, done: false };
        let body = Message::Request(build(id)).encode();
        let received = tokio::select! {
            biased;
            received = &mut wait => received,
            sent = self.sender.send_and_flush(body) => match sent {
                Ok(()) => wait.await,
                // The reading task finds the reason within 2 × EXIT_GRACE. If it does
                // not, the server is alive and only does not read.
                Err(closed) => match timeout(3 * EXIT_GRACE, wait).await {
                    Ok(received) => received,
                    Err(_) => return Err(self.locked().closed_or(not_read(closed))),
                },
            },
        };
        guard.done = true;
        let dropped = || Closed::because("the client was dropped");
        let result = received.map_err(|_| dropped())??;
        if !result.is_object() {
            let reason = format!("a result must be an object, got {}", excerpt(result));
            return Err(malformed(method, reason));
        }
        Ok(result)
    }
    // ANCHOR_END: request

    // ANCHOR: enter
    fn enter(&self, event: Event, waiter: Waiter) -> Result<Id, ClientError> {
        let mut state = self.locked();
        state.lifecycle = state.next(event)?;
        let deadline = Instant::now() + self.config.timeout.min(LONGEST_TIMEOUT);
        let id = state.pending.open(deadline, waiter);
        if state.pending.next_deadline() == Some(deadline) {
            self.sooner.notify_one();
        }
        Ok(id)
    }
    // ANCHOR_END: enter

    // ANCHOR: notify
    /// Sends a notification; returns when it is written.
    pub async fn notify(
        &self,
        event: Event,
        method: &str,
        message: &Message,
    ) -> Result<(), ClientError> {
        {
            let mut state = self.locked();
            state.lifecycle = state.next(event)?;
            // Queued under the lock, so that no request can overtake it.
            let queued = self.sender.try_send(message.encode());
            queued.map_err(|error| state.closed_or(error))?;
        }
        let after = self.config.timeout;
        match timeout(after, self.sender.flush()).await {
            Ok(written) => written.map_err(|error| self.locked().closed_or(error)),
            Err(_) => Err(ClientError::NotWritten { method: method.into(), after }),
        }
    }
    // ANCHOR_END: notify
}

fn not_read(closed: transport::Closed) -> String {
    match closed {
        transport::Closed::Gone => "the server no longer reads".into(),
        failed => failed.to_string(),
    }
}

// ANCHOR: request-guard
/// A request under way. If its caller drops it, it removes its entry from the table and
/// sends the cancellation.
struct RequestGuard<'a> {
    connection: &'a Connection,
    id: Id,
    method: &'static str,
    done: bool,
}

impl Drop for RequestGuard<'_> {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let entry = self.connection.locked().pending.take(&self.id);
        if self.method == INITIALIZE {
            self.connection.initialize_failed();
        } else if entry.is_some() {
            self.connection.cancel(&self.id, self.method, "the caller gave up");
        }
    }
}
// ANCHOR_END: request-guard
