//! What a client's calls and its tasks share: the state, the table, the way out.

use super::{ClientError, Settings, malformed};
use crate::{
    jsonrpc::{Id, Message, Request, object},
    lifecycle::{Event, State},
    pending::Pending,
    process::{Exit, LAST_WORDS, Process},
    protocol::{ServerHello, method},
    transcript::excerpt,
    transport::{Closed, Sender, Tap, Tapped},
};
use serde_json::{Map, Value, json};
use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    sync::{Mutex as AsyncMutex, Notify, oneshot},
    time::timeout,
};

/// A year. The clock cannot count to the end of `Duration::MAX`.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(365 * 86400);

pub struct Connection {
    pub settings: Settings,
    pub tap: Tap,
    pub sender: Sender,
    life: Mutex<Life>,
    /// A request was entered whose deadline is the soonest of all.
    pub sooner: Notify,
    pub child: AsyncMutex<Child>,
}

/// The process behind the connection, if it is ours, and how it ended.
pub struct Child {
    pub process: Option<Process>,
    exit: Option<Exit>,
}

impl Child {
    pub async fn shut_down(&mut self, wait: Duration) {
        if let Some(process) = self.process.take() {
            self.exit = Some(process.shut_down(wait).await);
        }
    }
}

// ANCHOR: life
pub struct Life {
    state: State,
    pub pending: Pending<Waiter>,
    has_tools: bool,
    /// Why the connection is over.
    end: Option<String>,
}

/// The caller of one request.
pub struct Waiter {
    pub method: &'static str,
    pub answer: oneshot::Sender<Result<Value, ClientError>>,
}
// ANCHOR_END: life

impl Connection {
    pub fn new(
        sender: Sender,
        process: Option<Process>,
        settings: Settings,
        tap: Tap,
    ) -> Self {
        let pending = Pending::default();
        let life = Life { state: State::New, pending, has_tools: false, end: None };
        Self {
            settings,
            tap,
            sender,
            life: Mutex::new(life),
            sooner: Notify::new(),
            child: AsyncMutex::new(Child { process, exit: None }),
        }
    }

    pub fn state(&self) -> State {
        self.life().state
    }

    pub fn pending(&self) -> usize {
        self.life().pending.len()
    }

    pub fn has_tools(&self) -> bool {
        self.life().has_tools
    }

    /// Whether `event` may happen now; it does not.
    pub fn allows(&self, event: Event) -> Result<(), ClientError> {
        self.life().next(event).map(drop)
    }

    // ANCHOR: request
    /// Sends a request and waits for the object that is its result.
    pub async fn request(
        &self,
        event: Event,
        method: &'static str,
        params: Option<Map<String, Value>>,
    ) -> Result<Value, ClientError> {
        let (answer, mut wait) = oneshot::channel();
        let id = self.enter(event, Waiter { method, answer })?;
        let mut call = Call { connection: self, id: id.clone(), method, over: false };
        let body =
            Message::Request(Request { id, method: method.into(), params }).encode();
        let received = tokio::select! {
            biased;
            received = &mut wait => received,
            sent = self.sender.send(body) => match sent {
                Ok(()) => wait.await,
                // The reader learns why, and says it within two such times. If it says
                // nothing, the server lives and only reads no more.
                Err(closed) => match timeout(3 * LAST_WORDS, wait).await {
                    Ok(received) => received,
                    Err(_) => return Err(self.life().closed(not_read(closed))),
                },
            },
        };
        call.over = true;
        let gone = || ClientError::Closed("the client was dropped".into());
        let result = received.unwrap_or_else(|_| Err(gone()))?;
        if !result.is_object() {
            let reason = format!("a result must be an object, got {}", excerpt(result));
            return Err(malformed(method, reason));
        }
        Ok(result)
    }
    // ANCHOR_END: request

    // ANCHOR: enter
    fn enter(&self, event: Event, waiter: Waiter) -> Result<Id, ClientError> {
        let mut life = self.life();
        life.state = life.next(event)?;
        let deadline = Instant::now() + self.settings.timeout.min(LONGEST_TIMEOUT);
        let id = life.pending.open(deadline, waiter);
        if life.pending.next_deadline() == Some(deadline) {
            self.sooner.notify_one();
        }
        Ok(id)
    }
    // ANCHOR_END: enter

    // ANCHOR: notify
    /// Sends a notification; returns when it is written.
    pub async fn notify(&self, event: Event, method: &str) -> Result<(), ClientError> {
        {
            let mut life = self.life();
            life.state = life.next(event)?;
            // Queued under the lock: no request can overtake it.
            let body = Message::notification(method, None).encode();
            self.sender.post(body).map_err(|error| life.closed(error))?;
        }
        let after = self.settings.timeout;
        match timeout(after, self.sender.flush()).await {
            Ok(written) => written.map_err(|error| self.life().closed(error)),
            Err(_) => Err(ClientError::NotWritten { method: method.into(), after }),
        }
    }
    // ANCHOR_END: notify

    pub fn accept(&self, hello: &ServerHello) -> Result<(), ClientError> {
        let mut life = self.life();
        life.state = life.next(Event::InitializeAccepted)?;
        life.has_tools = hello.has_tools;
        Ok(())
    }

    pub fn initialize_failed(&self) {
        let mut life = self.life();
        if let Ok(state) = life.state.step(Event::InitializeFailed) {
            life.state = state;
        }
    }

    pub async fn close(&self) -> Option<Exit> {
        self.end("the client was closed");
        let mut child = self.child.lock().await;
        child.shut_down(self.settings.shutdown_wait).await;
        child.exit.clone()
    }

    // ANCHOR: end
    /// Over: all who wait are told why, nothing more is sent. The first reason stays.
    pub fn end(&self, reason: impl fmt::Display) {
        let waiters = {
            let mut life = self.life();
            life.state = life.state.step(Event::Close).unwrap_or(State::Closed);
            let reason = life.end.get_or_insert(reason.to_string()).clone();
            life.pending.drain().into_iter().map(move |waiter| (waiter, reason.clone()))
        };
        for (waiter, reason) in waiters {
            let _ = waiter.answer.send(Err(ClientError::Closed(reason)));
        }
        self.sender.close();
    }
    // ANCHOR_END: end

    // ANCHOR: expire
    pub fn expire(&self, now: Instant) {
        let expired = self.life().pending.expire(now);
        for (id, Waiter { method, answer }) in expired {
            self.cancel(&id, method, "the request timed out");
            let after = self.settings.timeout;
            let _ =
                answer.send(Err(ClientError::Timeout { method: method.into(), after }));
        }
    }
    // ANCHOR_END: expire

    // ANCHOR: cancel
    /// `initialize` is never cancelled (basic/utilities/cancellation).
    fn cancel(&self, id: &Id, method: &str, reason: &str) {
        if method != method::INITIALIZE {
            let params = object(json!({ "requestId": id, "reason": reason }));
            let body = Message::notification(method::CANCELLED, Some(params)).encode();
            let _ = self.sender.post(body); // a server that is gone needs no telling
        }
    }
    // ANCHOR_END: cancel

    pub fn life(&self) -> MutexGuard<'_, Life> {
        self.life.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn note(&self, text: fmt::Arguments<'_>) {
        (self.tap)(Tapped::Note(&text));
    }
}

impl Life {
    fn next(&self, event: Event) -> Result<State, ClientError> {
        self.state.step(event).map_err(|refused| match &self.end {
            Some(reason) => ClientError::Closed(reason.clone()),
            None => refused.into(),
        })
    }

    fn closed(&self, error: impl fmt::Display) -> ClientError {
        ClientError::Closed(self.end.clone().unwrap_or_else(|| error.to_string()))
    }
}

fn not_read(closed: Closed) -> String {
    match closed {
        Closed::Gone => "the server reads no more".into(),
        failed => failed.to_string(),
    }
}

// ANCHOR: call
/// A request under way. Dropped before it is over, it frees its entry and tells the
/// server.
struct Call<'a> {
    connection: &'a Connection,
    id: Id,
    method: &'static str,
    over: bool,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let entry = self.connection.life().pending.take(&self.id);
        if self.method == method::INITIALIZE {
            self.connection.initialize_failed();
        } else if entry.is_some() {
            self.connection.cancel(&self.id, self.method, "the caller gave up");
        }
    }
}
// ANCHOR_END: call
