//! The two tasks of a client: one reads, one watches the deadlines.

use super::{ClientError, connection::Connection, malformed};
use crate::{
    frame::FrameError,
    jsonrpc::{self, ErrorObject, Malformed, Message, Request, Response, Shape},
    process::{LAST_WORDS, Status},
    protocol::method,
    transport::Receiver,
};
use serde_json::json;
use std::{future::pending, pin::pin, sync::Arc, time::Instant};
use tokio::time::{sleep, sleep_until};

// ANCHOR: read
/// Reads until the connection is over, and says why it is.
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
                sleep(LAST_WORDS).await;
            }
            None => pending().await,
        }
    });
    let wrong_framing = loop {
        tokio::select! {
            frame = receiver.receive() => match frame {
                Some(Ok(body)) => connection.take(&body).await,
                Some(Err(error @ FrameError::WrongFraming { .. })) => break Some(error),
                Some(Err(_)) => {} // the tap has heard it
                None => break None,
            },
            () = &mut dead => break None,
        }
    };
    match wrong_framing {
        Some(error) => connection.end(error),
        None => say_how_it_ended(&connection).await,
    }
}
// ANCHOR_END: read

// ANCHOR: how-it-ended
async fn say_how_it_ended(connection: &Connection) {
    // While the client closes the process, this lock is taken, and the reason known.
    let mut child = connection.child.try_lock();
    let Ok(Some(process)) = child.as_mut().map(|child| child.process.as_mut()) else {
        return connection.end("the other side closed the connection");
    };
    let exit = process.exit(LAST_WORDS).await;
    if exit.status.is_none() {
        return connection
            .end(format_args!("the server closed its stdout{}", exit.said()));
    }
    connection.end(exit);
    if let Ok(child) = &mut child {
        // What it left behind in its group ends now, while the group's number is its.
        child.shut_down(connection.settings.shutdown_wait).await;
    }
}
// ANCHOR_END: how-it-ended

// ANCHOR: watch-deadlines
/// Ends the requests whose time is up.
pub async fn watch_deadlines(connection: Arc<Connection>) {
    loop {
        let next = connection.life().pending.next_deadline();
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
    // ANCHOR: take-frame
    /// Takes one frame from the server.
    async fn take(&self, body: &[u8]) {
        match jsonrpc::parse(body) {
            Ok(Message::Response(response)) => self.answer(response),
            Ok(Message::Request(request)) => self.serve(request).await,
            Ok(Message::Notification(_)) => {} // the tap has shown it
            Err(malformed) => self.fail_one(malformed).await,
        }
    }
    // ANCHOR_END: take-frame

    // ANCHOR: answer
    fn answer(&self, Response { id, outcome }: Response) {
        let waiter = id.as_ref().and_then(|id| self.life().pending.take(id));
        match (waiter, id, outcome) {
            (Some(waiter), _, outcome) => {
                // The caller may have stopped waiting.
                let _ = waiter.answer.send(outcome.map_err(ClientError::Server));
            }
            (None, Some(id), _) => {
                let hint = match self.life().pending.meant_by(&id) {
                    Some(_) => " (the same with another type is waited for)",
                    None => "",
                };
                let text = "an answer that nobody waits for";
                self.note(format_args!("{text}, id {id}{hint}"));
            }
            (None, None, Err(error)) => {
                self.note(format_args!("the server could not read us: {error}"));
            }
            (None, None, Ok(_)) => self.note(format_args!("a result without an id")),
        }
    }
    // ANCHOR_END: answer

    // ANCHOR: serve
    /// The two directions count their ids separately: this id is the server's.
    async fn serve(&self, request: Request) {
        let outcome = match request.method.as_str() {
            method::PING => Ok(json!({})),
            other => Err(ErrorObject::method_not_found(other)),
        };
        self.reply(Response { id: Some(request.id), outcome }).await;
    }
    // ANCHOR_END: serve

    async fn reply(&self, response: Response) {
        // If the way out is closed, the reader will soon see the end as well.
        let _ = self.sender.queue(Message::Response(response).encode()).await;
    }

    // ANCHOR: fail-one
    /// Noise is never answered. If it shows whose answer it was, that call fails; if it
    /// was a request with an id, its sender waits and is told.
    async fn fail_one(&self, bad: Malformed) {
        if let (Shape::Request, Some(_), Some(reply)) =
            (bad.shape, &bad.id, bad.reply())
        {
            self.reply(reply).await;
        }
        let is_answer = bad.shape == Shape::Response;
        let id = bad.id.as_ref().filter(|_| is_answer);
        let waiter = id.and_then(|id| self.life().pending.take(id));
        match waiter {
            Some(waiter) => {
                let error = malformed(waiter.method, bad.reason);
                let _ = waiter.answer.send(Err(error));
            }
            None => self.note(format_args!("no message: {}", bad.reason)),
        }
    }
    // ANCHOR_END: fail-one
}
