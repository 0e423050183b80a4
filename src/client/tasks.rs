//! The two tasks of a client: one reads, one watches the deadlines.

use super::{ClientError, Closed, connection::Connection, malformed};
use crate::{
    frame::FrameError,
    jsonrpc::{
        self, ErrorObject, INTERNAL_ERROR, Message, MessageKind, ParseError, Request,
        Response,
    },
    process::{EXIT_GRACE, Status},
    protocol::method,
    tool::catch_panic,
    transport::Receiver,
};
use serde_json::json;
use std::{
    future::{pending, ready},
    pin::pin,
    sync::Arc,
    time::Instant,
};
use tokio::{
    task::JoinSet,
    time::{sleep, sleep_until},
};

/// How many of the server's requests are handled at a time. More are refused.
const MAX_HANDLERS: usize = 64;
/// How many frames are read after the server's death, at most.
const MAX_LAST_FRAMES: usize = 10_000;

// ANCHOR: read
/// Reads until the connection is closed, and reports why.
pub async fn read(
    connection: Arc<Connection>,
    mut receiver: Receiver,
    status: Option<Status>,
) {
    // A grandchild may hold the server's stdout open after its death.
    let mut dead = pin!(async {
        match status {
            Some(mut status) => {
                status.wait().await;
                sleep(EXIT_GRACE).await;
            }
            None => pending().await,
        }
    });
    // Dropped with this task, so that no handler keeps a dropped client alive.
    let mut handlers = JoinSet::new();
    let wrong_framing = loop {
        tokio::select! {
            frame = receiver.receive() => match frame {
                Some(Ok(body)) => {
                    while handlers.try_join_next().is_some() {}
                    connection.handle_frame(&body, &mut handlers).await;
                }
                Some(Err(error @ FrameError::WrongFraming { .. })) => break Some(error),
                Some(Err(_)) => {} // the tap has observed it
                None => break None,
            },
            () = &mut dead => {
                // What has arrived before the server's death still counts.
                for _ in 0..MAX_LAST_FRAMES {
                    let Some(Ok(body)) = arrived(&mut receiver).await else { break };
                    connection.handle_frame(&body, &mut handlers).await;
                }
                break None;
            }
        }
    };
    match wrong_framing {
        Some(error) => connection.end(Closed::because(error)),
        None => report_exit(&connection).await,
    }
}
// ANCHOR_END: read

/// The next frame, if it is there already.
async fn arrived(receiver: &mut Receiver) -> Option<Result<Vec<u8>, FrameError>> {
    tokio::select! {
        biased;
        frame = receiver.receive() => frame,
        () = ready(()) => None,
    }
}

// ANCHOR: report-exit
async fn report_exit(connection: &Connection) {
    // While the client closes the process, this lock is held and the reason is known.
    let mut child = connection.child.try_lock();
    let Ok(Some(process)) = child.as_mut().map(|child| child.process.as_mut()) else {
        return connection.end(Closed::because("the peer closed the connection"));
    };
    let exit = process.exit(EXIT_GRACE).await;
    if exit.status.is_none() {
        let text = exit.stderr_text();
        let reason = format_args!("the server closed its stdout{text}");
        return connection.end(Closed::because(reason));
    }
    connection.end(Closed::exited(exit));
    if let Ok(child) = &mut child {
        // What the server left in its group ends now, before the number is reused.
        child.shut_down(connection.config.shutdown_wait).await;
    }
}
// ANCHOR_END: report-exit

// ANCHOR: watch-deadlines
/// Fails the requests whose deadline has passed.
pub async fn watch_deadlines(connection: Arc<Connection>) {
    loop {
        let next = connection.locked().pending.next_deadline();
        let due = async {
            match next {
                Some(deadline) => sleep_until(deadline.into()).await,
                None => pending().await,
            }
        };
        tokio::select! {
            () = due => connection.expire(Instant::now()),
            () = connection.sooner.notified() => {}
        }
    }
}
// ANCHOR_END: watch-deadlines

impl Connection {
    // ANCHOR: handle-frame
    async fn handle_frame(self: &Arc<Self>, body: &[u8], handlers: &mut JoinSet<()>) {
        match jsonrpc::parse(body) {
            Ok(Message::Response(response)) => self.handle_response(response),
            // The client is closed: the server's own messages come too late.
            Ok(Message::Request(_) | Message::Notification(_)) if self.is_closed() => {}
            Ok(Message::Request(request)) => {
                self.handle_request(request, handlers).await;
            }
            Ok(Message::Notification(notification)) => {
                let handler = async { self.config.handler.notification(notification) };
                if catch_panic(handler).await.is_none() {
                    self.note(format_args!("the handler of a notification panicked"));
                }
            }
            Err(error) => self.handle_malformed(error).await,
        }
    }
    // ANCHOR_END: handle-frame

    // ANCHOR: handle-response
    fn handle_response(&self, Response { id, result }: Response) {
        let waiter = id.as_ref().and_then(|id| self.locked().pending.take(id));
        match (waiter, id, result) {
            (Some(waiter), _, result) => {
                // The caller may have stopped waiting.
                let _ = waiter.response.send(result.map_err(ClientError::Rpc));
            }
            (None, Some(id), _) => {
                let hint = match self.locked().pending.numeric_equivalent(&id) {
                    Some(number) => format!(" (pending: {number}, a number)"),
                    None => String::new(),
                };
                self.note(format_args!("response to unknown request id {id}{hint}"));
            }
            (None, None, Err(error)) => {
                self.note(format_args!("the server could not read a message: {error}"));
            }
            (None, None, Ok(_)) => self.note(format_args!("a result without an id")),
        }
    }
    // ANCHOR_END: handle-response

    // ANCHOR: handle-request
    /// The two directions count their ids separately: this id is the server's.
    async fn handle_request(
        self: &Arc<Self>,
        request: Request,
        handlers: &mut JoinSet<()>,
    ) {
        if request.method == method::PING {
            return self.reply(Response::result(request.id, json!({}))).await;
        }
        if handlers.len() >= MAX_HANDLERS {
            let reason = "too many requests at a time";
            let error = ErrorObject::new(INTERNAL_ERROR, reason);
            return self.reply(Response::error(Some(request.id), error)).await;
        }
        let connection = self.clone();
        handlers.spawn(async move {
            let id = Some(request.id.clone());
            let handler = async { connection.config.handler.request(request).await };
            let panicked =
                || Err(ErrorObject::new(INTERNAL_ERROR, "the handler panicked"));
            let result = catch_panic(handler).await.unwrap_or_else(panicked);
            connection.reply(Response { id, result }).await;
        });
    }
    // ANCHOR_END: handle-request

    async fn reply(&self, response: Response) {
        // If the connection is closed, the reading task will notice.
        let _ = self.sender.send(Message::Response(response).encode()).await;
    }

    // ANCHOR: handle-malformed
    /// Noise gets no response. A malformed response fails the call with its id; a
    /// malformed request with an id gets an error response, because its sender waits.
    async fn handle_malformed(&self, error: ParseError) {
        if let (MessageKind::Request, Some(_), Some(reply)) =
            (error.kind, &error.id, error.reply())
        {
            self.reply(reply).await;
        }
        let is_response = error.kind == MessageKind::Response;
        let id = error.id.as_ref().filter(|_| is_response);
        let waiter = id.and_then(|id| self.locked().pending.take(id));
        match waiter {
            Some(waiter) => {
                let error = malformed(waiter.method, error.reason);
                let _ = waiter.response.send(Err(error));
            }
            None => self.note(format_args!("not a message: {}", error.reason)),
        }
    }
    // ANCHOR_END: handle-malformed
}
