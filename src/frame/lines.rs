//! Newline framing: a frame is a line.
//!
//! Only `\n` ends a line (U+2028 and a lone `\r` do not). A `\r` before it, a byte
//! order mark and blank lines are passed over without a word: real peers send them.

use super::{BOM, Dropped, FrameError, FrameReader, Framing, text_start};

/// What may stand around the longest body: a byte order mark before it, `\r\n` after.
const AROUND: usize = BOM.len() + b"\r\n".len();

impl FrameReader {
    // ANCHOR: next-line
    /// The next body, or what is wrong with a line; `None` if no whole line is there.
    ///
    /// Blank lines are passed over. So is the end of a line that was told when it grew
    /// too long, of which `dropped` is a sign. While no newline comes,
    /// [`Self::drop_endless_line`] keeps what is longer than any line may be (the
    /// longest body and what may stand around it) from filling the memory.
    pub(super) fn next_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            let Some(line) = self.take_line() else {
                let too_long = self.buffer.len() >= self.max.saturating_add(AROUND);
                let endless = too_long || self.dropped.is_some();
                return if endless { self.drop_endless_line() } else { None };
            };
            if self.dropped.take().is_some() {
                continue;
            }
            if let Some(found) = self.read_line(line) {
                return Some(found);
            }
        }
    }
    // ANCHOR_END: next-line

    // ANCHOR: read-line
    /// What one line holds: its body, or [`Self::line_too_long`] for a body above the
    /// limit, or [`Self::wrong_framing`] for a header where the first message is
    /// expected; `None` for a blank line.
    ///
    /// Log lines may come first. A line that begins with `{` is a message: it settles
    /// the question, and from then on a line like a header is a body.
    fn read_line(&mut self, line: Vec<u8>) -> Option<Result<Vec<u8>, FrameError>> {
        if line.len() > self.max.saturating_add(AROUND) {
            return Some(Err(self.line_too_long()));
        }
        let body = body_of(line)?;
        if body.len() > self.max {
            return Some(Err(self.line_too_long()));
        }
        let in_headers = Framing::detect(&body) == Some(Framing::ContentLength);
        if in_headers && !self.settled {
            return Some(Err(self.wrong_framing(Framing::Newline)));
        }
        self.settled |= text_start(&body).starts_with(b"{");
        Some(Ok(body))
    }
    // ANCHOR_END: read-line

    // ANCHOR: finish-line
    /// What the input's end leaves: the last line needs no newline, for what it holds
    /// was said.
    pub(super) fn finish_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        self.scanned = 0;
        let rest = self.buffer.take_all();
        self.read_line(rest)
    }
    // ANCHOR_END: finish-line

    // ANCHOR: drop-endless-line
    /// Drops what has come of a line without end, and leaves in `dropped` that it did.
    /// Returns [`Self::line_too_long`] the first time and `None` for each further part.
    fn drop_endless_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        let told = self.dropped.is_some();
        self.buffer.take_all();
        self.scanned = 0;
        self.dropped = Some(Dropped { bytes: 0, begin: Vec::new(), told: true });
        (!told).then(|| Err(self.line_too_long()))
    }
    // ANCHOR_END: drop-endless-line

    fn line_too_long(&self) -> FrameError {
        FrameError::TooLong { what: "a line", limit: self.max }
    }
}

// ANCHOR: line-body
/// A line without its end (`\n`, `\r\n`, or none) and without a byte order mark at its
/// beginning; `None` if only blanks are left. Nothing else is taken away.
fn body_of(mut line: Vec<u8>) -> Option<Vec<u8>> {
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
