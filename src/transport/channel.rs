//! The two channels of a transport, seen from both sides.

use super::{
    Tap, Tapped,
    queue::{Consumer, Producer, QueueClosed, Queued, queue},
};
use crate::{frame::FrameError, transcript::Direction};
use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, OnceLock},
    task::Poll,
};
use tokio::sync::oneshot;

/// Nothing more can be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Closed {
    /// The peer no longer reads, or this side was closed.
    #[error("the connection is closed")]
    Gone,
    /// A write failed for another reason, such as a full disk.
    #[error("cannot write: {0}")]
    Failed(String),
}

/// Sends bodies to the peer. Clones send over the same connection.
#[derive(Clone)]
pub struct Sender {
    queue: Producer<Outbound>,
    /// Why writing failed, unless the peer is simply gone.
    failure: Arc<OnceLock<String>>,
}

/// The bodies that a task has to write.
pub struct Outgoing {
    queue: Consumer<Outbound>,
    failure: Arc<OnceLock<String>>,
    tap: Tap,
}

/// One body to be written.
pub struct Outbound {
    /// `None` only marks a position in the queue, for [`Sender::flush`].
    body: Option<Vec<u8>>,
    written: Option<oneshot::Sender<()>>,
}

pub(super) fn outgoing(tap: Tap) -> (Sender, Outgoing) {
    let (producer, consumer) = queue();
    let failure = Arc::new(OnceLock::new());
    let sender = Sender { queue: producer, failure: failure.clone() };
    (sender, Outgoing { queue: consumer, failure, tap })
}

impl Sender {
    // ANCHOR: send-and-flush
    /// Returns when the body is written and the tap has observed it. A caller that
    /// stops waiting does not stop the write.
    pub async fn send_and_flush(&self, body: Vec<u8>) -> Result<(), Closed> {
        let (written, wait) = oneshot::channel();
        let bytes = body.len();
        let outbound = Outbound { body: Some(body), written: Some(written) };
        self.queue.put(outbound, bytes).await.map_err(|_| self.closed())?;
        wait.await.map_err(|_| self.closed())
    }
    // ANCHOR_END: send-and-flush

    // ANCHOR: send
    /// Returns when the queue has room for the body, which is written in its turn.
    pub async fn send(&self, body: Vec<u8>) -> Result<(), Closed> {
        let bytes = body.len();
        let outbound = Outbound { body: Some(body), written: None };
        self.queue.put(outbound, bytes).await.map_err(|_| self.closed())
    }
    // ANCHOR_END: send

    /// For the few small messages that must not wait: never blocks, takes no room.
    pub fn try_send(&self, body: Vec<u8>) -> Result<(), Closed> {
        let outbound = Outbound { body: Some(body), written: None };
        self.queue.try_put(outbound).map_err(|_| self.closed())
    }

    /// Ends the sending side once what is queued is written: the peer then sees the end
    /// of its input. For all clones.
    pub fn close(&self) {
        self.queue.close();
    }

    /// Returns when everything queued before is written.
    pub async fn flush(&self) -> Result<(), Closed> {
        let (written, wait) = oneshot::channel();
        let mark = Outbound { body: None, written: Some(written) };
        self.queue.try_put(mark).map_err(|_| self.closed())?;
        wait.await.map_err(|_| self.closed())
    }

    fn closed(&self) -> Closed {
        self.failure.get().cloned().map_or(Closed::Gone, Closed::Failed)
    }
}

impl Outgoing {
    /// Waits for bodies and moves all that are queued, up to 64, into `batch`. Returns
    /// how many; 0 means that the sending side is closed.
    pub(super) async fn take(&mut self, batch: &mut Vec<Queued<Outbound>>) -> usize {
        self.queue.recv_many(batch, 64).await
    }

    /// Waits for one body; `None` means that the sending side is closed. The body
    /// counts as written when [`Outgoing::written`] is called.
    pub async fn next(&mut self) -> Option<Outbound> {
        self.queue.recv().await.map(|queued| queued.item)
    }

    /// The tap observes the body, and the caller that waits for it continues.
    pub fn written(&self, outbound: Outbound) {
        if let Some(body) = &outbound.body {
            (self.tap)(Tapped::Frame(Direction::Send, body));
        }
        if let Some(written) = outbound.written {
            let _ = written.send(()); // the caller may have stopped waiting
        }
    }

    /// Records why writing failed, for the callers that wait.
    pub fn failed(&self, reason: String) {
        self.failure.get_or_init(|| reason);
    }
}

impl Outbound {
    /// `None` for a mark that only [`Outgoing::written`] needs.
    pub fn body(&self) -> Option<&[u8]> {
        self.body.as_deref()
    }
}

type Frame = Result<Vec<u8>, FrameError>;

/// Receives bodies from the peer.
pub struct Receiver {
    queue: Consumer<Frame>,
    /// Reads the stream while a caller waits: faster than a task that has to be woken.
    feed: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    tap: Tap,
}

/// Where received bodies are put.
pub struct Incoming {
    queue: Producer<Frame>,
}

pub(super) fn incoming(tap: Tap) -> (Incoming, Receiver) {
    let (producer, consumer) = queue();
    (Incoming { queue: producer }, Receiver { queue: consumer, feed: None, tap })
}

impl Receiver {
    // ANCHOR: receive
    /// The next body, or what was skipped before it (which the tap has observed
    /// already), or [`FrameError::WrongFraming`], after which nothing follows. `None`
    /// is the end of input; a stream that breaks ends like one that is closed.
    ///
    /// Cancel-safe: no body is lost if this future is dropped.
    pub async fn receive(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        let frame = poll_fn(|context| {
            loop {
                if let Poll::Ready(frame) = self.queue.poll_recv(context) {
                    return Poll::Ready(frame);
                }
                let Some(feed) = &mut self.feed else { return Poll::Pending };
                match feed.as_mut().poll(context) {
                    Poll::Ready(()) => self.feed = None,
                    Poll::Pending => return self.queue.poll_recv(context),
                }
            }
        });
        let frame = frame.await?.item;
        match &frame {
            Ok(body) => (self.tap)(Tapped::Frame(Direction::Receive, body)),
            Err(FrameError::WrongFraming { .. }) => {} // the caller reports it
            Err(error) => (self.tap)(Tapped::Note(error)),
        }
        Some(frame)
    }
    // ANCHOR_END: receive

    pub(super) fn fed_by(&mut self, feed: impl Future<Output = ()> + Send + 'static) {
        self.feed = Some(Box::pin(feed));
    }
}

impl Incoming {
    /// Hands over one body, or the report of skipped bytes; waits while the receiver
    /// has 64 MiB to read. Returns whether there is still a receiver.
    pub async fn put(&self, frame: Result<Vec<u8>, FrameError>) -> bool {
        let bytes = frame.as_ref().map_or(0, Vec::len);
        !matches!(self.queue.put(frame, bytes).await, Err(QueueClosed))
    }
}

/// Moves bodies from one transport to another.
pub(super) async fn forward(mut from: Outgoing, to: Incoming) {
    while let Some(outbound) = from.next().await {
        if let Some(body) = outbound.body() {
            if !to.put(Ok(body.to_vec())).await {
                return;
            }
        }
        from.written(outbound);
    }
}
