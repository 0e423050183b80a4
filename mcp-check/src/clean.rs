//! Whether a stream consists of messages only. This is stricter than a reader, which
//! may ignore a blank line. Pure.

use crate::rule::{Failure, quoted};
use mcp_from_scratch::{frame::Framing, jsonrpc, transcript::escape_untrusted};

/// Counts the messages of a whole stream. If it `is_truncated`, its end may be missing.
pub fn count_messages(
    bytes: &[u8],
    framing: Framing,
    is_truncated: bool,
) -> Result<usize, Failure> {
    let mut rest = bytes;
    let mut messages = 0;
    while !rest.is_empty() {
        let split = match framing {
            Framing::Newline => split_line(rest),
            Framing::ContentLength => split_frame(rest),
        };
        let (body, after) = match split {
            Ok(split) => split,
            Err(_) if is_truncated && messages > 0 => break,
            Err(failure) => return Err(failure),
        };
        check_message(body)?;
        messages += 1;
        rest = after;
    }
    Ok(messages)
}

fn split_line(bytes: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        let cause = "the newline at the end is missing, so the reader still waits";
        return Err(Failure::new("a message and a newline", quoted(bytes), cause));
    };
    Ok((&bytes[..end], &bytes[end + 1..]))
}

fn split_frame(bytes: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    let failure = |got: &[u8], cause: &str| {
        Failure::new("`Content-Length: N`, an empty line, N bytes", quoted(got), cause)
    };
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(end) = end else {
        return Err(failure(bytes, "bytes outside any frame: printed to stdout?"));
    };
    let headers = &bytes[..end];
    let Some(length) = content_length(headers) else {
        return Err(failure(headers, "text before the header: printed to stdout?"));
    };
    let body = &bytes[end + 4..];
    if body.len() < length {
        let cause = "the body is shorter than Content-Length, which counts bytes";
        return Err(failure(bytes, cause));
    }
    Ok(body.split_at(length))
}

/// `None` if a line is neither of the two known headers, or the length is missing.
fn content_length(headers: &[u8]) -> Option<usize> {
    let mut length = None;
    for line in std::str::from_utf8(headers).ok()?.split("\r\n") {
        let (name, value) = line.split_once(':')?;
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = Some(value.trim().parse().ok()?),
            "content-type" => {}
            _ => return None,
        }
    }
    length
}

fn check_message(body: &[u8]) -> Result<(), Failure> {
    let Err(error) = jsonrpc::parse(body) else { return Ok(()) };
    let cause = match body.trim_ascii() {
        b"" => "a blank line".into(),
        b"{" | b"}" | b"[" => "JSON over several lines: a message is one line".into(),
        text if text.starts_with(b"{") => error.to_string(),
        text if text.starts_with(b"[") => format!("a batch, or a log line: {error}"),
        _ => "a log line or a print on stdout; logs belong on stderr".into(),
    };
    let cause = escape_untrusted(cause.as_bytes());
    Err(Failure::new("one JSON-RPC message", quoted(body), cause))
}
