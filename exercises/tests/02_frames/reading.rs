//! What a reader returns for a stream, and how two results are compared.

use super::*;

/// What a reader returned. The text of an error is up to the learner.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    Body(Vec<u8>),
    /// The number of bytes, in one error or in several consecutive ones.
    Noise(usize),
    BadHeader,
    TooLong(usize),
    Truncated(usize, Option<usize>),
    WrongFraming(Framing),
}

impl Found {
    pub fn of(result: Result<Vec<u8>, FrameError>) -> Self {
        match result {
            Ok(body) => Self::Body(body),
            Err(FrameError::Noise { bytes, .. }) => Self::Noise(bytes),
            Err(FrameError::BadHeader(_)) => Self::BadHeader,
            Err(FrameError::TooLong { limit, .. }) => Self::TooLong(limit),
            Err(FrameError::Truncated { got, wanted }) => Self::Truncated(got, wanted),
            Err(FrameError::WrongFraming { expected }) => Self::WrongFraming(expected),
        }
    }

    pub fn is_noise(&self) -> bool {
        matches!(self, Self::Noise(_))
    }

    fn shown(&self) -> String {
        match self {
            Self::Body(body) => format!("body   {}", truncate_escaped(body, 100)),
            Self::Noise(bytes) => format!("error  noise, {bytes} bytes"),
            Self::BadHeader => "error  a bad header".into(),
            Self::TooLong(limit) => format!("error  longer than {limit} bytes"),
            Self::Truncated(got, None) => {
                format!("error  ended, {got} bytes of a header")
            }
            Self::Truncated(got, Some(wanted)) => {
                format!("error  ended, {got} bytes of {wanted}")
            }
            Self::WrongFraming(expected) => format!("error  not {expected} framing"),
        }
    }
}

pub fn body(text: impl AsRef<[u8]>) -> Found {
    Found::Body(text.as_ref().into())
}

pub fn with_header(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// How a stream is read.
#[derive(Clone, Copy)]
pub struct Reading {
    pub mode: FramingMode,
    pub max: usize,
    /// Whether the test calls `finish` at the end of the stream.
    pub ends: bool,
}

pub const LINES: Reading =
    Reading { mode: FramingMode::Fixed(Framing::Newline), max: SMALL, ends: true };
pub const HEADERS: Reading =
    Reading { mode: FramingMode::Fixed(Framing::ContentLength), ..LINES };
/// For the tasks before 2.6.
pub const OPEN: Reading = Reading { ends: false, ..HEADERS };

impl Reading {
    pub fn reader(&self) -> FrameReader {
        FrameReader::new(self.mode, self.max)
    }

    /// Everything that the reader returns for a stream in these pieces.
    pub fn read<'a>(
        &self,
        pieces: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Vec<Found>, Failure> {
        let (mut reader, mut found) = (self.reader(), Vec::new());
        for piece in pieces {
            found.extend(fed(&mut reader, piece)?);
        }
        if self.ends {
            found.extend(reader.finish().map(Found::of));
        }
        Ok(with_joined_noise(found))
    }

    /// The stream gives `expected`: whole, cut in two at every place, byte by byte.
    pub fn gives(
        &self,
        expected: &[Found],
        stream: impl AsRef<[u8]>,
        likely: &str,
    ) -> Verdict {
        let stream = stream.as_ref();
        let whole = truncate_escaped(stream, 240);
        self.compare(expected, [stream], &whole, likely)?;
        for at in 1..stream.len() {
            let (start, rest) = stream.split_at(at);
            self.compare(expected, [start, rest], &cut(stream, at), KEPT)?;
        }
        let bytewise = format!("{whole}\n(byte by byte)");
        self.compare(expected, stream.chunks(1), &bytewise, KEPT)
    }

    pub fn compare<'a>(
        &self,
        expected: &[Found],
        pieces: impl IntoIterator<Item = &'a [u8]>,
        given: &str,
        likely: &str,
    ) -> Verdict {
        let got = self.read(pieces)?;
        same_frames(expected, &got).given(given).likely(likely)
    }
}

/// The bytes on both sides of a cut.
fn cut(stream: &[u8], at: usize) -> String {
    const AROUND: usize = 28;
    let (before, after) = stream.split_at(at);
    let start = before.len().saturating_sub(AROUND);
    let end = after.len().min(AROUND);
    let ellipsis = |is_cut: bool| if is_cut { "…" } else { "" };
    format!(
        "{}{}✂{}{}\n(two pieces, cut after byte {at} of {})",
        ellipsis(start > 0),
        escape_untrusted(&before[start..]),
        escape_untrusted(&after[..end]),
        ellipsis(end < after.len()),
        stream.len()
    )
}

/// Feeds a piece and collects everything that the reader then returns.
pub fn fed(reader: &mut FrameReader, piece: &[u8]) -> Result<Vec<Found>, Failure> {
    reader.feed(piece);
    let mut found = Vec::new();
    while let Some(next) = reader.next_frame() {
        found.push(Found::of(next));
        if found.len() > piece.len() + 16 {
            let got = format!(
                "{} results without an end, after {} more bytes: {}",
                found.len(),
                piece.len(),
                truncate_escaped(piece, 100)
            );
            let cause = "a result that consumes no bytes is returned repeatedly; \
                         return `None` if more bytes are needed";
            return Err(Failure::new(got).because(cause));
        }
    }
    Ok(found)
}

fn with_joined_noise(found: Vec<Found>) -> Vec<Found> {
    let mut joined: Vec<Found> = Vec::new();
    for next in found {
        match (joined.last_mut(), next) {
            (Some(Found::Noise(sum)), Found::Noise(bytes)) => *sum += bytes,
            (_, next) => joined.push(next),
        }
    }
    joined
}

/// One line for each.
pub fn shown(found: &[Found]) -> String {
    found.iter().map(Found::shown).collect::<Vec<_>>().join("\n")
}

/// Marks the first byte at which two bodies differ, or else the first frame.
pub fn same_frames(expected: &[Found], got: &[Found]) -> Verdict {
    let differ = expected.iter().zip(got).find(|(expected, got)| expected != got);
    if let Some((Found::Body(expected), Found::Body(got))) = differ {
        return same_bytes(expected, got);
    }
    let all = |found: &[Found]| found.iter().map(Found::shown).collect::<Vec<_>>();
    same_list(&all(expected), &all(got))
}
