//! Frames: where one message ends and the next begins in a stream of bytes.
//!
//! A pipe carries bytes and knows nothing of messages. [`Framing::encode`] marks a
//! message's end for the other side; [`FrameReader`] finds it again, however the bytes
//! were cut on the way. Pure: bytes in, frames out.
//!
//! Sources: MCP, basic/transports, stdio (newline-delimited JSON, in every revision);
//! Language Server Protocol 3.17, Base Protocol (`Content-Length`).

mod buffer;
mod fields;
mod headers;
mod lines;

pub use fields::{content_length, header_field};

use crate::transcript::{escape_untrusted, truncate_utf8};
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

// ANCHOR: framing
/// How a connection tells where a message ends. Both sides must use the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One message a line. What MCP servers and clients speak.
    Newline,
    /// A header block with the body's length in bytes. What language servers speak.
    ContentLength,
}
// ANCHOR_END: framing

impl Framing {
    // ANCHOR: encode-frame
    /// One frame around `body`, which must be JSON.
    ///
    /// Under [`Framing::Newline`] a raw newline in the body becomes a space: JSON has
    /// it only between tokens, where both mean the same. Under
    /// [`Framing::ContentLength`] the header is `Content-Length: N` and two `\r\n`, in
    /// these very bytes.
    pub fn encode(self, body: &[u8]) -> Vec<u8> {
        match self {
            Self::Newline => {
                let mut frame = Vec::with_capacity(body.len() + 1);
                frame.extend_from_slice(body);
                frame.iter_mut().filter(|byte| **byte == b'\n').for_each(|b| *b = b' ');
                frame.push(b'\n');
                frame
            }
            Self::ContentLength => {
                let header = format!("Content-Length: {}\r\n\r\n", body.len());
                [header.as_bytes(), body].concat()
            }
        }
    }
    // ANCHOR_END: encode-frame

    // ANCHOR: detect
    /// The framing of a stream that begins with `bytes`, after any blanks and byte
    /// order marks: `Content-…:` in any case means headers, anything else means lines.
    /// `None` means that more bytes are needed to tell. A name of more than 64 bytes
    /// after `Content-` is none, so that the answer is never far.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let bytes = text_start(bytes);
        if BOM.starts_with(bytes) {
            return None;
        }
        let (begin, rest) = bytes.split_at(bytes.len().min(CONTENT.len()));
        if !begin.eq_ignore_ascii_case(&CONTENT[..begin.len()]) {
            return Some(Self::Newline);
        }
        match rest.iter().take(64).find(|byte| !fields::is_name_byte(**byte)) {
            Some(b':') => Some(Self::ContentLength),
            Some(_) => Some(Self::Newline),
            None if rest.len() >= 64 => Some(Self::Newline),
            None => None,
        }
    }
    // ANCHOR_END: detect
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

/// How a reader learns the framing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FramingMode {
    /// The first bytes decide.
    #[default]
    Auto,
    /// It is known.
    Fixed(Framing),
}

impl From<Framing> for FramingMode {
    fn from(framing: Framing) -> Self {
        Self::Fixed(framing)
    }
}

impl FromStr for FramingMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text
                .parse()
                .map(Self::Fixed)
                .map_err(|_: String| "expected auto, newline or content-length".into()),
        }
    }
}

// ANCHOR: frame-error
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
// ANCHOR_END: frame-error

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
    let sample = escape_untrusted(truncate_utf8(sample, SAMPLE)) + mark;
    FrameError::Noise { bytes, sample }
}

// ANCHOR: frame-reader
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
// ANCHOR_END: frame-reader

impl FrameReader {
    /// `framing`: `None` lets the first bytes decide. `max`: the longest body, in bytes
    /// ([`MAX_MESSAGE`] unless there is a reason).
    pub fn new(mode: impl Into<FramingMode>, max: usize) -> Self {
        let framing = match mode.into() {
            FramingMode::Auto => None,
            FramingMode::Fixed(framing) => Some(framing),
        };
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

    // ANCHOR: next-frame
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
    // ANCHOR_END: next-frame

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

    // ANCHOR: take-line
    /// Takes the bytes up to and with the next newline; `None` if there is none yet.
    ///
    /// The search begins at `scanned`, or a line that comes byte by byte would be
    /// searched from its start for every byte.
    fn take_line(&mut self) -> Option<Vec<u8>> {
        let Some(at) = memchr::memchr(b'\n', &self.buffer[self.scanned..]) else {
            self.scanned = self.buffer.len();
            return None;
        };
        let end = self.scanned + at + 1;
        self.scanned = 0;
        Some(self.buffer.take(end))
    }
    // ANCHOR_END: take-line
}

/// What follows byte order marks and blanks.
fn text_start(bytes: &[u8]) -> &[u8] {
    let mut start = bytes.trim_ascii_start();
    while let Some(rest) = start.strip_prefix(BOM) {
        start = rest.trim_ascii_start();
    }
    start
}
