//! The incremental reader: a state machine over a buffer.
//!
//! ```text
//!              ┌──▶ Lines
//!  Detecting ──┤
//!              └──▶ Between ──▶ Block ──▶ Body
//!                    ▲  ▲         │ error  │
//!                    │  └─────────┘        │
//!                    └─────────────────────┘
//! ```
//!
//! A first message in the other framing leads from `Lines` or `Between` to `Closed`.

#![allow(unused)]

use super::{
    FrameError, Framing, FramingMode, buffer::Buffer, headers::Block, text_start,
};
use crate::transcript::{escape_untrusted, truncate_utf8};

/// The limit for a sample of skipped bytes, in bytes.
pub(super) const SAMPLE: usize = 80;

/// Cuts a stream of bytes into frames.
///
/// Feed it chunks of any size, then ask for frames until it returns `None`. The work
/// per byte is bounded, and so is the memory: a frame above the limit is reported and
/// skipped, not kept.
///
/// ```
/// use mcp_from_scratch::frame::{FrameReader, FramingMode, MAX_MESSAGE};
///
/// let mut reader = FrameReader::new(FramingMode::Auto, MAX_MESSAGE);
/// reader.feed(b"Content-Length: 2\r\n\r\n{");
/// assert_eq!(None, reader.next_frame()); // the body is not complete
/// reader.feed(b"}cache warm\n");
/// assert_eq!(Some(Ok(b"{}".to_vec())), reader.next_frame());
///
/// let error = reader.next_frame().unwrap().unwrap_err();
/// assert_eq!(
///     "skipped 11 bytes outside any frame (printed to stdout?): cache warm",
///     error.to_string()
/// );
/// assert_eq!(None, reader.finish()); // the input ended between two frames
/// ```
pub struct FrameReader {
    pub(super) state: State,
    pub(super) buffer: Buffer,
    pub(super) max: usize,
    /// Whether the peer has confirmed the framing by a first message or header.
    pub(super) confirmed: bool,
    /// Whether a header block was rejected and no complete one has followed. A line
    /// that is too long is then noise: it may be the body of the rejected block.
    pub(super) resyncing: bool,
    /// The part of the current line that was dropped because the line is too long.
    pub(super) skipped: Option<Skipped>,
}

/// Where the reader is in the stream.
pub(super) enum State {
    /// The framing is not known yet.
    Detecting,
    /// Newline framing: each line is a frame.
    Lines,
    /// Content-Length framing, between two frames.
    Between,
    /// Inside a header block.
    Block(Block),
    /// The header block is complete; the next `length` bytes are the body.
    Body { length: usize },
    /// The peer uses the other framing, not this one.
    Closed(Framing),
}

impl State {
    fn start(framing: Framing) -> Self {
        match framing {
            Framing::Newline => Self::Lines,
            Framing::ContentLength => Self::Between,
        }
    }
}

/// The part of a line that is already dropped.
pub(super) struct Skipped {
    bytes: usize,
    /// The first bytes of the line.
    sample: Vec<u8>,
    /// Whether an error for this line was already returned.
    reported: bool,
}

impl FrameReader {
    /// A reader for one stream. `max` is the limit for one body, in bytes: by default
    /// [`MAX_MESSAGE`](super::MAX_MESSAGE).
    pub fn new(mode: impl Into<FramingMode>, max: usize) -> Self {
        let state = match mode.into() {
            FramingMode::Auto => State::Detecting,
            FramingMode::Fixed(framing) => State::start(framing),
        };
        let buffer = Buffer::default();
        Self { state, buffer, max, confirmed: false, resyncing: false, skipped: None }
    }

    /// The framing of the stream. `None` until the first bytes have decided.
    pub fn framing(&self) -> Option<Framing> {
        match self.state {
            State::Detecting => None,
            State::Lines => Some(Framing::Newline),
            State::Between | State::Block(_) | State::Body { .. } => {
                Some(Framing::ContentLength)
            }
            State::Closed(framing) => Some(framing),
        }
    }

    /// Adds the next bytes of the stream, cut anywhere.
    pub fn feed(&mut self, chunk: &[u8]) {
        let wanted = match self.state {
            State::Closed(_) => return,
            State::Body { length } => Some(length),
            _ => None,
        };
        self.buffer.feed(chunk, wanted);
    }

    /// The next body, or the reason why bytes were skipped. `None` means "feed me
    /// more", which is not an error. After [`FrameError::WrongFraming`] the reader
    /// returns only `None`.
    pub fn next_frame(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        if let State::Detecting = self.state {
            self.skip_whitespace();
            self.state = State::start(Framing::detect(&self.buffer)?);
            self.confirmed = true;
        }
        match self.state {
            State::Closed(_) => None,
            State::Detecting | State::Lines => self.next_line(),
            _ => self.next_content_length_frame(),
        }
    }

    /// What remains when the input has ended: a last line without a newline, or
    /// [`FrameError::Truncated`]. `None` if the input ended between two frames. Call
    /// this after [`Self::next_frame`] has returned `None`.
    pub fn finish(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        match self.state {
            State::Closed(_) => None,
            State::Detecting | State::Lines => self.finish_line(),
            _ => self.finish_content_length(),
        }
    }

    /// Ends the stream: the first message is not in the `expected` framing.
    pub(super) fn close(&mut self, expected: Framing) -> FrameError {
        self.state = State::Closed(expected);
        FrameError::WrongFraming { expected }
    }

    /// Drops whitespace and byte order marks before the first message, so that none of
    /// them is read twice.
    pub(super) fn skip_whitespace(&mut self) {
        self.buffer.skip(self.buffer.len() - text_start(&self.buffer).len());
    }

    /// Drops all but the last `keep` bytes of a line that is too long and not complete.
    /// [`Self::skipped`] counts the dropped bytes and keeps the first ones as a sample.
    ///
    /// Returns `error` when this line is first skipped, and marks the line as reported.
    /// Returns `None` for later parts of the line. While [`Self::resyncing`], the line
    /// is not reported here but at its end, as noise.
    pub(super) fn skip_line_start(
        &mut self,
        keep: usize,
        error: FrameError,
    ) -> Option<FrameError> {
        todo!("task 2.8: keep endless input from filling the memory")
    }
}

/// The error for bytes outside any frame: the `skipped` start of a line and its `rest`.
/// `None` if the line is already reported, or empty but for whitespace.
pub(super) fn noise_error(skipped: Option<Skipped>, rest: &[u8]) -> Option<FrameError> {
    let (bytes, sample) = match &skipped {
        Some(skipped) if skipped.reported => return None,
        Some(skipped) => (skipped.bytes + rest.len(), &skipped.sample[..]),
        None if text_start(rest).is_empty() => return None,
        None => (rest.len(), rest),
    };
    let sample = sample.trim_ascii();
    let ellipsis = if sample.len() > SAMPLE { "…" } else { "" };
    let sample = escape_untrusted(truncate_utf8(sample, SAMPLE)) + ellipsis;
    Some(FrameError::Noise { bytes, sample })
}
