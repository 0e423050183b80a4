//! Cuts what a side sent into frames, with the time at which each was complete.

use super::relay::{Seen, Side, What};
use anyhow::{Context, Result};
use mcp_from_scratch::frame::{FrameError, FrameReader, Framing, MAX_MESSAGE};
use serde::{Deserialize, Serialize};

/// What went by, in the order in which it was complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    pub from: Side,
    pub ms: u64,
    #[serde(flatten)]
    pub what: Piece,
}

/// All bytes are UTF-8, and text stands for them; others are not recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Piece {
    Frame {
        /// Where its first byte stands in all that the side sent.
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

/// One side's bytes on their way to becoming frames.
struct Stream {
    reader: FrameReader,
    /// What is not given out yet, and where it begins.
    raw: Vec<u8>,
    offset: usize,
}

impl Stream {
    fn new(framing: Framing) -> Self {
        let reader = FrameReader::new(framing, MAX_MESSAGE);
        Self { reader, raw: Vec::new(), offset: 0 }
    }

    /// One byte at a time, so that a frame is known to end where its reader finds it.
    fn feed(&mut self, byte: u8) -> Result<Vec<Piece>> {
        self.raw.push(byte);
        self.reader.feed(&[byte]);
        let mut pieces = Vec::new();
        while let Some(frame) = self.reader.next_frame() {
            pieces.push(self.piece(frame)?);
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
        let at = raw.rfind(&body).context("a body that is not in its frame")?;
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

pub fn cut(account: &[Seen], framing: Framing) -> Result<Vec<Passed>> {
    let (mut client, mut server) = (Stream::new(framing), Stream::new(framing));
    let mut passed = Vec::new();
    for Seen { from, ms, what } in account {
        let stream = if *from == Side::Client { &mut client } else { &mut server };
        let pieces = match what {
            What::Bytes(bytes) => {
                let pieces: Result<Vec<_>> =
                    bytes.iter().map(|byte| stream.feed(*byte)).collect();
                pieces?.concat()
            }
            What::End => vec![Piece::Event { event: "end of output".into() }],
            What::Exit(status) => vec![Piece::Event { event: status.clone() }],
        };
        let piece = |what| Passed { from: *from, ms: *ms, what };
        passed.extend(pieces.into_iter().map(piece));
    }
    Ok(passed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(from: Side, ms: u64, text: &str) -> Seen {
        Seen { from, ms, what: What::Bytes(text.into()) }
    }

    fn frame(offset: usize, header: &str, body: &str, end: &str) -> Piece {
        let [header, body, end] = [header, body, end].map(str::to_owned);
        Piece::Frame { offset, header, body, end }
    }

    #[test]
    fn a_frame_in_two_chunks_has_the_time_of_the_second() -> Result<()> {
        let account =
            [bytes(Side::Client, 1, "{\"id\""), bytes(Side::Client, 5, ":1}\n{}\n")];
        let passed = cut(&account, Framing::Newline)?;
        let expected =
            [(5, frame(0, "", "{\"id\":1}", "\n")), (5, frame(9, "", "{}", "\n"))];
        assert_eq!(expected.to_vec(), pieces(passed));
        Ok(())
    }

    #[test]
    fn a_header_is_apart_from_its_body_and_offsets_count_bytes() -> Result<()> {
        let text = "Content-Length: 8\r\n\r\n\"你好\"Content-Length: 2\r\n\r\n{}";
        let passed = cut(&[bytes(Side::Server, 0, text)], Framing::ContentLength)?;
        let expected = [
            (0, frame(0, "Content-Length: 8\r\n\r\n", "\"你好\"", "")),
            (0, frame(29, "Content-Length: 2\r\n\r\n", "{}", "")),
        ];
        assert_eq!(expected.to_vec(), pieces(passed));
        Ok(())
    }

    #[test]
    fn each_side_has_a_stream_of_its_own() -> Result<()> {
        let account = [
            bytes(Side::Client, 0, "{\"a\""),
            bytes(Side::Server, 1, "{}\n"),
            bytes(Side::Client, 2, ":1}\n"),
            Seen { from: Side::Client, ms: 3, what: What::End },
        ];
        let passed = cut(&account, Framing::Newline)?;
        let expected = [
            (1, frame(0, "", "{}", "\n")),
            (2, frame(0, "", "{\"a\":1}", "\n")),
            (3, Piece::Event { event: "end of output".into() }),
        ];
        assert_eq!(expected.to_vec(), pieces(passed));
        Ok(())
    }

    #[test]
    fn bytes_between_frames_are_noise() -> Result<()> {
        let text = "log\nContent-Length: 2\r\n\r\n{}";
        let passed = cut(&[bytes(Side::Server, 0, text)], Framing::ContentLength)?;
        let expected = [
            (0, Piece::Noise { offset: 0, noise: "log\n".into() }),
            (0, frame(4, "Content-Length: 2\r\n\r\n", "{}", "")),
        ];
        assert_eq!(expected.to_vec(), pieces(passed));
        Ok(())
    }

    fn pieces(passed: Vec<Passed>) -> Vec<(u64, Piece)> {
        passed.into_iter().map(|passed| (passed.ms, passed.what)).collect()
    }
}
