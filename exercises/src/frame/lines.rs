//! Newline framing: each line is a frame.
//!
//! Only `\n` ends a line; U+2028 and a lone `\r` do not. A `\r` before the `\n`, a byte
//! order mark and empty lines are ignored: real peers send them.

#![allow(unused)]

use super::{BOM, FrameError, FrameReader, Framing, text_start};

/// What may surround the longest body: a byte order mark before it, `\r\n` after it.
const AROUND: usize = BOM.len() + b"\r\n".len();

impl FrameReader {
    /// The next body, or the error for a line; `None` if no complete line is there.
    ///
    /// Empty lines are ignored. While no newline arrives, [`Self::skip_line_start`]
    /// drops what is longer than any line may be (the longest body and what may
    /// surround it), and then every later part of that line. The end of that line,
    /// for which `skipped` is still set, is ignored as well.
    pub(super) fn next_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.3: read lines")
    }

    /// The content of one line: its body, [`Self::line_too_long`] for a body above the
    /// limit, or `None` for an empty line. A header in place of the first message ends
    /// the stream, see [`Self::close`].
    ///
    /// Log lines may come before the first message. A line that starts with `{` is a
    /// message and confirms the framing: after it, a line like a header is a body.
    fn read_line(&mut self, line: Vec<u8>) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.3: read lines")
    }

    /// What remains at the end of the input: the last line needs no newline.
    pub(super) fn finish_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        todo!("task 2.3: read lines")
    }

    fn line_too_long(&self) -> FrameError {
        FrameError::TooLong { what: "a line", limit: self.max }
    }
}

/// A line without its end (`\n`, `\r\n`, or none) and without a byte order mark at its
/// start; `None` if only whitespace remains. Nothing else is removed.
fn line_body(mut line: Vec<u8>) -> Option<Vec<u8>> {
    todo!("task 2.3: read lines")
}
