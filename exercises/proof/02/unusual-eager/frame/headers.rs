//! The length that a header block announces.

use super::{FrameError, content_length, fields::LENGTH, header_field};
use crate::transcript::truncate_escaped;

/// The length that a whole block of headers announces.
pub(super) fn announced(block: &[u8], max: usize) -> Result<usize, FrameError> {
    let bad = |reason: String| Err(FrameError::BadHeader(reason));
    let mut length = None;
    for line in block.split_inclusive(|byte| *byte == b'\n') {
        let Some((name, value)) = header_field(line) else {
            let text = truncate_escaped(line.trim_ascii(), 80);
            return bad(format!("not a header: {text}"));
        };
        if !name.eq_ignore_ascii_case(LENGTH) {
            continue;
        }
        let now = content_length(value)?;
        match length.replace(now) {
            Some(before) if before != now => {
                return bad(format!("two Content-Length values, {before} and {now}"));
            }
            _ => {}
        }
    }
    match length {
        None => bad("missing Content-Length".into()),
        Some(length) if length > max => {
            Err(FrameError::TooLong { what: "a body", limit: max })
        }
        Some(length) => Ok(length),
    }
}

/// Where a whole header with a valid length starts at the end of a line.
pub(super) fn embedded(line: &[u8]) -> Option<usize> {
    let starts = 0..line.len().saturating_sub(LENGTH.len());
    let at = starts
        .rev()
        .find(|at| line[*at..*at + LENGTH.len()].eq_ignore_ascii_case(LENGTH))?;
    let (_, value) = header_field(&line[at..])?;
    content_length(value).ok().map(|_| at)
}
