//! What the graders of exercise 2 leave open: the text of errors, and the edges of the
//! limits.

use mcp_from_scratch::frame::{
    FrameError, FrameReader, Framing, FramingMode, MAX_HEADER_LINE, MAX_HEADERS,
};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const NEXT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
const LIMIT: usize = 1024;

const LONG_BODY: &str = "a body is longer than 1024 bytes";
const LONG_LINE: &str = "a line is longer than 1024 bytes";
const LONG_HEADER: &str = "a header line is longer than 8192 bytes";
const LONG_BLOCK: &str = "a header block is longer than 65536 bytes";

/// The bodies and the texts of the errors in a stream that arrives in chunks.
fn read_in(mode: FramingMode, chunk: usize, stream: &[u8]) -> Vec<String> {
    let text = |frame: Result<Vec<u8>, FrameError>| match frame {
        Ok(body) => String::from_utf8(body).expect("UTF-8 in these tests"),
        Err(error) => error.to_string(),
    };
    let mut reader = FrameReader::new(mode, LIMIT);
    let mut found = Vec::new();
    for chunk in stream.chunks(chunk) {
        reader.feed(chunk);
        found.extend(std::iter::from_fn(|| reader.next_frame()).map(text));
    }
    found.extend(reader.finish().map(text));
    found
}

#[track_caller]
fn assert_read(mode: impl Into<FramingMode>, expected: &[&str], stream: &str) {
    let (mode, stream) = (mode.into(), stream.as_bytes());
    assert_eq!(expected, read_in(mode, stream.len().max(1), stream), "whole");
    assert_eq!(expected, read_in(mode, 1, stream), "byte by byte");
}

#[track_caller]
fn assert_lines(expected: &[&str], stream: &str) {
    assert_read(Framing::Newline, expected, stream);
}

#[track_caller]
fn assert_headers(expected: &[&str], stream: &str) {
    assert_read(Framing::ContentLength, expected, stream);
}

fn with_header(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn noise(bytes: usize, sample: &str) -> String {
    format!("skipped {bytes} bytes outside any frame (printed to stdout?): {sample}")
}

#[test]
fn a_framing_mode_is_parsed_as_it_is_displayed() {
    let newline = FramingMode::from(Framing::Newline);
    for mode in [FramingMode::Auto, newline, Framing::ContentLength.into()] {
        assert_eq!(Ok(mode), mode.to_string().parse());
        assert!(["auto", "newline", "content-length"].contains(&&*mode.to_string()));
    }
    let error = "lines".parse::<FramingMode>().unwrap_err().to_string();
    assert_eq!("expected auto, newline or content-length", error);
    let error = "auto".parse::<Framing>().unwrap_err().to_string();
    assert_eq!("expected newline or content-length", error);
}

#[test]
fn a_bad_header_is_reported_with_its_reason() {
    for (headers, reason) in [
        ("Content-Length: +40\r\n", "Content-Length must be decimal digits, got `+40`"),
        ("Content-Length: \r\n", "Content-Length must be decimal digits, got ``"),
        (
            "Content-Length: 40\r\r\n",
            "extra CR at the line end (written in text mode?)",
        ),
        ("Content-Type: x\r\n", "missing Content-Length"),
        ("content-length-foo: 40\r\n", "missing Content-Length"),
        (
            "Content-Length: 40\r\ncontent-length: 5\r\n",
            "two Content-Length values, 40 and 5",
        ),
    ] {
        let stream = format!("{headers}\r\n{PING}{}", with_header(NEXT));
        let (error, body) = (format!("bad header: {reason}"), noise(40, PING));
        assert_headers(&[&error, &body, NEXT], &stream);
    }
    let stream = format!("Content-Length: 40\r\noops\r\n{}", with_header(NEXT));
    assert_headers(&["bad header: not a header: oops", NEXT], &stream);
}

/// In parts, only the end of such a line is kept; whole, it must give the same.
#[test]
fn a_header_above_the_limit_is_never_a_header() {
    let long = format!("Content-Length:{}2\r\n", " ".repeat(9000));
    let stream = format!("{}{long}\r\n{PING}{}", with_header(PING), with_header(NEXT));
    let error = "a header line is longer than 8192 bytes";
    assert_headers(&[PING, error, &noise(40, PING), NEXT], &stream);
}

#[test]
fn the_end_of_a_truncated_input_is_counted() {
    for (stream, error) in [
        ("Content-Le", "got 10 bytes of a header"),
        ("Content-Length: 40\r\nCon", "got 23 bytes of a header"),
        ("Content-Length: 40\r\n\r\n{", "got 1 bytes of 40"),
    ] {
        assert_headers(&[&format!("input ended inside a frame: {error}")], stream);
    }
}

#[test]
fn a_sample_of_noise_is_trimmed_escaped_and_short() {
    let log = format!("  \u{1b}[2K{}\n", "é".repeat(100));
    let stream = with_header(PING) + &log + &with_header(NEXT);
    let sample = format!(r"\u{{1b}}[2K{}…", "é".repeat(38));
    assert_headers(&[PING, &noise(207, &sample), NEXT], &stream);
    let log = "a".repeat(80);
    let stream = with_header(PING) + &log;
    assert_headers(&[PING, &noise(80, &log)], &stream);
}

#[test]
fn whitespace_and_byte_order_marks_between_frames_are_ignored() {
    let (ping, next) = (with_header(PING), with_header(NEXT));
    let space = "\r\n\n  \r\n\r\u{feff}\r\n";
    assert_headers(&[PING, NEXT], &format!("{space}{ping}{space}{next}{space}"));
    assert_headers(&[PING, NEXT], &format!("\u{feff}{ping}\u{feff}{next}"));
    assert_lines(&[PING, NEXT], &format!("\u{feff}{PING}\r\n\u{feff}{NEXT}\n"));
}

#[test]
fn the_other_framing_is_reported_and_ends_the_stream() {
    let error = "the peer uses newline framing, expected content-length";
    for log in ["", "ready\n", "Info: ready\r\n"] {
        let stream = format!("{log}{PING}\n{NEXT}\n").into_bytes();
        let found = read_in(Framing::ContentLength.into(), 7, &stream);
        assert_eq!(Some(error), found.last().map(String::as_str), "{log:?}");
    }
    let error = "the peer uses content-length framing, expected newline";
    let mut reader = FrameReader::new(Framing::Newline, LIMIT);
    reader.feed(format!("\u{feff}{}\n", with_header(PING)).as_bytes());
    assert_eq!(error, reader.next_frame().unwrap().unwrap_err().to_string());
    reader.feed(PING.as_bytes());
    assert_eq!((None, None), (reader.next_frame(), reader.finish()));
    assert_eq!(Some(Framing::Newline), reader.framing());
}

#[test]
fn an_undecided_input_is_read_as_a_line() {
    assert_read(FramingMode::Auto, &["Content-"], "Content-");
    assert_read(FramingMode::Auto, &[], " \n");
}

#[test]
fn the_limit_for_a_line_is_the_limit_for_its_body() {
    let (longest, longer) = ("a".repeat(LIMIT), "a".repeat(LIMIT + 1));
    for (before, after) in [("", "\n"), ("", "\r\n"), ("\u{feff}", "\r\n")] {
        let stream = format!("{before}{longest}{after}{before}{longer}{after}{PING}\n");
        assert_lines(&[&longest, LONG_LINE, PING], &stream);
    }
    assert_lines(&[&longest], &longest);
    for excess in 1..10 {
        assert_lines(&[LONG_LINE], &"a".repeat(LIMIT + excess));
    }
    for character in ["a", " "] {
        let long = character.repeat(10 * LIMIT);
        let stream = format!("{PING}\n{long}\n{NEXT}\n{long}");
        assert_lines(&[PING, LONG_LINE, NEXT, LONG_LINE], &stream);
    }
}

#[test]
fn a_header_line_at_the_limit_is_read_and_a_longer_one_is_reported_once() {
    let line = |length: usize| "X: ".to_owned() + &"v".repeat(length - 4) + "\r\n";
    let (ping, next) = (with_header(PING), with_header(NEXT));
    assert_headers(&[PING], &(line(MAX_HEADER_LINE) + &ping));
    for excess in [1, 2, MAX_HEADER_LINE] {
        let stream = ping.clone() + &line(MAX_HEADER_LINE + excess) + &next;
        assert_headers(&[PING, LONG_HEADER, NEXT], &stream);
    }
}

#[test]
fn a_header_block_at_the_limit_is_read_and_a_longer_one_is_reported_once() {
    let (one, length) = ("X-Y: z\r\n", "Content-Length: 40\r\n");
    let fill = one.repeat((MAX_HEADERS - length.len()) / one.len());
    assert_headers(&[PING], &format!("{fill}{length}\r\n{PING}"));
    let stream = format!("{fill}{fill}{length}\r\n{}", with_header(NEXT));
    assert_headers(&[LONG_BLOCK, NEXT], &stream);
}

#[test]
fn the_end_of_a_long_line_is_only_searched_for_a_header() {
    let long = "a".repeat(3 * MAX_HEADER_LINE);
    let stream = with_header(PING) + &long + &with_header(NEXT);
    assert_headers(&[PING, LONG_HEADER, NEXT], &stream);
    assert_headers(&[LONG_HEADER], &("a".to_owned() + &"{".repeat(9000)));
    let rest = "b".repeat(MAX_HEADER_LINE - "content-length".len());
    assert_headers(&[LONG_HEADER], &format!("aacontent-length{rest}"));
}

#[test]
fn after_an_error_a_long_line_is_noise() {
    let long = "a".repeat(2 * MAX_HEADER_LINE);
    let sample = format!("{}…", "a".repeat(80));
    let (ping, next) = (with_header(PING), with_header(NEXT));
    let second = noise(long.len() + 1, &sample);
    let stream = format!("{ping}{long}\n{long}\n{next}");
    assert_headers(&[PING, LONG_HEADER, &second, NEXT], &stream);
    let bad = "bad header: missing Content-Length";
    let stream = format!("Content-Type: x\r\n\r\n{long}}}{next}");
    assert_headers(&[bad, &second, NEXT], &stream);
}

#[test]
fn the_body_of_a_rejected_header_is_noise() {
    for text in ["", "ready "] {
        let stream = format!("{text}Content-Length: 9999\r\n\r\n{PING}");
        let found = read_in(Framing::ContentLength.into(), 7, stream.as_bytes());
        assert_eq!([LONG_BODY, &noise(40, PING)], found[found.len() - 2..], "{text:?}");
    }
}
