//! The bytes that have come and are not taken yet.

use std::ops::Deref;

/// From this length on a frame is handed out without a copy.
const LARGE: usize = 64 * 1024;

/// Grows at one end and is taken from at the other.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// What stands before this is taken. It goes when it outweighs the rest, so that
    /// no byte is moved often.
    start: usize,
}

impl Buffer {
    // ANCHOR: feed
    /// Adds a chunk. `wanted`: how long the buffer will have to be, if that is known.
    ///
    /// It grows by half, not to the double: while the bytes move to a larger block, the
    /// old one is still there, and both together stay below three times the message.
    pub fn feed(&mut self, chunk: &[u8], wanted: Option<usize>) {
        if self.start > 0 && (wanted.is_some() || self.start >= self.len()) {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        let length = self.bytes.len();
        if self.bytes.capacity() - length < chunk.len() {
            let generous = (length + length / 2).min(wanted.unwrap_or(usize::MAX));
            let capacity = generous.max(length + chunk.len());
            self.bytes.reserve_exact(capacity - length);
        }
        self.bytes.extend_from_slice(chunk);
    }
    // ANCHOR_END: feed

    /// Takes the first `count` bytes, which must be there.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        if count >= LARGE.max(self.len() / 2) {
            self.bytes.drain(..self.start);
            self.start = 0;
            let rest = self.bytes.split_off(count);
            return std::mem::replace(&mut self.bytes, rest);
        }
        let taken = self[..count].to_vec();
        self.start += count;
        taken
    }

    /// Drops the first `count` bytes, which must be there.
    pub fn skip(&mut self, count: usize) {
        self.start += count;
    }

    /// Takes everything and gives its memory away.
    pub fn take_all(&mut self) -> Vec<u8> {
        let all = self.take(self.len());
        *self = Self::default();
        all
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}
