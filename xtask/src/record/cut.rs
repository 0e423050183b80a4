//! Cuts the bytes of each side into frames, with the time at which each was complete.

use anyhow::{Context, Result};
use mcp_from_scratch::frame::{FrameError, FrameReader, Framing, MAX_MESSAGE};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Client,
    Server,
}

/// A piece, in the order in which it was complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    pub from: Side,
    pub ms: u64,
    #[serde(flatten)]
    pub what: Piece,
}

/// Bytes as text: only UTF-8 is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Piece {
    Frame {
        /// The position of its first byte in the side's stream.
        offset: usize,
        header: String,
        body: String,
        /// What ends it: a newline, or nothing.
        end: String,
    },
    /// Bytes that belong to no frame.
    Noise { offset: usize, noise: String },
    /// The side closed its output, or its process ended.
    Event { event: String },
}

impl Piece {
    pub fn end() -> Self {
        Self::Event { event: "end of output".into() }
    }
}

/// One side's bytes.
pub struct Stream {
    reader: FrameReader,
    /// The bytes after the last piece, and their position.
    raw: Vec<u8>,
    offset: usize,
}

impl Stream {
    pub fn new(framing: Framing) -> Self {
        let reader = FrameReader::new(framing, MAX_MESSAGE);
        Self { reader, raw: Vec::new(), offset: 0 }
    }

    /// Feeds its reader byte by byte, so that a frame ends where the reader finds the end.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        for byte in bytes {
            self.raw.push(*byte);
            self.reader.feed(&[*byte]);
            while let Some(frame) = self.reader.next_frame() {
                pieces.push(self.piece(frame)?);
            }
        }
        Ok(pieces)
    }

    fn piece(&mut self, frame: Result<Vec<u8>, FrameError>) -> Result<Piece> {
        let offset = self.offset;
        let body = match frame {
            Ok(body) => body,
            Err(FrameError::Noise { bytes, .. }) => {
                let noise = self.take(bytes)?;
                return Ok(Piece::Noise { offset, noise });
            }
            Err(error) => return Err(error.into()),
        };
        let raw = self.take(self.raw.len())?;
        let body = String::from_utf8(body)?;
        let at = raw.rfind(&body).context("the frame does not hold its body")?;
        let (header, rest) = raw.split_at(at);
        let end = &rest[body.len()..];
        Ok(Piece::Frame { offset, header: header.into(), end: end.into(), body })
    }

    fn take(&mut self, count: usize) -> Result<String> {
        let rest = self.raw.split_off(count.min(self.raw.len()));
        let taken = std::mem::replace(&mut self.raw, rest);
        self.offset += taken.len();
        String::from_utf8(taken).context("bytes that are not UTF-8")
    }
}
