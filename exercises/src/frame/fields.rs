//! One header line: its name and its value.

#![allow(unused)]

use super::FrameError;
use crate::transcript::truncate_escaped;

pub(super) const LENGTH: &[u8] = b"content-length";
const TYPE: &[u8] = b"content-type";

/// Name and value of a header line, split at its first colon; blanks may stand around
/// the value. `None` if the line is no header: a name is one or more letters, digits
/// and hyphens, and the line ends in `\r\n`.
///
/// A bare `\n` is accepted after `Content-Length` and `Content-Type` only, in any case,
/// or a log line such as `Info: ready` would pass for a header.
pub fn header_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    todo!("task 2.4: read a header")
}

/// The number in a `Content-Length` value: decimal digits and nothing else, with blanks
/// around. What does not fit a `usize` is longer than any limit: `usize::MAX`.
///
/// Errors: [`FrameError::BadHeader`] for any other value, signs and a second carriage
/// return at its end included.
pub fn content_length(value: &[u8]) -> Result<usize, FrameError> {
    todo!("task 2.4: read a header")
}

/// Letters, digits and hyphens: all that header names here consist of.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}
