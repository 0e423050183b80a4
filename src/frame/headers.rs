//! `Content-Length` framing: a block of headers, an empty line, then a body of N bytes.
//!
//! After a bad header the start of the next frame is unknown. The reader continues at
//! the next line that is, or ends in, a whole `Content-Length` header. JSON cannot
//! contain such a line: inside a string a newline is written `\n`.

use super::{
    CONTENT, FrameError, FrameReader, Framing, MAX_HEADER_LINE, MAX_HEADERS,
    fields::{LENGTH, content_length, header_field, is_name_byte},
    reader::{SAMPLE, State, noise_error},
};
use crate::transcript::truncate_escaped;
use std::mem;

const LINE_TOO_LONG: FrameError =
    FrameError::TooLong { what: "a header line", limit: MAX_HEADER_LINE };
const BLOCK_TOO_LONG: FrameError =
    FrameError::TooLong { what: "a header block", limit: MAX_HEADERS };

// ANCHOR: header-block
/// What the headers of the current block say.
#[derive(Default)]
pub(super) struct Block {
    /// The length of all its lines so far, in bytes.
    bytes: usize,
    content_length: Option<usize>,
    /// The first error of the block, returned when the block ends.
    error: Option<FrameError>,
}
// ANCHOR_END: header-block

impl FrameReader {
    // ANCHOR: next-content-length-frame
    /// The next body, or an error before it; `None` if more bytes are needed.
    ///
    /// In [`State::Body`] the next `length` bytes are the body, whatever they contain.
    /// In the other states each line goes to [`Self::header_line`]. A first message in
    /// the other framing, see [`Self::detects_newline_framing`], ends the stream. Of a
    /// line that is longer than [`MAX_HEADER_LINE`] and not complete,
    /// [`Self::skip_line_start`] keeps that many bytes, because a header may start in
    /// them; the current block is rejected.
    pub(super) fn next_content_length_frame(
        &mut self,
    ) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            if let State::Body { length } = self.state {
                if self.buffer.len() < length {
                    return None;
                }
                self.state = State::Between;
                return Some(Ok(self.buffer.take(length)));
            }
            if self.detects_newline_framing() {
                return Some(Err(self.close(Framing::ContentLength)));
            }
            let error = match self.buffer.take_line() {
                Some(line) => self.header_line(&line),
                None if self.buffer.len() <= MAX_HEADER_LINE => return None,
                None => {
                    let error = self.skip_line_start(MAX_HEADER_LINE, LINE_TOO_LONG);
                    self.reject_block();
                    return error.map(Err);
                }
            };
            if let Some(error) = error {
                return Some(Err(error));
            }
        }
    }
    // ANCHOR_END: next-content-length-frame

    // ANCHOR: finish-content-length
    /// What remains at the end of the input. Inside a frame that is
    /// [`FrameError::Truncated`]: with the length of the body in [`State::Body`],
    /// without it in [`State::Block`] or if the rest may be the start of
    /// `Content-Length`. Otherwise it is noise, see [`noise_error`], or nothing.
    pub(super) fn finish_content_length(
        &mut self,
    ) -> Option<Result<Vec<u8>, FrameError>> {
        let rest = self.buffer.take(self.buffer.len());
        let known = rest.len().min(LENGTH.len());
        let starts_header =
            known > 0 && rest[..known].eq_ignore_ascii_case(&LENGTH[..known]);
        let (got, wanted) = match mem::replace(&mut self.state, State::Between) {
            State::Body { length } => (rest.len(), Some(length)),
            State::Block(block) => (block.bytes + rest.len(), None),
            _ if starts_header && self.skipped.is_none() => (rest.len(), None),
            _ => return noise_error(self.skipped.take(), &rest).map(Err),
        };
        Some(Err(FrameError::Truncated { got, wanted }))
    }
    // ANCHOR_END: finish-content-length

    /// Whether a message in newline framing starts here, before any frame.
    fn detects_newline_framing(&mut self) -> bool {
        match self.state {
            State::Between if !self.confirmed && self.skipped.is_none() => {
                self.skip_whitespace();
                self.buffer.starts_with(b"{")
            }
            _ => false,
        }
    }

    // ANCHOR: header-line
    /// Handles one whole line outside a body. Returns the error to report, if any.
    fn header_line(&mut self, line: &[u8]) -> Option<FrameError> {
        if self.skipped.is_some() || line.len() > MAX_HEADER_LINE + 1 {
            return self.end_of_long_line(line);
        }
        let block = match mem::replace(&mut self.state, State::Between) {
            State::Block(block) => Some(block),
            _ => None,
        };
        match (header_field(line), block) {
            (Some(_), block) => self.add_header(block.unwrap_or_default(), line),
            (None, Some(block)) => self.end_block(block, line),
            (None, None) => self.noise_line(line),
        }
    }

    /// Adds a header to a block. A block that is too long is reported at once.
    fn add_header(&mut self, mut block: Block, line: &[u8]) -> Option<FrameError> {
        let (name, value) = header_field(line)?;
        let start = name.get(..CONTENT.len()).unwrap_or_default();
        self.confirmed |= start.eq_ignore_ascii_case(CONTENT);
        let had_room = block.bytes <= MAX_HEADERS;
        block.bytes += line.len();
        let has_room = block.bytes <= MAX_HEADERS;
        if has_room {
            block.add(name, value);
        }
        self.state = State::Block(block);
        (had_room && !has_room).then_some(BLOCK_TOO_LONG)
    }

    /// Ends a block at a line that is empty or, which is an error, not a header.
    fn end_block(&mut self, mut block: Block, line: &[u8]) -> Option<FrameError> {
        let line = line.trim_ascii();
        if !line.is_empty() {
            let reason = format!("not a header: {}", truncate_escaped(line, SAMPLE));
            block.fail(FrameError::BadHeader(reason));
        }
        self.reject_block();
        if block.bytes > MAX_HEADERS {
            return None; // reported by `add_header`
        }
        match block.body_length(self.max) {
            Err(error) => return Some(error),
            Ok(length) => self.state = State::Body { length },
        }
        self.resyncing = false;
        None
    }
    // ANCHOR_END: header-line

    /// Discards the current block. What follows may be its body.
    fn reject_block(&mut self) {
        self.resyncing = true;
        self.state = State::Between;
    }

    // ANCHOR: noise-line
    /// Handles a line between frames that is not a header. Returns its [`noise_error`].
    ///
    /// Text that was printed without a newline may precede a header on the same line,
    /// see [`embedded_header`]. Then only the text is noise, and the header starts a
    /// block, see [`Self::add_header`]. A longer name with the same end, such as
    /// `X-Content-Length`, does not count.
    fn noise_line(&mut self, line: &[u8]) -> Option<FrameError> {
        let is_name = |at: &usize| line[..*at].iter().all(|byte| is_name_byte(*byte));
        let at = embedded_header(line).filter(|at| !is_name(at)).unwrap_or(line.len());
        let (noise, header) = line.split_at(at);
        self.add_header(Block::default(), header);
        noise_error(None, noise)
    }
    // ANCHOR_END: noise-line

    // ANCHOR: end-of-long-line
    /// Handles the end of a line above the limit, of which a part may be `skipped`.
    ///
    /// Returns [`LINE_TOO_LONG`] for a line that arrived whole, unless the reader is
    /// `resyncing`; otherwise the [`noise_error`] of the line. The line rejects the
    /// current block. A header at its end starts a new one, as in [`Self::noise_line`].
    fn end_of_long_line(&mut self, line: &[u8]) -> Option<FrameError> {
        // A longer header is cut when it arrives in parts, so it never counts.
        let fits = |at: &usize| line.len() - at <= MAX_HEADER_LINE;
        let at = embedded_header(line).filter(fits).unwrap_or(line.len());
        let (noise, header) = line.split_at(at);
        let error = match self.skipped.take() {
            None if !self.resyncing => Some(LINE_TOO_LONG),
            skipped => noise_error(skipped, noise),
        };
        self.reject_block();
        self.add_header(Block::default(), header);
        error
    }
    // ANCHOR_END: end-of-long-line
}

impl Block {
    // ANCHOR: add-header
    /// Reads the length from one header. Only `Content-Length`, in any case, has one. A
    /// value that is not a length, or not the same as an earlier one, is an error of
    /// the block, see [`Self::fail`]. The same length twice is not an error.
    fn add(&mut self, name: &[u8], value: &[u8]) {
        if !name.eq_ignore_ascii_case(LENGTH) {
            return;
        }
        match (content_length(value), self.content_length) {
            (Err(error), _) => self.fail(error),
            (Ok(length), Some(before)) if length != before => {
                let reason =
                    format!("two Content-Length values, {before} and {length}");
                self.fail(FrameError::BadHeader(reason));
            }
            (Ok(length), _) => self.content_length = Some(length),
        }
    }
    // ANCHOR_END: add-header

    // ANCHOR: body-length
    /// The length of the body that this block announces. The first error of the block
    /// comes before all else. Without a length the result is a
    /// [`FrameError::BadHeader`], with one above `max` a [`FrameError::TooLong`].
    fn body_length(self, max: usize) -> Result<usize, FrameError> {
        match (self.error, self.content_length) {
            (Some(error), _) => Err(error),
            (None, None) => Err(FrameError::BadHeader("missing Content-Length".into())),
            (None, Some(length)) if length > max => {
                Err(FrameError::TooLong { what: "a body", limit: max })
            }
            (None, Some(length)) => Ok(length),
        }
    }
    // ANCHOR_END: body-length

    /// Keeps the first error of the block.
    fn fail(&mut self, error: FrameError) {
        self.error.get_or_insert(error);
    }
}

// ANCHOR: embedded-header
/// Where a whole, valid `Content-Length` header starts at the end of a noise line: from
/// there on the line is a [`header_field`] with that name, in any case, and a value
/// that [`content_length`] accepts.
fn embedded_header(line: &[u8]) -> Option<usize> {
    let at =
        line.windows(LENGTH.len()).rposition(|w| w.eq_ignore_ascii_case(LENGTH))?;
    let (_, value) = header_field(&line[at..])?;
    content_length(value).is_ok().then_some(at)
}
// ANCHOR_END: embedded-header
