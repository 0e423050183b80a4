//! Newline framing: a frame is a line.
//!
//! Only `\n` ends a line (U+2028 and a lone `\r` do not). A `\r` before it, a byte
//! order mark and blank lines are passed over without a word: real peers send them.

use super::{BOM, Dropped, FrameError, FrameReader, Framing, detect};
use bytes::{Buf, Bytes, BytesMut};

impl FrameReader {
    pub(super) fn next_line(&mut self) -> Option<Result<Bytes, FrameError>> {
        loop {
            let Some(line) = self.take_line() else {
                return self.drop_endless_line().then(|| Err(self.line_too_long()));
            };
            if self.dropped.take().is_some() {
                continue; // the end of a line that was reported when it grew too long
            }
            let Some(body) = body_of(line) else { continue };
            if body.len() > self.max {
                return Some(Err(self.line_too_long()));
            }
            if !self.settled && detect(&body) == Some(Framing::ContentLength) {
                return Some(Err(FrameError::WrongFraming {
                    expected: Framing::Newline,
                }));
            }
            // Log lines may come first; a message settles the question.
            self.settled |= body.starts_with(b"{");
            return Some(Ok(body));
        }
    }

    /// The last line needs no newline: what it holds was said.
    pub(super) fn finish_line(&mut self) -> Option<Result<Bytes, FrameError>> {
        self.scanned = 0;
        let rest = std::mem::take(&mut self.buffer);
        if self.dropped.take().is_some() {
            return None;
        }
        body_of(rest).map(Ok)
    }

    /// Whether a line has just become too long. Its bytes are dropped as they come.
    fn drop_endless_line(&mut self) -> bool {
        let endless = self.dropped.is_some();
        if !endless && self.buffer.len() <= self.max + "\r\n".len() {
            return false;
        }
        self.buffer = BytesMut::new();
        self.scanned = 0;
        self.dropped = Some(Dropped { bytes: 0, begin: Vec::new(), told: true });
        !endless
    }

    fn line_too_long(&self) -> FrameError {
        FrameError::TooLong { what: "a line", limit: self.max }
    }
}

/// A line without its end and its byte order mark; `None` if nothing is left.
fn body_of(mut line: BytesMut) -> Option<Bytes> {
    if line.starts_with(BOM) {
        line.advance(BOM.len());
    }
    if line.ends_with(b"\n") {
        line.truncate(line.len() - 1);
    }
    if line.ends_with(b"\r") {
        line.truncate(line.len() - 1);
    }
    (!line.trim_ascii().is_empty()).then(|| line.freeze())
}
