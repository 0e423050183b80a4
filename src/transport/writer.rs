//! The sending side of a transport.

use super::{Tap, Tapped};
use crate::{frame::Framing, transcript::Direction};
use std::{
    io::{self, ErrorKind},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};
use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot},
};

/// How many bytes may wait for a peer that does not read: 64 MiB. Whoever sends more
/// waits; a longer message goes when nothing else is waiting.
const MAX_QUEUED: usize = 64 * 1024 * 1024;

/// Nothing more can be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    /// The other side does not read any more, or this side was closed.
    #[error("the connection is closed")]
    Gone,
    /// A write failed for a reason of its own, such as a disk that is full.
    #[error("cannot write: {0}")]
    Failed(String),
}

/// Hands bodies to the one task that writes. Clones send over the same connection.
#[derive(Clone)]
pub struct Sender {
    queue: Arc<Mutex<Option<mpsc::UnboundedSender<Outgoing>>>>,
    room: Arc<Semaphore>,
    /// Why writing failed, if the peer is not simply gone.
    failure: Arc<OnceLock<String>>,
}

struct Outgoing {
    /// `None` only marks a place in the queue.
    body: Option<Vec<u8>>,
    written: Option<oneshot::Sender<()>>,
    /// Given back when the body was written.
    _room: Option<OwnedSemaphorePermit>,
}

type Stream = Box<dyn AsyncWrite + Send + Unpin>;

impl Sender {
    pub(super) fn start(
        mut to: Stream,
        framing: Arc<OnceLock<Framing>>,
        tap: Tap,
    ) -> Self {
        let (queue, waiting) = mpsc::unbounded_channel();
        let room = Arc::new(Semaphore::new(MAX_QUEUED));
        let failure = Arc::new(OnceLock::new());
        let told = failure.clone();
        tokio::spawn(async move {
            write_all(&mut to, &framing, &tap, waiting, &told).await;
            let _ = to.shutdown().await; // the peer may be gone already
        });
        Self { queue: Arc::new(Mutex::new(Some(queue))), room, failure }
    }

    /// Returns when the frame is written and the tap has heard it. A caller who stops
    /// waiting does not stop the frame.
    pub async fn send(&self, body: Vec<u8>) -> Result<(), Closed> {
        let (written, wait) = oneshot::channel();
        let room = self.room_for(&body).await?;
        self.put(Outgoing { body: Some(body), written: Some(written), _room: room })?;
        wait.await.map_err(|_| self.closed())
    }

    // ANCHOR: queue
    /// Returns as soon as there is room for it; it is written in its turn.
    pub async fn queue(&self, body: Vec<u8>) -> Result<(), Closed> {
        let room = self.room_for(&body).await?;
        self.put(Outgoing { body: Some(body), written: None, _room: room })
    }
    // ANCHOR_END: queue

    /// For the few small messages that must not wait: never blocks, asks for no room.
    pub fn post(&self, body: Vec<u8>) -> Result<(), Closed> {
        self.put(Outgoing { body: Some(body), written: None, _room: None })
    }

    /// Ends the sending side once what is queued is written: the peer then sees the end
    /// of its input. For all clones.
    pub fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Returns when everything queued before is written.
    pub async fn flush(&self) -> Result<(), Closed> {
        let (written, wait) = oneshot::channel();
        let mark = Outgoing { body: None, written: Some(written), _room: None };
        self.put(mark)?;
        wait.await.map_err(|_| self.closed())
    }

    async fn room_for(
        &self,
        body: &[u8],
    ) -> Result<Option<OwnedSemaphorePermit>, Closed> {
        let bytes = body.len().min(MAX_QUEUED) as u32;
        let room = self.room.clone().acquire_many_owned(bytes).await;
        room.map(Some).map_err(|_| self.closed())
    }

    fn put(&self, outgoing: Outgoing) -> Result<(), Closed> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = queue.as_ref().is_some_and(|queue| queue.send(outgoing).is_ok());
        if sent { Ok(()) } else { Err(self.closed()) }
    }

    fn closed(&self) -> Closed {
        self.failure.get().cloned().map_or(Closed::Gone, Closed::Failed)
    }
}

// ANCHOR: write-all
/// The one task that owns the stream. Whatever waits goes out in one write.
async fn write_all(
    to: &mut Stream,
    framing: &OnceLock<Framing>,
    tap: &Tap,
    mut waiting: mpsc::UnboundedReceiver<Outgoing>,
    failure: &OnceLock<String>,
) {
    let mut batch = Vec::new();
    let mut bytes = Vec::new();
    while waiting.recv_many(&mut batch, 64).await > 0 {
        let framing = framing.get().copied().unwrap_or(Framing::Newline);
        for body in batch.iter().filter_map(|outgoing| outgoing.body.as_ref()) {
            bytes.extend_from_slice(&framing.encode(body));
        }
        if let Err(error) = write(to, &bytes).await {
            // Before those who wait are dropped: they ask why.
            if !is_gone(&error) {
                failure.get_or_init(|| error.to_string());
            }
            return;
        }
        for outgoing in batch.drain(..) {
            if let Some(body) = &outgoing.body {
                tap(Tapped::Frame(Direction::Send, body));
            }
            if let Some(written) = outgoing.written {
                let _ = written.send(()); // the caller may have stopped waiting
            }
        }
        bytes.clear();
        bytes.shrink_to(64 * 1024); // or one long message would hold its memory
    }
}
// ANCHOR_END: write-all

async fn write(to: &mut Stream, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}

/// The peer has left, which the reading side reports.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}
