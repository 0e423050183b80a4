//! What may stand on a stream.

use mcp_check::clean::judge;
use mcp_from_scratch::frame::Framing::{self, ContentLength, Newline};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn framed(framing: Framing, bodies: &[&str]) -> Vec<u8> {
    bodies.iter().flat_map(|body| framing.encode(body.as_bytes())).collect()
}

/// The cause that is told.
fn cause(bytes: &[u8], framing: Framing) -> String {
    judge(bytes, framing, false).expect_err("it is not clean").cause
}

#[test]
fn messages_are_counted() {
    for framing in [Newline, ContentLength] {
        assert_eq!(
            2,
            judge(&framed(framing, &[PING, PING]), framing, false).expect("clean")
        );
        assert_eq!(0, judge(b"", framing, false).expect("clean"));
    }
}

#[test]
fn a_carriage_return_before_the_newline_is_white_space() {
    assert_eq!(
        1,
        judge(format!("{PING}\r\n").as_bytes(), Newline, false).expect("clean")
    );
}

#[test]
fn a_blank_line_is_no_message() {
    assert_eq!("a blank line", cause(b"\n", Newline));
}

#[test]
fn a_last_line_without_its_newline_is_not_sent_yet() {
    let expected = "the newline at the end is missing, so a reader still waits for it";
    assert_eq!(expected, cause(PING.as_bytes(), Newline));
}

#[test]
fn a_log_line_and_a_pretty_message_are_told_apart() {
    let log = "a log line or a print on stdout; logging belongs on stderr";
    assert_eq!(log, cause(b"server started\n", Newline));
    let pretty = "JSON over several lines: a message is one line";
    assert_eq!(pretty, cause(b"{\n  \"jsonrpc\": \"2.0\"\n}\n", Newline));
}

#[test]
fn text_around_headers_is_found_whatever_it_looks_like() {
    for text in ["hello\r\n", "info: ready\r\n", "\r\n"] {
        let bytes = [text.as_bytes(), &framed(ContentLength, &[PING])].concat();
        let expected = "text before the header: printed to stdout?";
        assert_eq!(expected, cause(&bytes, ContentLength), "{text:?}");
    }
}

#[test]
fn a_body_shorter_than_its_header_says_is_found() {
    let expected = "the body is shorter than its header says; the length counts bytes";
    assert_eq!(expected, cause(b"Content-Length: 99\r\n\r\n{}", ContentLength));
}

#[test]
fn only_the_end_of_a_cut_stream_may_be_missing() {
    let mut bytes = framed(Newline, &[PING, PING]);
    bytes.truncate(bytes.len() - 5);
    assert_eq!(1, judge(&bytes, Newline, true).expect("clean so far"));
    assert!(judge(&bytes, Newline, false).is_err());
    // A megabyte that belongs to no message is no missing end.
    assert!(judge(&[b'x'; 1 << 20], Newline, true).is_err());
}
