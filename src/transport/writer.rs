//! The sending side of a transport.

use super::{Event, Tap};
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
pub const MAX_QUEUED: usize = 64 * 1024 * 1024;

/// The other side does not read any more, or this side was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the connection is closed")]
pub struct Closed;

/// Hands bodies to the one task that writes. Clones send over the same connection.
#[derive(Clone)]
pub struct Sender {
    queue: Arc<Mutex<Option<mpsc::UnboundedSender<Outgoing>>>>,
    room: Arc<Semaphore>,
}

struct Outgoing {
    body: Vec<u8>,
    written: Option<oneshot::Sender<()>>,
    /// Given back when the body was written.
    _room: Option<OwnedSemaphorePermit>,
}

type Stream = Box<dyn AsyncWrite + Send + Unpin>;

impl Sender {
    pub(super) fn start(to: Stream, framing: Arc<OnceLock<Framing>>, tap: Tap) -> Self {
        let (queue, waiting) = mpsc::unbounded_channel();
        let room = Arc::new(Semaphore::new(MAX_QUEUED));
        tokio::spawn(write_all(to, framing, tap, waiting, room.clone()));
        Self { queue: Arc::new(Mutex::new(Some(queue))), room }
    }

    /// Returns when the frame is written and the tap has heard it. A caller who stops
    /// waiting does not stop the frame.
    pub async fn send(&self, body: Vec<u8>) -> Result<(), Closed> {
        let (written, wait) = oneshot::channel();
        let room = self.room_for(&body).await?;
        self.put(Outgoing { body, written: Some(written), _room: room })?;
        wait.await.map_err(|_| Closed)
    }

    /// Returns as soon as there is room for it; it is written in its turn.
    pub async fn queue(&self, body: Vec<u8>) -> Result<(), Closed> {
        let room = self.room_for(&body).await?;
        self.put(Outgoing { body, written: None, _room: room })
    }

    /// For the few small messages that must not wait: never blocks, asks for no room.
    pub fn post(&self, body: Vec<u8>) -> Result<(), Closed> {
        self.put(Outgoing { body, written: None, _room: None })
    }

    /// Ends the sending side once what is queued is written: the peer then sees the end
    /// of its input. For all clones.
    pub fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Returns when everything queued before is written.
    pub async fn flush(&self) {
        let (written, wait) = oneshot::channel();
        let mark = Outgoing { body: Vec::new(), written: Some(written), _room: None };
        if self.put(mark).is_ok() {
            let _ = wait.await; // closed meanwhile: there is nothing left to wait for
        }
    }

    async fn room_for(
        &self,
        body: &[u8],
    ) -> Result<Option<OwnedSemaphorePermit>, Closed> {
        let bytes = body.len().min(MAX_QUEUED) as u32;
        let room = self.room.clone().acquire_many_owned(bytes).await;
        room.map(Some).map_err(|_| Closed)
    }

    fn put(&self, outgoing: Outgoing) -> Result<(), Closed> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.as_ref().ok_or(Closed)?.send(outgoing).map_err(|_| Closed)
    }
}

/// The one task that owns the stream. Whatever waits goes out in one write.
async fn write_all(
    mut to: Stream,
    framing: Arc<OnceLock<Framing>>,
    tap: Tap,
    mut waiting: mpsc::UnboundedReceiver<Outgoing>,
    room: Arc<Semaphore>,
) {
    let mut batch = Vec::new();
    let mut bytes = Vec::new();
    while waiting.recv_many(&mut batch, 64).await > 0 {
        let framing = framing.get().copied().unwrap_or(Framing::Newline);
        for outgoing in batch.iter().filter(|outgoing| !outgoing.body.is_empty()) {
            bytes.extend_from_slice(&framing.encode(&outgoing.body));
        }
        if let Err(error) = write(&mut to, &bytes).await {
            if !is_gone(&error) {
                tap(Event::Note(&format_args!("writing failed: {error}")));
            }
            break;
        }
        for outgoing in batch.drain(..) {
            if !outgoing.body.is_empty() {
                tap(Event::Frame(Direction::Send, &outgoing.body));
            }
            if let Some(written) = outgoing.written {
                let _ = written.send(()); // the caller may have stopped waiting
            }
        }
        bytes.clear();
        bytes.shrink_to(64 * 1024); // or one long message would hold its memory
    }
    room.close();
    let _ = to.shutdown().await; // the peer is gone or sees the end of its input
}

async fn write(to: &mut Stream, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}

/// The peer has left, which the reading side reports. All else, such as a disk that is
/// full, nobody would hear of.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}
