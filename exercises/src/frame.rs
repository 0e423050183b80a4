//! Frames: where one message ends and the next begins in a stream of bytes.
//!
//! A pipe carries bytes and knows nothing of messages. [`Framing::encode`] marks a
//! message's end for the other side; [`FrameReader`] finds it again, however the bytes
//! were cut on the way. Pure: bytes in, frames out.
//!
//! Sources: MCP, basic/transports, stdio (newline-delimited JSON, in every revision);
//! Language Server Protocol 3.17, Base Protocol (`Content-Length`).

#![allow(unused)]

mod buffer;
mod fields;
mod headers;
mod lines;

pub use fields::{content_length, header_field};

use crate::transcript::{truncate_utf8, visible};
use std::{fmt, str::FromStr};

/// The longest message that a reader takes unless told otherwise: 128 MiB.
pub const MAX_MESSAGE: usize = 128 * 1024 * 1024;
/// The longest header line, in bytes.
pub const MAX_HEADER_LINE: usize = 8 * 1024;
/// The longest block of headers before one body, in bytes.
pub const MAX_HEADERS: usize = 64 * 1024;

/// How much of what was skipped is shown, in bytes.
const SAMPLE: usize = 80;
const BOM: &[u8] = b"\xef\xbb\xbf";
/// How the names of all headers begin that show which framing is spoken.
const CONTENT: &[u8] = b"content-";

/// How a connection tells where a message ends. Both sides must use the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One message a line. What MCP servers and clients speak.
    Newline,
    /// A header block with the body's length in bytes. What language servers speak.
    ContentLength,
}

impl Framing {
    /// One frame around `body`, which must be JSON.
    ///
    /// Under [`Framing::Newline`] a raw newline in the body becomes a space: JSON has
    /// it only between tokens, where both mean the same. Under
    /// [`Framing::ContentLength`] the header is `Content-Length: N` and two `\r\n`, in
    /// these very bytes.
    pub fn encode(self, body: &[u8]) -> Vec<u8> {
        todo!("task 2.1: write a frame")
    }

    /// The framing of a stream that begins with `bytes`, after any blanks and byte
    /// order marks: `Content-…:` in any case means headers, anything else means lines.
    /// `None` means that more bytes are needed to tell. A name of more than 64 bytes
    /// after `Content-` is none, so that the answer is never far.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        todo!("task 2.2: tell which framing is spoken")
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Newline => "newline",
            Self::ContentLength => "content-length",
        })
    }
}

impl FromStr for Framing {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "newline" => Ok(Self::Newline),
            "content-length" => Ok(Self::ContentLength),
            _ => Err("expected newline or content-length".into()),
        }
    }
}

/// What a reader skipped, and why. Only [`FrameError::WrongFraming`] ends the
/// connection; after every other one reading goes on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Bytes between frames that belong to none: most often a line of log.
    #[error("skipped {bytes} bytes that are no frame (printed to stdout?): {sample}")]
    Noise { bytes: usize, sample: String },
    /// A header block without a usable length. Its body, if any, follows as noise.
    #[error("bad header: {0}")]
    BadHeader(String),
    /// A line, header or body above the limit, which is given in bytes.
    #[error("{what} is longer than {limit} bytes")]
    TooLong { what: &'static str, limit: usize },
    /// Input ended inside a frame. `wanted` is the body's length, if known by then.
    #[error("input ended inside a frame: got {got} bytes{}", wanted_text(*wanted))]
    Truncated { got: usize, wanted: Option<usize> },
    /// The first message came in the other framing.
    #[error(
        "the other side does not speak {expected} framing, it speaks {}",
        other(*expected)
    )]
    WrongFraming { expected: Framing },
}

fn wanted_text(wanted: Option<usize>) -> String {
    wanted.map_or(" of a header".into(), |wanted| format!(" of {wanted}"))
}

fn other(framing: Framing) -> Framing {
    match framing {
        Framing::Newline => Framing::ContentLength,
        Framing::ContentLength => Framing::Newline,
    }
}

fn noise(bytes: usize, sample: &[u8]) -> FrameError {
    let sample = sample.trim_ascii();
    let mark = if sample.len() > SAMPLE { "…" } else { "" };
    let sample = visible(truncate_utf8(sample, SAMPLE)) + mark;
    FrameError::Noise { bytes, sample }
}

/// The part of an endless line that is already gone.
struct Dropped {
    bytes: usize,
    /// Its first bytes, for the account.
    begin: Vec<u8>,
    /// Whether the line was reported when it grew too long.
    told: bool,
}

/// Cuts a stream of bytes into frames. Feed it chunks of any size, then ask for frames
/// until it has none; every byte is looked at a bounded number of times.
pub struct FrameReader {
    /// `None` until the first bytes have decided.
    framing: Option<Framing>,
    max: usize,
    buffer: buffer::Buffer,
    /// How many bytes at the buffer's start are known to hold no newline.
    scanned: usize,
    /// Whether a first message was seen: from then on the framing is not in doubt.
    settled: bool,
    /// The first message came in the other framing.
    over: bool,
    /// What was dropped of a line that is too long to keep.
    dropped: Option<Dropped>,
    headers: headers::Headers,
}

impl FrameReader {
    /// `framing`: `None` lets the first bytes decide. `max`: the longest body, in bytes
    /// ([`MAX_MESSAGE`] unless there is a reason).
    pub fn new(framing: Option<Framing>, max: usize) -> Self {
        Self {
            framing,
            max,
            buffer: buffer::Buffer::default(),
            scanned: 0,
            settled: false,
            over: false,
            dropped: None,
            headers: headers::Headers::default(),
        }
    }

    /// The framing that is spoken; `None` while the first bytes have not decided.
    pub fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// Takes the next bytes of the stream, cut anywhere.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.buffer.feed(chunk, self.headers.body);
    }

    /// One body, or an account of what was skipped. `None` means "feed me more", which
    /// is no error. After [`FrameError::WrongFraming`] there is nothing more to come.
    pub fn next_frame(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        if self.over {
            return None;
        }
        if self.framing.is_none() {
            self.pass_over_blanks();
            self.framing = Some(Framing::detect(&self.buffer)?);
            self.settled = true;
        }
        match self.framing? {
            Framing::Newline => self.next_line(),
            Framing::ContentLength => self.next_headed(),
        }
    }

    /// What is left when the input has ended: an unterminated last line, or
    /// [`FrameError::Truncated`]. `None` is a clean end. Call it after `next_frame`
    /// has returned `None`.
    pub fn finish(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        match self.framing {
            _ if self.over => None,
            Some(Framing::ContentLength) => self.finish_headed(),
            _ => self.finish_line(),
        }
    }

    fn wrong_framing(&mut self, expected: Framing) -> FrameError {
        self.over = true;
        FrameError::WrongFraming { expected }
    }

    /// Drops blanks and byte order marks before the first message, so that none of them
    /// is looked at twice.
    fn pass_over_blanks(&mut self) {
        let blanks = self.buffer.len() - text_start(&self.buffer).len();
        self.buffer.skip(blanks);
        self.scanned = self.scanned.saturating_sub(blanks);
    }

    /// Takes the bytes up to and with the next newline; `None` if there is none yet.
    ///
    /// The search begins at `scanned`, or a line that comes byte by byte would be
    /// searched from its start for every byte.
    fn take_line(&mut self) -> Option<Vec<u8>> {
        todo!("task 2.3: read lines")
    }
}

/// What follows byte order marks and blanks.
fn text_start(bytes: &[u8]) -> &[u8] {
    let mut start = bytes.trim_ascii_start();
    while let Some(rest) = start.strip_prefix(BOM) {
        start = rest.trim_ascii_start();
    }
    start
}
