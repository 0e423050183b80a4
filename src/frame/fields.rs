//! One header line: its name and its value.

use super::FrameError;
use crate::transcript::truncate_escaped;

pub(super) const LENGTH: &[u8] = b"content-length";
const TYPE: &[u8] = b"content-type";

// ANCHOR: header-field
/// The name and the value of a header line, split at its first colon. The value may
/// have whitespace around it. `None` if the line is not a header: a name is one or more
/// letters, digits and hyphens, and the line ends in `\r\n`.
///
/// A bare `\n` is accepted after `Content-Length` and `Content-Type` only, in any case.
/// Otherwise a log line such as `Info: ready` would count as a header.
pub fn header_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
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
// ANCHOR_END: header-field

// ANCHOR: content-length
/// The number in a `Content-Length` value: decimal digits, with whitespace around them.
/// A number that does not fit a `usize` is above any limit: `usize::MAX`.
///
/// Errors: [`FrameError::BadHeader`] for any other value, also for one with a sign or
/// with a second carriage return at its end.
pub fn content_length(value: &[u8]) -> Result<usize, FrameError> {
    if value.ends_with(b"\r") {
        let reason = "extra CR at the line end (written in text mode?)";
        return Err(FrameError::BadHeader(reason.into()));
    }
    let digits = value.trim_ascii();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        let got = truncate_escaped(digits, 80);
        let reason = format!("Content-Length must be decimal digits, got `{got}`");
        return Err(FrameError::BadHeader(reason));
    }
    let number = digits.iter().try_fold(0usize, |number, digit| {
        number.checked_mul(10)?.checked_add(usize::from(digit - b'0'))
    });
    Ok(number.unwrap_or(usize::MAX))
}
// ANCHOR_END: content-length

/// Letters, digits and hyphens: the bytes of a header name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}
