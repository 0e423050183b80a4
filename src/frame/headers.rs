//! `Content-Length` framing: a block of headers, an empty line, then so many bytes.
//!
//! After a bad header nobody can know where the next frame begins. This reader looks
//! for the next line that is, or ends in, a whole `Content-Length` header. Such a line
//! cannot stand inside a JSON body, where a newline in a string is written `\n`.

use super::{
    CONTENT, Dropped, FrameError, FrameReader, Framing, MAX_HEADER_LINE, MAX_HEADERS,
    SAMPLE, noise, text_start,
};
use crate::transcript::shortened;

const LENGTH: &[u8] = b"content-length";
const LINE_TOO_LONG: FrameError =
    FrameError::TooLong { what: "a header line", limit: MAX_HEADER_LINE };
const TYPE: &[u8] = b"content-type";

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

impl FrameReader {
    pub(super) fn next_headed(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            if let Some(length) = self.headers.body {
                if self.buffer.len() < length {
                    return None;
                }
                self.headers = Headers::default();
                return Some(Ok(self.buffer.take(length)));
            }
            let between = self.headers.bytes == 0 && self.dropped.is_none();
            if between && !self.settled {
                self.pass_over_blanks();
                if self.buffer.starts_with(b"{") {
                    return Some(Err(self.wrong_framing(Framing::ContentLength)));
                }
            }
            let account = match self.take_line() {
                Some(line) => self.header_line(&line),
                None => return self.drop_endless_header().map(Err),
            };
            if let Some(error) = account {
                return Some(Err(error));
            }
        }
    }

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

    /// Takes one whole line outside a body; returns what is to be told about it.
    fn header_line(&mut self, line: &[u8]) -> Option<FrameError> {
        let in_block = self.headers.bytes > 0;
        let dropped = self.dropped.take();
        let long = dropped.is_some() || line.len() > MAX_HEADER_LINE + 1;
        if !long && line.trim_ascii().is_empty() {
            return if in_block { self.end_of_headers() } else { None };
        }
        if let Some((name, value)) = field(line).filter(|_| !long) {
            self.settled |= is_content(name);
            return self.headers.take(line.len(), name, value);
        }
        if in_block && !long {
            let text = shortened(line.trim_ascii(), SAMPLE);
            let reason = format!("no header line: {text}");
            self.headers.fault(FrameError::BadHeader(reason));
            return self.end_of_headers();
        }
        // Text that was printed without a newline may stand before the real header.
        // A longer name that only ends so, such as X-Content-Length, is not one.
        let is_name = |at: &usize| line[..*at].iter().all(|byte| is_name_byte(*byte));
        let at = glued_header(line).filter(|at| *at == 0 || long || !is_name(at));
        let at = at.unwrap_or(line.len());
        let lost = self.headers.lost;
        let account = if long && dropped.is_none() && !lost {
            Some(LINE_TOO_LONG)
        } else {
            noise_account(dropped, &line[..at])
        };
        self.headers = Headers { lost: lost || long, ..Headers::default() };
        if let Some((name, value)) = field(&line[at..]) {
            self.settled = true;
            self.headers.take(line.len() - at, name, value);
        }
        account
    }

    /// The empty line has come: either the body follows or the block was bad.
    fn end_of_headers(&mut self) -> Option<FrameError> {
        let headers = std::mem::take(&mut self.headers);
        if headers.bytes > MAX_HEADERS {
            self.headers.lost = true;
            return None; // told when the block grew too long
        }
        let error = match (headers.fault, headers.length) {
            (Some(fault), _) => fault,
            (None, None) => FrameError::BadHeader("no Content-Length".into()),
            (None, Some(length)) if length > self.max => {
                FrameError::TooLong { what: "a body", limit: self.max }
            }
            (None, Some(length)) => {
                self.headers.body = Some(length);
                return None;
            }
        };
        self.headers.lost = true;
        Some(error)
    }

    /// A line that does not end must not fill the memory: only its last bytes are kept,
    /// in which a header may begin. Told once, unless it is a lost body.
    fn drop_endless_header(&mut self) -> Option<FrameError> {
        let excess = self.buffer.len().saturating_sub(MAX_HEADER_LINE);
        if excess == 0 {
            return None;
        }
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
}

impl Headers {
    /// Takes one header of the block, `bytes` long with its line end. A block without
    /// end is told as soon as it is too long, once.
    fn take(&mut self, bytes: usize, name: &[u8], value: &[u8]) -> Option<FrameError> {
        let was_short = self.bytes <= MAX_HEADERS;
        self.bytes = (self.bytes + bytes).min(MAX_HEADERS + 1);
        if self.bytes > MAX_HEADERS {
            let what = "a block of headers";
            return was_short
                .then_some(FrameError::TooLong { what, limit: MAX_HEADERS });
        }
        if !name.eq_ignore_ascii_case(LENGTH) {
            return None; // Content-Type and unknown headers say nothing of the length
        }
        match (length(value), self.length) {
            (Err(reason), _) => self.fault(FrameError::BadHeader(reason)),
            (Ok(length), Some(before)) if length != before => {
                let reason = format!("Content-Length is {before} and {length} at once");
                self.fault(FrameError::BadHeader(reason));
            }
            (Ok(length), _) => self.length = Some(length),
        }
        None
    }

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

/// A `Content-Length` value: decimal digits, with blanks around. What does not fit a
/// `usize` is longer than any limit.
fn length(value: &[u8]) -> Result<usize, String> {
    let digits = value.trim_ascii();
    if value.ends_with(b"\r") {
        return Err(
            "a CR too many at the line end: was it written in text mode?".into()
        );
    }
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        let got = shortened(digits, 80);
        return Err(format!("Content-Length must be decimal digits, got `{got}`"));
    }
    let number = digits.iter().try_fold(0usize, |number, digit| {
        number.checked_mul(10)?.checked_add(usize::from(digit - b'0'))
    });
    Ok(number.unwrap_or(usize::MAX))
}

/// Name and value of a header line, which ends in CRLF. A bare LF is accepted after the
/// two known names only, or a log line such as `Info: ready` would pass for a header.
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (line, bare) = match line.strip_suffix(b"\r\n") {
        Some(line) => (line, false),
        None => (line.strip_suffix(b"\n")?, true),
    };
    let colon = memchr::memchr(b':', line)?;
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    let known = name.eq_ignore_ascii_case(LENGTH) || name.eq_ignore_ascii_case(TYPE);
    let usable = !name.is_empty() && name.iter().all(|byte| is_name_byte(*byte));
    (usable && (known || !bare)).then_some((name, value))
}

/// Whether a header shows by its name that the other side speaks in headers.
fn is_content(name: &[u8]) -> bool {
    name.get(..CONTENT.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(CONTENT))
}

/// Letters, digits and hyphens: all that header names here consist of.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Where a whole, good `Content-Length` header stands at the end of a line of noise.
fn glued_header(line: &[u8]) -> Option<usize> {
    let at =
        line.windows(LENGTH.len()).rposition(|w| w.eq_ignore_ascii_case(LENGTH))?;
    let (_, value) = field(&line[at..])?;
    length(value).is_ok().then_some(at)
}
