//! Newline framing: a frame is a line.
//!
//! Only `\n` ends a line (U+2028 and a lone `\r` do not). A `\r` before it, a byte
//! order mark and blank lines are passed over without a word: real peers send them.

#![allow(unused)]

use super::{BOM, Dropped, FrameError, FrameReader, Framing, text_start};

/// What may stand around the longest body: a byte order mark before it, `\r\n` after.
const AROUND: usize = BOM.len() + b"\r\n".len();

impl FrameReader {
    /// The next body, or what is wrong with a line; `None` if no whole line is there.
    ///
    /// Blank lines are passed over. So is the end of a line that was told when it grew
    /// too long, of which `dropped` is a sign. While no newline comes,
    /// [`Self::drop_endless_line`] keeps what is longer than any line may be (the
    /// longest body and what may stand around it) from filling the memory.
    pub(super) fn next_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.3: read lines")
    }

    /// What one line holds: its body, or [`Self::line_too_long`] for a body above the
    /// limit, or [`Self::wrong_framing`] for a header where the first message is
    /// expected; `None` for a blank line.
    ///
    /// Log lines may come first. A line that begins with `{` is a message: it settles
    /// the question, and from then on a line like a header is a body.
    fn read_line(&mut self, line: Vec<u8>) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.3: read lines")
    }

    /// What the input's end leaves: the last line needs no newline, for what it holds
    /// was said.
    pub(super) fn finish_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.3: read lines")
    }

    /// Drops what has come of a line without end, and leaves in `dropped` that it did.
    /// Returns [`Self::line_too_long`] the first time and `None` for each further part.
    fn drop_endless_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.8: keep what never ends from filling the memory")
    }

    fn line_too_long(&self) -> FrameError {
        FrameError::TooLong { what: "a line", limit: self.max }
    }
}

/// A line without its end (`\n`, `\r\n`, or none) and without a byte order mark at its
/// beginning; `None` if only blanks are left. Nothing else is taken away.
fn body_of(mut line: Vec<u8>) -> Option<Vec<u8>> {
    todo!("task 2.3: read lines")
}
