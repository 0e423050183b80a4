//! The bytes that have arrived and do not belong to a frame yet.

#![allow(unused)]

use std::{mem, ops::Deref};

/// A frame of at least this length is returned without a copy.
const LARGE: usize = 64 * 1024;

/// A queue of bytes. `bytes::BytesMut` doubles when it is full, which would take three
/// times the memory of a large message; this buffer takes less than twice.
#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// The bytes before this index are already taken. They are removed when there are
    /// more of them than of the others, so that no byte moves often.
    start: usize,
    /// How many bytes after `start` are known to contain no newline.
    searched: usize,
}

impl Buffer {
    /// Adds a chunk. `wanted`: the length that the buffer will need, if it is known.
    ///
    /// The capacity grows by half, not to the double: while the bytes move to a larger
    /// block, the old block still exists, and both together stay below three times the
    /// message.
    pub fn feed(&mut self, chunk: &[u8], wanted: Option<usize>) {
        if self.start > 0 && (wanted.is_some() || self.start >= self.len()) {
            self.remove_taken();
        }
        let length = self.bytes.len();
        if self.bytes.capacity() - length < chunk.len() {
            let generous = (length + length / 2).min(wanted.unwrap_or(usize::MAX));
            let capacity = generous.max(length + chunk.len());
            self.bytes.reserve_exact(capacity - length);
        }
        self.bytes.extend_from_slice(chunk);
    }

    /// Takes the bytes up to and including the next newline. `None` if no newline has
    /// arrived yet.
    ///
    /// The search starts at `searched`. Otherwise a line that arrives byte by byte
    /// would be searched from its start for every byte.
    pub fn take_line(&mut self) -> Option<Vec<u8>> {
        todo!("task 2.3: read lines")
    }

    /// Takes the first `count` bytes, which must be there.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        self.searched = 0;
        if count >= LARGE.max(self.len() / 2) {
            self.remove_taken();
            let rest = self.bytes.split_off(count);
            return mem::replace(&mut self.bytes, rest);
        }
        let taken = self[..count].to_vec();
        self.start += count;
        taken
    }

    /// Drops the first `count` bytes, which must be there.
    pub fn skip(&mut self, count: usize) {
        if count == self.len() {
            *self = Self::default(); // frees the memory
        } else {
            self.start += count;
            self.searched = self.searched.saturating_sub(count);
        }
    }

    fn remove_taken(&mut self) {
        self.bytes.drain(..self.start);
        self.start = 0;
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}
