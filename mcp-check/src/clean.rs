//! Whether a stream holds messages and nothing else, strictly: a reader may pass over a
//! blank line, a judge does not. Pure.

use crate::rule::{Failure, quoted};
use mcp_from_scratch::{frame::Framing, jsonrpc, transcript::escape_untrusted};

/// Looks at a whole stream; `true`: its end may be missing. Returns how many messages
/// there are.
pub fn judge(bytes: &[u8], framing: Framing, is_cut: bool) -> Result<usize, Failure> {
    let mut rest = bytes;
    let mut messages = 0;
    while !rest.is_empty() {
        let taken = match framing {
            Framing::Newline => line(rest),
            Framing::ContentLength => frame(rest),
        };
        let (body, after) = match taken {
            Ok(taken) => taken,
            Err(_) if is_cut && messages > 0 => break,
            Err(failure) => return Err(failure),
        };
        message(body)?;
        messages += 1;
        rest = after;
    }
    Ok(messages)
}

fn line(bytes: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    let Some(end) = bytes.iter().position(|byte| *byte == b'\n') else {
        let cause = "the newline at the end is missing, so a reader still waits for it";
        return Err(Failure::new("a message and a newline", quoted(bytes), cause));
    };
    Ok((&bytes[..end], &bytes[end + 1..]))
}

fn frame(bytes: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    let wrong = |got: &[u8], cause: &str| {
        Failure::new("`Content-Length: N`, an empty line, N bytes", quoted(got), cause)
    };
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n");
    let Some(end) = end else {
        return Err(wrong(bytes, "these bytes belong to no frame: printed to stdout?"));
    };
    let headers = &bytes[..end];
    let Some(length) = content_length(headers) else {
        return Err(wrong(headers, "text before the header: printed to stdout?"));
    };
    let body = &bytes[end + 4..];
    if body.len() < length {
        return Err(wrong(
            bytes,
            "the body is shorter than its header says; the length counts bytes",
        ));
    }
    Ok(body.split_at(length))
}

/// `None` if one line is none of the two headers that there are, or the length is not
/// there.
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

fn message(body: &[u8]) -> Result<(), Failure> {
    let expected = "one JSON-RPC message";
    match jsonrpc::parse(body) {
        Ok(_) => Ok(()),
        Err(malformed) => {
            let cause =
                escape_untrusted(cause(body, &malformed.to_string()).as_bytes());
            Err(Failure::new(expected, quoted(body), cause))
        }
    }
}

fn cause(body: &[u8], reason: &str) -> String {
    match body.trim_ascii() {
        b"" => "a blank line".into(),
        b"{" | b"}" | b"[" => "JSON over several lines: a message is one line".into(),
        text if text.starts_with(b"{") => reason.into(),
        text if text.starts_with(b"[") => format!("a batch, or a log line: {reason}"),
        _ => "a log line or a print on stdout; logging belongs on stderr".into(),
    }
}
