//! Newline framing: a frame is a line.
//!
//! Only `\n` ends a line (U+2028 and a lone `\r` do not). A `\r` before it, a byte
//! order mark and blank lines are passed over without a word: real peers send them.

use super::{BOM, Dropped, FrameError, FrameReader, Framing, detect, text_start};

/// What may stand around the longest body: a byte order mark before it, `\r\n` after.
const AROUND: usize = BOM.len() + b"\r\n".len();

impl FrameReader {
    pub(super) fn next_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            let Some(line) = self.take_line() else {
                return self.drop_endless_line().then(|| Err(self.line_too_long()));
            };
            if self.dropped.take().is_some() {
                continue; // the end of a line that was reported when it grew too long
            }
            if let Some(found) = self.read_line(line) {
                return Some(found);
            }
        }
    }

    /// What one whole line holds; `None` for a blank one.
    fn read_line(&mut self, line: Vec<u8>) -> Option<Result<Vec<u8>, FrameError>> {
        if line.len() > self.max.saturating_add(AROUND) {
            return Some(Err(self.line_too_long()));
        }
        let body = body_of(line)?;
        if body.len() > self.max {
            return Some(Err(self.line_too_long()));
        }
        let start = text_start(&body);
        if !self.settled && detect(start) == Some(Framing::ContentLength) {
            return Some(Err(self.wrong_framing(Framing::Newline)));
        }
        // Log lines may come first; a message settles the question.
        self.settled |= start.starts_with(b"{");
        Some(Ok(body))
    }

    /// The last line needs no newline: what it holds was said.
    pub(super) fn finish_line(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        self.scanned = 0;
        let rest = self.buffer.take_all();
        self.read_line(rest)
    }

    /// Whether a line has just become too long. Its bytes are dropped as they come.
    fn drop_endless_line(&mut self) -> bool {
        let endless = self.dropped.is_some();
        if !endless && self.buffer.len() < self.max.saturating_add(AROUND) {
            return false;
        }
        self.buffer.take_all();
        self.scanned = 0;
        self.dropped = Some(Dropped { bytes: 0, begin: Vec::new(), told: true });
        !endless
    }

    fn line_too_long(&self) -> FrameError {
        FrameError::TooLong { what: "a line", limit: self.max }
    }
}

/// A line without its end and its byte order mark; `None` if nothing is left.
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
