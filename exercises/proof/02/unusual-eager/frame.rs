//! Frames, read eagerly: all work is done while bytes come, and whole results wait in a
//! queue. There is no buffer with a place to search from. A line grows until its end
//! comes, a body until it is whole, and a block of headers is kept as it came and read
//! once, when it has ended.

use crate::transcript::{truncate_escaped, truncate_utf8, visible};
use std::{collections::VecDeque, fmt, mem, str::FromStr};

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
    pub fn encode(self, body: &[u8]) -> Vec<u8> {
        match self {
            Self::Newline => {
                let space = |byte: &u8| if *byte == b'\n' { b' ' } else { *byte };
                body.iter().map(space).chain([b'\n']).collect()
            }
            Self::ContentLength => {
                let mut frame = b"Content-Length: ".to_vec();
                frame.extend(body.len().to_string().bytes());
                frame.extend(b"\r\n\r\n");
                frame.extend(body);
                frame
            }
        }
    }

    /// The framing of a stream that begins with `bytes`; `None` if it can be either.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        let bytes = text_start(bytes);
        if BOM.starts_with(bytes) {
            return None;
        }
        let name = bytes.iter().take_while(|byte| is_name_byte(**byte)).count();
        let mut both = bytes.iter().zip(CONTENT);
        let fits = both.all(|(byte, other)| byte.eq_ignore_ascii_case(other));
        match bytes.get(name) {
            _ if !fits || name >= 72 => Some(Self::Newline),
            None => None,
            Some(b':') if name >= CONTENT.len() => Some(Self::ContentLength),
            Some(_) => Some(Self::Newline),
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

/// What is told of a line without end, and what is gone of it.
struct Gone {
    bytes: usize,
    begin: Vec<u8>,
    told: bool,
}

type Found = Result<Vec<u8>, FrameError>;

/// Cuts a stream of bytes into frames.
pub struct FrameReader {
    framing: Option<Framing>,
    max: usize,
    ready: VecDeque<Found>,
    settled: bool,
    over: bool,
    /// The line that has not ended, or all bytes while the framing is not decided.
    line: Vec<u8>,
    gone: Option<Gone>,
    /// The headers that have come of one block.
    block: Vec<u8>,
    block_too_long: bool,
    /// How long the body will be that comes now, and what there is of it.
    body: Option<(usize, Vec<u8>)>,
    lost: bool,
}

impl FrameReader {
    pub fn new(framing: Option<Framing>, max: usize) -> Self {
        Self {
            framing,
            max,
            ready: VecDeque::new(),
            settled: false,
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
        let blanks = self.line.len() - text_start(&self.line).len();
        self.line.drain(..blanks);
        if let Some(framing) = Framing::detect(&self.line) {
            self.framing = Some(framing);
            self.settled = true;
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
        account(gone, &line).map(Err)
    }

    /// Takes bytes up to the end of a line or of a body, again and again.
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
        self.gone = Some(Gone { bytes: 0, begin: Vec::new(), told: true });
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
        if !self.settled && framing == Some(Framing::ContentLength) {
            return Some(self.wrong(Framing::Newline));
        }
        self.settled |= text_start(body).starts_with(b"{");
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
        if !self.settled && self.block.is_empty() && self.gone.is_none() {
            let blanks = self.line.len() - text_start(&self.line).len();
            self.line.drain(..blanks);
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
            let told = !mem::replace(&mut self.lost, true);
            let begin = self.line[..2 * SAMPLE].to_vec();
            let gone = self.gone.get_or_insert(Gone { bytes: 0, begin, told });
            let excess = self.line.len() - MAX_HEADER_LINE;
            gone.bytes += excess;
            self.line.drain(..excess);
            self.block.clear();
            self.block_too_long = false;
            return (is_first && told).then_some(Err(LINE_TOO_LONG));
        }
        None
    }

    fn header_line(&mut self, line: &[u8]) -> Option<Found> {
        let gone = self.gone.take();
        let long = gone.is_some() || line.len() > MAX_HEADER_LINE + 1;
        if long {
            let at = glued(line).unwrap_or(line.len());
            let is_news = gone.is_none() && !self.lost;
            let said =
                if is_news { Some(LINE_TOO_LONG) } else { account(gone, &line[..at]) };
            self.lost = true;
            self.block = line[at..].to_vec();
            self.block_too_long = false;
            self.settled |= at < line.len();
            return said.map(Err);
        }
        if line.trim_ascii().is_empty() {
            return if self.block.is_empty() { None } else { self.end_of_block() };
        }
        if let Some((name, _)) = header_field(line) {
            self.settled |= name.len() >= CONTENT.len()
                && name[..CONTENT.len()].eq_ignore_ascii_case(CONTENT);
            return self.grow(line);
        }
        if !self.block.is_empty() {
            self.block.extend(line);
            return self.end_of_block();
        }
        let is_glued = |at: &usize| line[..*at].iter().any(|byte| !is_name_byte(*byte));
        let at = glued(line).filter(is_glued).unwrap_or(line.len());
        self.block = line[at..].to_vec();
        self.settled |= at < line.len();
        account(None, &line[..at]).map(Err)
    }

    fn grow(&mut self, line: &[u8]) -> Option<Found> {
        if self.block_too_long {
            return None;
        }
        self.block.extend(line);
        self.block_too_long = self.block.len() > MAX_HEADERS;
        let what = "a block of headers";
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

const LENGTH: &[u8] = b"content-length";
const LINE_TOO_LONG: FrameError =
    FrameError::TooLong { what: "a header line", limit: MAX_HEADER_LINE };

/// The length that a whole block of headers announces.
fn announced(block: &[u8], max: usize) -> Result<usize, FrameError> {
    let bad = |reason: String| Err(FrameError::BadHeader(reason));
    let mut length = None;
    for line in block.split_inclusive(|byte| *byte == b'\n') {
        let Some((name, value)) = header_field(line) else {
            let text = truncate_escaped(line.trim_ascii(), SAMPLE);
            return bad(format!("no header line: {text}"));
        };
        if !name.eq_ignore_ascii_case(LENGTH) {
            continue;
        }
        let now = content_length(value)?;
        match length.replace(now) {
            Some(before) if before != now => {
                return bad(format!("Content-Length is {before} and {now} at once"));
            }
            _ => {}
        }
    }
    match length {
        None => bad("no Content-Length".into()),
        Some(length) if length > max => {
            Err(FrameError::TooLong { what: "a body", limit: max })
        }
        Some(length) => Ok(length),
    }
}

fn account(gone: Option<Gone>, rest: &[u8]) -> Option<FrameError> {
    match gone {
        Some(gone) if gone.told => None,
        Some(gone) => Some(noise(gone.bytes + rest.len(), &gone.begin)),
        None if text_start(rest).is_empty() => None,
        None => Some(noise(rest.len(), rest)),
    }
}

/// Name and value of a header line.
pub fn header_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(b"\n")?;
    let text = line.strip_suffix(b"\r");
    let mut parts = text.unwrap_or(line).splitn(2, |byte| *byte == b':');
    let (name, value) = (parts.next()?, parts.next()?);
    let is_known =
        [LENGTH, b"content-type"].iter().any(|n| n.eq_ignore_ascii_case(name));
    let is_name = !name.is_empty() && name.iter().all(|byte| is_name_byte(*byte));
    (is_name && (is_known || text.is_some())).then_some((name, value))
}

/// The number in a `Content-Length` value.
pub fn content_length(value: &[u8]) -> Result<usize, FrameError> {
    if value.ends_with(b"\r") {
        let reason = "a CR too many at the line end: was it written in text mode?";
        return Err(FrameError::BadHeader(reason.into()));
    }
    let digits = value.trim_ascii();
    let text = std::str::from_utf8(digits).unwrap_or("no text");
    match text.parse() {
        Ok(length) if !text.starts_with('+') => Ok(length),
        _ if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(usize::MAX)
        }
        _ => Err(FrameError::BadHeader(format!(
            "Content-Length must be decimal digits, got `{}`",
            truncate_escaped(digits, 80)
        ))),
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Where a whole header with a good length stands at the end of a line.
fn glued(line: &[u8]) -> Option<usize> {
    let starts = 0..line.len().saturating_sub(LENGTH.len());
    let at = starts
        .rev()
        .find(|at| line[*at..*at + LENGTH.len()].eq_ignore_ascii_case(LENGTH))?;
    let (_, value) = header_field(&line[at..])?;
    content_length(value).ok().map(|_| at)
}

/// What follows byte order marks and blanks.
fn text_start(bytes: &[u8]) -> &[u8] {
    let start = bytes.trim_ascii_start();
    start.strip_prefix(BOM).map_or(start, text_start)
}
