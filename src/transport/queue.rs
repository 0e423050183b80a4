//! A queue that is bounded in bytes, not in messages: a message may be 128 MiB long.

use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// How many bytes may wait for a consumer that is slow: 64 MiB. A producer that has
/// more waits (backpressure); a longer message goes when nothing else is waiting.
const MAX_QUEUED: usize = 64 * 1024 * 1024;

/// The producer's end. Clones put into the same queue.
pub struct Producer<T> {
    queue: Arc<Mutex<Option<mpsc::UnboundedSender<Queued<T>>>>>,
    room: Arc<Semaphore>,
}

/// One item. Its room is free again when this is dropped.
pub struct Queued<T> {
    pub item: T,
    _room: Option<OwnedSemaphorePermit>,
}

pub type Consumer<T> = mpsc::UnboundedReceiver<Queued<T>>;

/// The queue is closed by its producer, or its consumer is gone.
pub struct QueueClosed;

pub fn queue<T>() -> (Producer<T>, Consumer<T>) {
    let (producer, consumer) = mpsc::unbounded_channel();
    let queue = Arc::new(Mutex::new(Some(producer)));
    (Producer { queue, room: Arc::new(Semaphore::new(MAX_QUEUED)) }, consumer)
}

impl<T> Clone for Producer<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), room: self.room.clone() }
    }
}

impl<T> Producer<T> {
    /// Waits until there is room for `bytes`, then puts the item into the queue.
    pub async fn put(&self, item: T, bytes: usize) -> Result<(), QueueClosed> {
        let bytes = bytes.min(MAX_QUEUED) as u32;
        let room = self.room.clone().acquire_many_owned(bytes).await;
        let room = room.map_err(|_| QueueClosed)?;
        self.push(Queued { item, _room: Some(room) })
    }

    /// Puts the item into the queue without asking for room.
    pub fn try_put(&self, item: T) -> Result<(), QueueClosed> {
        self.push(Queued { item, _room: None })
    }

    /// Ends the queue after the items that are in it; for all clones.
    pub fn close(&self) {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn push(&self, queued: Queued<T>) -> Result<(), QueueClosed> {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        match queue.as_ref().map(|queue| queue.send(queued)) {
            Some(Ok(())) => Ok(()),
            _ => Err(QueueClosed),
        }
    }
}
