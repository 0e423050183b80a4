//! Newline framing: each line is a frame.
//!
//! Only `\n` ends a line; U+2028 and a lone `\r` do not. A `\r` before the `\n`, a byte
//! order mark and empty lines are ignored: real peers send them.

use super::{BOM, FrameError, FrameReader, Framing, text_start};

/// What may surround the longest body: a byte order mark before it, `\r\n` after it.
const AROUND: usize = BOM.len() + b"\r\n".len();

impl FrameReader {
    // ANCHOR: next-line
    /// The next body, or the error for a line; `None` if no complete line is there.
    ///
    /// Empty lines are ignored. While no newline arrives, [`Self::skip_line_start`]
    /// drops what is longer than any line may be (the longest body and what may
    /// surround it), and then every later part of that line. The end of that line,
    /// for which `skipped` is still set, is ignored as well.
    pub(super) fn next_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            let Some(line) = self.buffer.take_line() else {
                let is_too_long = self.buffer.len() >= self.max.saturating_add(AROUND);
                if !is_too_long && self.skipped.is_none() {
                    return None;
                }
                return self.skip_line_start(0, self.line_too_long()).map(Err);
            };
            if self.skipped.take().is_some() {
                continue;
            }
            if let Some(frame) = self.read_line(line) {
                return Some(frame);
            }
        }
    }
    // ANCHOR_END: next-line

    // ANCHOR: read-line
    /// The content of one line: its body, [`Self::line_too_long`] for a body above the
    /// limit, or `None` for an empty line. A header in place of the first message ends
    /// the stream, see [`Self::close`].
    ///
    /// Log lines may come before the first message. A line that starts with `{` is a
    /// message and confirms the framing: after it, a line like a header is a body.
    fn read_line(&mut self, line: Vec<u8>) -> Option<Result<Vec<u8>, FrameError>> {
        if line.len() > self.max.saturating_add(AROUND) {
            return Some(Err(self.line_too_long()));
        }
        let body = line_body(line)?;
        if body.len() > self.max {
            return Some(Err(self.line_too_long()));
        }
        let is_header = Framing::detect(&body) == Some(Framing::ContentLength);
        if is_header && !self.confirmed {
            return Some(Err(self.close(Framing::Newline)));
        }
        self.confirmed |= text_start(&body).starts_with(b"{");
        Some(Ok(body))
    }
    // ANCHOR_END: read-line

    // ANCHOR: finish-line
    /// What remains at the end of the input: the last line needs no newline.
    pub(super) fn finish_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        let rest = self.buffer.take(self.buffer.len());
        self.read_line(rest)
    }
    // ANCHOR_END: finish-line

    fn line_too_long(&self) -> FrameError {
        FrameError::TooLong { what: "a line", limit: self.max }
    }
}

// ANCHOR: line-body
/// A line without its end (`\n`, `\r\n`, or none) and without a byte order mark at its
/// start; `None` if only whitespace remains. Nothing else is removed.
fn line_body(mut line: Vec<u8>) -> Option<Vec<u8>> {
    if line.starts_with(BOM) {
        line.drain(..BOM.len());
    }
    if line.ends_with(b"\n") {
        line.pop();
    }
    if line.ends_with(b"\r") {
        line.pop();
    }
    (!line.trim_ascii().is_empty()).then_some(line)
}
// ANCHOR_END: line-body
