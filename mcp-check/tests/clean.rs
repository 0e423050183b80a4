//! What a stream may contain.

use mcp_check::clean::count_messages;
use mcp_from_scratch::frame::Framing::{self, ContentLength, Newline};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

fn framed(framing: Framing, bodies: &[&str]) -> Vec<u8> {
    bodies.iter().flat_map(|body| framing.encode(body.as_bytes())).collect()
}

fn count(bytes: &[u8], framing: Framing) -> usize {
    count_messages(bytes, framing, false).expect("messages only")
}

fn cause(bytes: &[u8], framing: Framing) -> String {
    count_messages(bytes, framing, false).expect_err("something else").cause
}

#[test]
fn messages_are_counted() {
    for framing in [Newline, ContentLength] {
        assert_eq!(2, count(&framed(framing, &[PING, PING]), framing));
        assert_eq!(0, count(b"", framing));
    }
}

#[test]
fn a_carriage_return_before_the_newline_is_whitespace() {
    assert_eq!(1, count(format!("{PING}\r\n").as_bytes(), Newline));
}

#[test]
fn each_line_that_is_not_a_message_has_a_cause() {
    for (expected, bytes) in [
        ("a blank line", &b"\n"[..]),
        (
            "the newline at the end is missing, so the reader still waits",
            PING.as_bytes(),
        ),
        ("a log line or a print on stdout; logs belong on stderr", b"server started\n"),
        (
            "JSON over several lines: a message is one line",
            b"{\n  \"jsonrpc\": \"2.0\"\n}\n",
        ),
    ] {
        assert_eq!(expected, cause(bytes, Newline));
    }
}

#[test]
fn text_around_headers_is_found_even_if_it_looks_like_one() {
    for text in ["hello\r\n", "info: ready\r\n", "\r\n"] {
        let bytes = [text.as_bytes(), &framed(ContentLength, &[PING])].concat();
        let expected = "text before the header: printed to stdout?";
        assert_eq!(expected, cause(&bytes, ContentLength), "{text:?}");
    }
}

#[test]
fn a_body_that_is_shorter_than_its_length_is_found() {
    let expected = "the body is shorter than Content-Length, which counts bytes";
    assert_eq!(expected, cause(b"Content-Length: 99\r\n\r\n{}", ContentLength));
}

#[test]
fn only_a_truncated_stream_may_lack_its_end() {
    let mut bytes = framed(Newline, &[PING, PING]);
    bytes.truncate(bytes.len() - 5);
    assert_eq!(1, count_messages(&bytes, Newline, true).expect("one message"));
    assert!(count_messages(&bytes, Newline, false).is_err());
    // A megabyte without any message is not a missing end.
    assert!(count_messages(&[b'x'; 1 << 20], Newline, true).is_err());
}
