//! `Content-Length` framing: a block of headers, an empty line, then so many bytes.
//!
//! After a bad header nobody can know where the next frame begins. This reader looks
//! for the next line that is, or ends in, a whole `Content-Length` header. Such a line
//! cannot stand inside a JSON body, where a newline in a string is written `\n`.

use super::{
    CONTENT, Dropped, FrameError, FrameReader, Framing, MAX_HEADER_LINE, MAX_HEADERS,
    SAMPLE,
    fields::{LENGTH, content_length, header_field, is_name_byte},
    noise, text_start,
};
use crate::transcript::truncate_escaped;

const LINE_TOO_LONG: FrameError =
    FrameError::TooLong { what: "a header line", limit: MAX_HEADER_LINE };

// ANCHOR: headers
/// Where the reader stands between two bodies.
#[derive(Default)]
pub(super) struct Headers {
    /// How many bytes of the current block have come; 0 is "between frames".
    bytes: usize,
    length: Option<usize>,
    /// The first thing that is wrong with the block; told when the block ends.
    fault: Option<FrameError>,
    /// The block has ended and the body is so many bytes long.
    pub body: Option<usize>,
    /// A header was bad: what comes until the next good one is its body.
    lost: bool,
}
// ANCHOR_END: headers

impl FrameReader {
    // ANCHOR: next-headed
    /// The next body, or what is wrong before it; `None` if more bytes are needed.
    ///
    /// Where `headers.body` says how long the body is, so many bytes are the body,
    /// whatever they are, and the headers of the next frame begin anew. Elsewhere each
    /// line goes to [`Self::header_line`]. A message of the other framing, which
    /// [`Self::speaks_lines`] sees, is [`Self::wrong_framing`]. While more than
    /// [`MAX_HEADER_LINE`] bytes hold no newline, [`Self::drop_endless_header`] keeps
    /// them from filling the memory.
    pub(super) fn next_headed(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            if let Some(length) = self.headers.body {
                if self.buffer.len() < length {
                    return None;
                }
                self.headers = Headers::default();
                return Some(Ok(self.buffer.take(length)));
            }
            if self.speaks_lines() {
                return Some(Err(self.wrong_framing(Framing::ContentLength)));
            }
            let account = match self.take_line() {
                Some(line) => self.header_line(&line),
                None if self.buffer.len() <= MAX_HEADER_LINE => return None,
                None => return self.drop_endless_header().map(Err),
            };
            if let Some(error) = account {
                return Some(Err(error));
            }
        }
    }
    // ANCHOR_END: next-headed

    // ANCHOR: finish-headed
    /// What the input's end leaves. Inside a frame that is [`FrameError::Truncated`]:
    /// with the length that was wanted once the body is due, without it in the headers
    /// or where the rest may be the beginning of `Content-Length`. Any other rest is
    /// noise, which [`noise_account`] words; `None` if there is none.
    pub(super) fn finish_headed(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        self.scanned = 0;
        let rest = self.buffer.take_all();
        let headers = std::mem::take(&mut self.headers);
        let known = rest.len().min(LENGTH.len());
        let begins_header =
            known > 0 && rest[..known].eq_ignore_ascii_case(&LENGTH[..known]);
        let dropped = self.dropped.take();
        let error = if let Some(wanted) = headers.body {
            FrameError::Truncated { got: rest.len(), wanted: Some(wanted) }
        } else if headers.bytes > 0 || (begins_header && dropped.is_none()) {
            FrameError::Truncated { got: headers.bytes + rest.len(), wanted: None }
        } else {
            noise_account(dropped, &rest)?
        };
        Some(Err(error))
    }
    // ANCHOR_END: finish-headed

    /// Whether a message of the other framing begins here, before any frame was seen.
    fn speaks_lines(&mut self) -> bool {
        let between = self.headers.bytes == 0 && self.dropped.is_none();
        if self.settled || !between {
            return false;
        }
        self.pass_over_blanks();
        self.buffer.starts_with(b"{")
    }

    // ANCHOR: header-line
    /// Takes one whole line outside a body; returns what is to be told about it.
    fn header_line(&mut self, line: &[u8]) -> Option<FrameError> {
        if self.dropped.is_some() || line.len() > MAX_HEADER_LINE + 1 {
            return self.end_of_long_line(line);
        }
        let in_block = self.headers.bytes > 0;
        if line.trim_ascii().is_empty() {
            return if in_block { self.end_of_headers() } else { None };
        }
        if let Some((name, value)) = header_field(line) {
            self.settled |= is_content(name);
            return self.headers.add(line.len(), name, value);
        }
        if in_block {
            let text = truncate_escaped(line.trim_ascii(), SAMPLE);
            let reason = format!("no header line: {text}");
            self.headers.fault(FrameError::BadHeader(reason));
            return self.end_of_headers();
        }
        self.noise_line(line)
    }

    /// The block has ended: either the body follows, or the block was bad, and what
    /// comes until the next good header is lost.
    fn end_of_headers(&mut self) -> Option<FrameError> {
        let headers = std::mem::take(&mut self.headers);
        if headers.bytes > MAX_HEADERS {
            self.headers.lost = true;
            return None; // told when the block grew too long
        }
        match headers.body_length(self.max) {
            Ok(length) => {
                self.headers.body = Some(length);
                None
            }
            Err(error) => {
                self.headers.lost = true;
                Some(error)
            }
        }
    }
    // ANCHOR_END: header-line

    // ANCHOR: noise-line
    /// Takes a line between frames that is no header: returns [`noise_account`] of it.
    ///
    /// Text that was printed without a newline may stand before a real header, which
    /// [`glued_header`] finds: then only the text is noise, and the rest goes to
    /// [`Self::take_glued`]. A longer name that only ends so, such as
    /// `X-Content-Length`, is not one.
    fn noise_line(&mut self, line: &[u8]) -> Option<FrameError> {
        let is_name = |at: &usize| line[..*at].iter().all(|byte| is_name_byte(*byte));
        let at = glued_header(line).filter(|at| !is_name(at)).unwrap_or(line.len());
        self.take_glued(&line[at..]);
        noise_account(None, &line[..at])
    }
    // ANCHOR_END: noise-line

    /// Begins a block with the header that stood at the end of a line, if one did.
    fn take_glued(&mut self, header: &[u8]) {
        if let Some((name, value)) = header_field(header) {
            self.settled = true;
            self.headers.add(header.len(), name, value);
        }
    }

    // ANCHOR: drop-endless-header
    /// Drops what has come of a line without end, but for its last [`MAX_HEADER_LINE`]
    /// bytes, in which a header may begin. `dropped` holds how many bytes are gone, the
    /// first few of them, and whether they were told; no block of headers goes on.
    ///
    /// Returns [`LINE_TOO_LONG`]; `None` for a line that is the body of a bad header
    /// (`lost`), as it is from then on, so that each line is told once.
    fn drop_endless_header(&mut self) -> Option<FrameError> {
        let excess = self.buffer.len().saturating_sub(MAX_HEADER_LINE);
        let told = !std::mem::take(&mut self.headers).lost;
        let dropped = self.dropped.get_or_insert_with(|| Dropped {
            bytes: 0,
            begin: self.buffer[..self.buffer.len().min(2 * SAMPLE)].to_vec(),
            told,
        });
        dropped.bytes += excess;
        self.buffer.skip(excess);
        self.scanned = self.buffer.len();
        self.headers.lost = true;
        told.then_some(LINE_TOO_LONG)
    }
    // ANCHOR_END: drop-endless-header

    // ANCHOR: end-of-long-line
    /// Takes a line above the limit, of which `dropped` may be gone. It is told as
    /// [`LINE_TOO_LONG`], if nothing was dropped of it and it is no lost body; what
    /// else is to be said of it [`noise_account`] knows. A header may stand at its end,
    /// as in [`Self::noise_line`]. What follows is lost until the next good header.
    fn end_of_long_line(&mut self, line: &[u8]) -> Option<FrameError> {
        let dropped = self.dropped.take();
        let at = glued_header(line).unwrap_or(line.len());
        let account = if dropped.is_none() && !self.headers.lost {
            Some(LINE_TOO_LONG)
        } else {
            noise_account(dropped, &line[..at])
        };
        self.headers = Headers { lost: true, ..Headers::default() };
        self.take_glued(&line[at..]);
        account
    }
    // ANCHOR_END: end-of-long-line
}

impl Headers {
    /// Takes one header of the block, `bytes` long with its line end. A block without
    /// end is told as soon as it is too long, once.
    fn add(&mut self, bytes: usize, name: &[u8], value: &[u8]) -> Option<FrameError> {
        let was_short = self.bytes <= MAX_HEADERS;
        self.bytes = (self.bytes + bytes).min(MAX_HEADERS + 1);
        if self.bytes > MAX_HEADERS {
            let what = "a block of headers";
            return was_short
                .then_some(FrameError::TooLong { what, limit: MAX_HEADERS });
        }
        self.take(name, value);
        None
    }

    // ANCHOR: take-header
    /// Keeps what one header says of the length. Only `Content-Length`, in any case,
    /// says something of it. A value that is none, or another one than before, is a
    /// [`Self::fault`]; the same one twice does no harm.
    fn take(&mut self, name: &[u8], value: &[u8]) {
        if !name.eq_ignore_ascii_case(LENGTH) {
            return;
        }
        match (content_length(value), self.length) {
            (Err(error), _) => self.fault(error),
            (Ok(length), Some(before)) if length != before => {
                let reason = format!("Content-Length is {before} and {length} at once");
                self.fault(FrameError::BadHeader(reason));
            }
            (Ok(length), _) => self.length = Some(length),
        }
    }
    // ANCHOR_END: take-header

    // ANCHOR: body-length
    /// How long the body is that this block announces. The block's first fault comes
    /// before all else; without a length it is a [`FrameError::BadHeader`], with one
    /// above `max` a [`FrameError::TooLong`] that names `max`.
    fn body_length(self, max: usize) -> Result<usize, FrameError> {
        match (self.fault, self.length) {
            (Some(fault), _) => Err(fault),
            (None, None) => Err(FrameError::BadHeader("no Content-Length".into())),
            (None, Some(length)) if length > max => {
                Err(FrameError::TooLong { what: "a body", limit: max })
            }
            (None, Some(length)) => Ok(length),
        }
    }
    // ANCHOR_END: body-length

    fn fault(&mut self, error: FrameError) {
        self.fault.get_or_insert(error);
    }
}

/// What to say of a line that is no header, of which `dropped` is gone and `rest` came
/// last: nothing, if that was said when it grew too long.
fn noise_account(dropped: Option<Dropped>, rest: &[u8]) -> Option<FrameError> {
    match dropped {
        Some(dropped) if dropped.told => None,
        Some(dropped) => Some(noise(dropped.bytes + rest.len(), &dropped.begin)),
        None if text_start(rest).is_empty() => None,
        None => Some(noise(rest.len(), rest)),
    }
}

/// Whether a header shows by its name that the other side speaks in headers.
fn is_content(name: &[u8]) -> bool {
    name.get(..CONTENT.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(CONTENT))
}

// ANCHOR: glued-header
/// Where a whole, good `Content-Length` header stands at the end of a line of noise:
/// from there on the line is a [`header_field`] with that name, in any case, and a
/// value that [`content_length`] takes.
fn glued_header(line: &[u8]) -> Option<usize> {
    let at =
        line.windows(LENGTH.len()).rposition(|w| w.eq_ignore_ascii_case(LENGTH))?;
    let (_, value) = header_field(&line[at..])?;
    content_length(value).is_ok().then_some(at)
}
// ANCHOR_END: glued-header
