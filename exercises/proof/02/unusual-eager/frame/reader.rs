//! Frames, read eagerly: all work is done in `feed`, and results wait in a queue. There
//! is no buffer with a position to search from. A line grows until its end arrives, and
//! a header block is kept as it came and read once, at its end.

use super::{
    BOM, CONTENT, FrameError, Framing, FramingMode, MAX_HEADER_LINE, MAX_HEADERS,
    fields::{LENGTH, is_name_byte},
    header_field,
    headers::{announced, embedded},
    text_start,
};
use crate::transcript::{escape_untrusted, truncate_utf8};
use std::{collections::VecDeque, mem};

const SAMPLE: usize = 80;
fn noise(bytes: usize, sample: &[u8]) -> FrameError {
    let sample = sample.trim_ascii();
    let ellipsis = if sample.len() > SAMPLE { "…" } else { "" };
    let sample = escape_untrusted(truncate_utf8(sample, SAMPLE)) + ellipsis;
    FrameError::Noise { bytes, sample }
}

/// The start of a line without an end that is already dropped.
struct Gone {
    bytes: usize,
    begin: Vec<u8>,
    reported: bool,
}

type Found = Result<Vec<u8>, FrameError>;

/// Cuts a stream of bytes into frames.
pub struct FrameReader {
    framing: Option<Framing>,
    max: usize,
    ready: VecDeque<Found>,
    confirmed: bool,
    over: bool,
    /// The current line, or all bytes while the framing is unknown.
    line: Vec<u8>,
    gone: Option<Gone>,
    /// The lines of the current header block.
    block: Vec<u8>,
    block_too_long: bool,
    /// The length of the current body, and its first bytes.
    body: Option<(usize, Vec<u8>)>,
    lost: bool,
}

impl FrameReader {
    pub fn new(mode: impl Into<FramingMode>, max: usize) -> Self {
        let framing = match mode.into() {
            FramingMode::Auto => None,
            FramingMode::Fixed(framing) => Some(framing),
        };
        Self {
            framing,
            max,
            ready: VecDeque::new(),
            confirmed: false,
            over: false,
            line: Vec::new(),
            gone: None,
            block: Vec::new(),
            block_too_long: false,
            body: None,
            lost: false,
        }
    }

    pub fn framing(&self) -> Option<Framing> {
        self.framing
    }

    pub fn feed(&mut self, chunk: &[u8]) {
        if self.framing.is_some() {
            return self.read(chunk);
        }
        self.line.extend(chunk);
        let whitespace = self.line.len() - text_start(&self.line).len();
        self.line.drain(..whitespace);
        if let Some(framing) = Framing::detect(&self.line) {
            self.framing = Some(framing);
            self.confirmed = true;
            let begin = mem::take(&mut self.line);
            self.read(&begin);
        }
    }

    pub fn next_frame(&mut self) -> Option<Found> {
        self.ready.pop_front()
    }

    pub fn finish(&mut self) -> Option<Found> {
        let line = mem::take(&mut self.line);
        let gone = self.gone.take();
        if self.over {
            return None;
        }
        if self.framing != Some(Framing::ContentLength) {
            return if gone.is_some() { None } else { self.line_holds(&line) };
        }
        if let Some((wanted, body)) = self.body.take() {
            let wanted = Some(wanted);
            return Some(Err(FrameError::Truncated { got: body.len(), wanted }));
        }
        let name = line.len().min(LENGTH.len());
        let begins = name > 0 && line[..name].eq_ignore_ascii_case(&LENGTH[..name]);
        if !self.block.is_empty() || (begins && gone.is_none()) {
            let got = self.block.len() + line.len();
            return Some(Err(FrameError::Truncated { got, wanted: None }));
        }
        noise_error(gone, &line).map(Err)
    }

    /// Handles each line and each body in turn.
    fn read(&mut self, mut rest: &[u8]) {
        while !rest.is_empty() && !self.over {
            let end = match &self.body {
                Some((wanted, body)) => wanted - body.len(),
                None => memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1),
            };
            let (part, more) = rest.split_at(end.min(rest.len()));
            rest = more;
            let found = match self.framing {
                Some(Framing::ContentLength) => self.headed_part(part),
                _ => self.line_part(part),
            };
            self.ready.extend(found);
        }
    }

    fn line_part(&mut self, part: &[u8]) -> Option<Found> {
        let whole = part.ends_with(b"\n");
        if self.gone.is_some() {
            if whole {
                self.gone = None;
            }
            return None;
        }
        self.line.extend(part);
        if whole {
            let line = mem::take(&mut self.line);
            return self.line_holds(&line);
        }
        if self.line.len() < self.max.saturating_add(5) {
            return None;
        }
        self.line = Vec::new();
        self.gone = Some(Gone { bytes: 0, begin: Vec::new(), reported: true });
        Some(Err(FrameError::TooLong { what: "a line", limit: self.max }))
    }

    fn line_holds(&mut self, line: &[u8]) -> Option<Found> {
        let body = line.strip_prefix(BOM).unwrap_or(line);
        let body = body.strip_suffix(b"\n").unwrap_or(body);
        let body = body.strip_suffix(b"\r").unwrap_or(body);
        if line.len() > self.max.saturating_add(5) || body.len() > self.max {
            return Some(Err(FrameError::TooLong { what: "a line", limit: self.max }));
        }
        if body.trim_ascii().is_empty() {
            return None;
        }
        let framing = Framing::detect(body);
        if !self.confirmed && framing == Some(Framing::ContentLength) {
            return Some(self.wrong(Framing::Newline));
        }
        self.confirmed |= text_start(body).starts_with(b"{");
        Some(Ok(body.to_vec()))
    }

    fn wrong(&mut self, expected: Framing) -> Found {
        self.over = true;
        Err(FrameError::WrongFraming { expected })
    }

    fn headed_part(&mut self, part: &[u8]) -> Option<Found> {
        if let Some((wanted, body)) = &mut self.body {
            body.extend(part);
            let whole = body.len() == *wanted;
            return if whole {
                self.body.take().map(|(_, body)| Ok(body))
            } else {
                None
            };
        }
        self.line.extend(part);
        if !self.confirmed && self.block.is_empty() && self.gone.is_none() {
            let whitespace = self.line.len() - text_start(&self.line).len();
            self.line.drain(..whitespace);
            if self.line.starts_with(b"{") {
                return Some(self.wrong(Framing::ContentLength));
            }
        }
        if part.ends_with(b"\n") {
            let line = mem::take(&mut self.line);
            return self.header_line(&line);
        }
        if self.line.len() <= MAX_HEADER_LINE {
            return None;
        }
        self.header_line_grows()
    }

    fn header_line_grows(&mut self) -> Option<Found> {
        let is_first = self.gone.is_none();
        if is_first || self.line.len() > 2 * MAX_HEADER_LINE {
            let reported = !mem::replace(&mut self.lost, true);
            let begin = self.line[..2 * SAMPLE].to_vec();
            let gone = self.gone.get_or_insert(Gone { bytes: 0, begin, reported });
            let excess = self.line.len() - MAX_HEADER_LINE;
            gone.bytes += excess;
            self.line.drain(..excess);
            self.block.clear();
            self.block_too_long = false;
            return (is_first && reported).then_some(Err(LINE_TOO_LONG));
        }
        None
    }

    fn header_line(&mut self, line: &[u8]) -> Option<Found> {
        let gone = self.gone.take();
        let long = gone.is_some() || line.len() > MAX_HEADER_LINE + 1;
        if long {
            let at = embedded(line).unwrap_or(line.len());
            let is_news = gone.is_none() && !self.lost;
            let said = if is_news {
                Some(LINE_TOO_LONG)
            } else {
                noise_error(gone, &line[..at])
            };
            self.lost = true;
            self.block = line[at..].to_vec();
            self.block_too_long = false;
            self.confirmed |= at < line.len();
            return said.map(Err);
        }
        if line.trim_ascii().is_empty() {
            return if self.block.is_empty() { None } else { self.end_of_block() };
        }
        if let Some((name, _)) = header_field(line) {
            self.confirmed |= name.len() >= CONTENT.len()
                && name[..CONTENT.len()].eq_ignore_ascii_case(CONTENT);
            return self.grow(line);
        }
        if !self.block.is_empty() {
            self.block.extend(line);
            return self.end_of_block();
        }
        let is_embedded =
            |at: &usize| line[..*at].iter().any(|byte| !is_name_byte(*byte));
        let at = embedded(line).filter(is_embedded).unwrap_or(line.len());
        self.block = line[at..].to_vec();
        self.confirmed |= at < line.len();
        noise_error(None, &line[..at]).map(Err)
    }

    fn grow(&mut self, line: &[u8]) -> Option<Found> {
        if self.block_too_long {
            return None;
        }
        self.block.extend(line);
        self.block_too_long = self.block.len() > MAX_HEADERS;
        let what = "a header block";
        self.block_too_long
            .then_some(Err(FrameError::TooLong { what, limit: MAX_HEADERS }))
    }

    fn end_of_block(&mut self) -> Option<Found> {
        let block = mem::take(&mut self.block);
        if mem::take(&mut self.block_too_long) {
            self.lost = true;
            return None;
        }
        match announced(&block, self.max) {
            Ok(0) => Some(Ok(Vec::new())),
            Ok(length) => {
                self.body = Some((length, Vec::new()));
                self.lost = false;
                None
            }
            Err(error) => {
                self.lost = true;
                Some(Err(error))
            }
        }
    }
}

const LINE_TOO_LONG: FrameError =
    FrameError::TooLong { what: "a header line", limit: MAX_HEADER_LINE };

fn noise_error(gone: Option<Gone>, rest: &[u8]) -> Option<FrameError> {
    match gone {
        Some(gone) if gone.reported => None,
        Some(gone) => Some(noise(gone.bytes + rest.len(), &gone.begin)),
        None if text_start(rest).is_empty() => None,
        None => Some(noise(rest.len(), rest)),
    }
}
