//! One header line: its name and its value.

#![allow(unused)]

use super::FrameError;
use crate::transcript::truncate_escaped;

pub(super) const LENGTH: &[u8] = b"content-length";
const TYPE: &[u8] = b"content-type";

/// The name and the value of a header line, split at its first colon. The value may
/// have whitespace around it. `None` if the line is not a header: a name is one or more
/// letters, digits and hyphens, and the line ends in `\r\n`.
///
/// A bare `\n` is accepted after `Content-Length` and `Content-Type` only, in any case.
/// Otherwise a log line such as `Info: ready` would count as a header.
pub fn header_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    todo!("task 2.4: read a header")
}

/// The number in a `Content-Length` value: decimal digits, with whitespace around them.
/// A number that does not fit a `usize` is above any limit: `usize::MAX`.
///
/// Errors: [`FrameError::BadHeader`] for any other value, also for one with a sign or
/// with a second carriage return at its end.
pub fn content_length(value: &[u8]) -> Result<usize, FrameError> {
    todo!("task 2.4: read a header")
}

/// Letters, digits and hyphens: the bytes of a header name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}
