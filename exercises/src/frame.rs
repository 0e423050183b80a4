//! Frames: where one message ends and the next begins in a stream of bytes.
//!
//! A pipe carries bytes and has no notion of messages. [`Framing::encode`] marks the
//! end of a message for the peer; [`FrameReader`] finds it again, wherever the bytes
//! were cut in transit. Pure: bytes in, frames out.
//!
//! Sources: MCP, basic/transports, stdio (newline-delimited JSON, in every revision);
//! Language Server Protocol 3.17, Base Protocol (`Content-Length`).

#![allow(unused)]

mod buffer;
mod fields;
mod headers;
mod lines;
mod reader;

pub use fields::{content_length, header_field};
pub use reader::FrameReader;

use std::{fmt, str::FromStr};

/// The default limit for the length of one message: 128 MiB.
pub const MAX_MESSAGE: usize = 128 * 1024 * 1024;
/// The limit for one header line, in bytes.
pub const MAX_HEADER_LINE: usize = 8 * 1024;
/// The limit for all header lines before one body together, in bytes.
pub const MAX_HEADERS: usize = 64 * 1024;

const BOM: &[u8] = b"\xef\xbb\xbf";
/// The start of every header name that shows which framing the peer uses.
const CONTENT: &[u8] = b"content-";

/// How a connection marks where a message ends. Both peers must use the same framing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One message per line. MCP servers and clients use this framing.
    Newline,
    /// A header block with the length of the body in bytes. Language servers use this
    /// framing.
    ContentLength,
}

impl Framing {
    /// One frame around `body`, which must be JSON.
    ///
    /// Under [`Framing::Newline`] a raw newline in the body becomes a space: JSON
    /// allows it only between tokens, where both mean the same. Under
    /// [`Framing::ContentLength`] the frame is `Content-Length: N`, where N counts the
    /// bytes of the body, then `\r\n` twice, then the body.
    ///
    /// ```
    /// use mcp_from_scratch::frame::Framing;
    ///
    /// let body = r#"{"text":"你好"}"#.as_bytes();
    /// let frame = "Content-Length: 17\r\n\r\n{\"text\":\"你好\"}";
    /// assert_eq!(frame.as_bytes(), Framing::ContentLength.encode(body));
    /// assert_eq!(b"[1, 2]\n".to_vec(), Framing::Newline.encode(b"[1,\n2]"));
    /// ```
    pub fn encode(self, body: &[u8]) -> Vec<u8> {
        todo!("task 2.1: write a frame")
    }

    /// The framing of a stream that starts with `bytes`, after any whitespace and byte
    /// order marks. `Content-…:` in any case means headers, anything else means lines.
    ///
    /// `None` means that more bytes are needed. A name with 64 bytes or more after
    /// `Content-` is not a header name, so that a bounded number of bytes decides.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        todo!("task 2.2: detect the framing")
    }

    fn other(self) -> Self {
        match self {
            Self::Newline => Self::ContentLength,
            Self::ContentLength => Self::Newline,
        }
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
    type Err = UnknownFraming;

    fn from_str(text: &str) -> Result<Self, UnknownFraming> {
        match text {
            "newline" => Ok(Self::Newline),
            "content-length" => Ok(Self::ContentLength),
            _ => Err(UnknownFraming("newline or content-length")),
        }
    }
}

/// How a reader knows the framing of its stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FramingMode {
    /// The first bytes of the stream decide, see [`Framing::detect`].
    #[default]
    Auto,
    /// The framing is given. A first message in the other one is an error.
    Fixed(Framing),
}

impl From<Framing> for FramingMode {
    fn from(framing: Framing) -> Self {
        Self::Fixed(framing)
    }
}

impl fmt::Display for FramingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.pad("auto"),
            Self::Fixed(framing) => framing.fmt(f),
        }
    }
}

impl FromStr for FramingMode {
    type Err = UnknownFraming;

    fn from_str(text: &str) -> Result<Self, UnknownFraming> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text
                .parse()
                .map(Self::Fixed)
                .map_err(|_| UnknownFraming("auto, newline or content-length")),
        }
    }
}

/// A text that does not name a framing. Holds the names that were expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {0}")]
pub struct UnknownFraming(pub &'static str);

/// Why the reader skipped bytes. Only [`FrameError::WrongFraming`] ends the connection;
/// after any other error the reader continues.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Bytes between two frames: most often a log line on stdout.
    #[error("skipped {bytes} bytes outside any frame (printed to stdout?): {sample}")]
    Noise {
        /// How many bytes were skipped.
        bytes: usize,
        /// The first of them, escaped for a terminal.
        sample: String,
    },
    /// A header block without a usable length. Its body, if any, follows as noise.
    #[error("bad header: {0}")]
    BadHeader(String),
    /// A part of the stream is longer than its limit.
    #[error("{what} is longer than {limit} bytes")]
    TooLong {
        /// The part, with an article: `a line`, `a body`.
        what: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// The input ended inside a frame.
    #[error("input ended inside a frame: got {got} bytes{}", of_wanted(*wanted))]
    Truncated {
        /// How many bytes of the body came; of the header block, if `wanted` is `None`.
        got: usize,
        /// The length of the body, if it was known by then.
        wanted: Option<usize>,
    },
    /// The first message came in the other framing.
    #[error("the peer uses {} framing, expected {expected}", expected.other())]
    WrongFraming {
        /// The framing of this reader.
        expected: Framing,
    },
}

fn of_wanted(wanted: Option<usize>) -> String {
    wanted.map_or(" of a header".into(), |wanted| format!(" of {wanted}"))
}

/// The part of `bytes` that follows whitespace and byte order marks.
fn text_start(bytes: &[u8]) -> &[u8] {
    let mut start = bytes.trim_ascii_start();
    while let Some(rest) = start.strip_prefix(BOM) {
        start = rest.trim_ascii_start();
    }
    start
}
