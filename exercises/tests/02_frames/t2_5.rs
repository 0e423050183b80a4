//! Task 2.5: read a header block and a body of N bytes

use super::*;
use std::slice::from_ref;

#[test]
fn a_body_is_n_bytes() {
    judge("2.5", "after the empty line N bytes are the body", || {
        let stream = [PING, HELLO, "{}", NEXT].map(with_header).concat();
        let expected = [body(PING), body(HELLO), body("{}"), body(NEXT)];
        let likely = "a body of another length: count bytes, and take exactly N";
        OPEN.gives(&expected, stream, likely)
    });
}

#[test]
fn a_frame_is_returned_as_soon_as_its_last_byte_arrives() {
    judge("2.5", "a frame needs its last byte and nothing after it", || {
        let mut reader = OPEN.reader();
        let frame = with_header(HELLO);
        let (start, last) = frame.as_bytes().split_at(frame.len() - 1);
        let got = fed(&mut reader, start)?;
        same_frames(&[], &got)
            .given(format!("{}, one byte missing", escape_untrusted(start)))
            .likely("count bytes, not characters; a chunk is not a frame")?;
        let got = fed(&mut reader, last)?;
        same_frames(&[body(HELLO)], &got)
            .given("then its last byte")
            .likely("the body is complete; do not wait for the next header")?;
        let chunk = format!("{}{}Content-Len", with_header(PING), with_header(NEXT));
        let got = fed(&mut reader, chunk.as_bytes())?;
        same_frames(&[body(PING), body(NEXT)], &got)
            .given(escape_untrusted(chunk.as_bytes()))
            .likely("return all complete frames of a chunk, keep the rest")
    });
}

#[test]
fn a_body_is_not_parsed() {
    judge("2.5", "the bytes of a body are counted, not parsed", || {
        let likely = "nothing inside a body ends it, and nothing is trimmed";
        for text in [
            format!("{PING}\r\n\r\n"),
            "Content-Length: 5\r\n\r\n{\n}".into(),
            "\n".into(),
            String::new(),
        ] {
            let stream = with_header(&text) + &with_header(NEXT);
            OPEN.gives(&[body(&text), body(NEXT)], stream, likely)?;
        }
        OPEN.gives(&[body(b"\xff\xfe")], b"Content-Length: 2\r\n\r\n\xff\xfe", likely)
    });
}

#[test]
fn one_header_has_the_length_and_others_are_ignored() {
    judge("2.5", "Content-Length is read in any case, among other headers", || {
        let likely =
            "compare the whole name without regard to case; ignore other headers";
        for headers in [
            "content-length: 40\r\n",
            "CONTENT-LENGTH:40\r\n",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n\
             Content-Length: 40\r\n",
            "Content-Length: 40\r\nContent-Type: x\r\n",
            "X-Content-Length: 5\r\nContent-Length: 40\r\nContent-Length-Foo: 6\r\n",
            "Content-Length: 40\r\ncontent-length: 040\r\n",
        ] {
            let stream = format!("{headers}\r\n{PING}{}", with_header(NEXT));
            OPEN.gives(&[body(PING), body(NEXT)], stream, likely)?;
        }
        let likely = "a bare `\\n` may end the empty line, too";
        OPEN.gives(&[body(PING)], format!("Content-Length: 40\n\n{PING}"), likely)
    });
}

#[test]
fn a_block_without_a_usable_length_is_reported() {
    judge(
        "2.5",
        "a block with no length, a bad one or two different ones is an error",
        || {
            for headers in [
                "Content-Type: x\r\n",
                "X-Content-Length: 5\r\n",
                "Content-Length: -1\r\n",
                "Content-Length: \r\n",
                "Content-Length: 40\r\ncontent-length: 5\r\n",
                "Content-Length: five\r\nContent-Length: 5\r\n",
                "Content-Length: 5\r\nContent-Length: five\r\n",
            ] {
                let likely = "a bad length was ignored, or a missing one became 0";
                OPEN.gives(&[Found::BadHeader], format!("{headers}\r\n"), likely)?;
            }
            Ok(())
        },
    );
}

#[test]
fn a_line_where_frames_are_expected_is_the_other_framing() {
    judge(
        "2.5",
        "a first message without headers is an error and ends the stream",
        || {
            let wrong = Found::WrongFraming(Framing::ContentLength);
            let likely = "the peer would wait forever: `detects_newline_framing` \
                      detects it, and `close` ends the stream";
            for start in ["", "\r\n", "  "] {
                let stream = format!("{start}{PING}\n{NEXT}\n");
                OPEN.gives(from_ref(&wrong), stream, likely)?;
            }
            let got = OPEN.read([&b"{"[..]])?;
            same_frames(&[wrong], &got)
                .given("{")
                .likely("the first byte decides; the end of the line may never arrive")
        },
    );
}

#[test]
fn the_first_bytes_decide_for_headers() {
    judge("2.5", "without a framing the first bytes decide, once", || {
        let either = Reading { mode: FramingMode::Auto, ..OPEN };
        let stream = with_header(PING) + &with_header(NEXT);
        let expected = [body(PING), body(NEXT)];
        either.gives(
            &expected,
            &stream,
            "the bytes that `detect` has read belong to the first frame",
        )?;
        let mut reader = either.reader();
        fed(&mut reader, stream.as_bytes())?;
        same(Some(Framing::ContentLength), reader.framing())
            .given(escape_untrusted(stream.as_bytes()))
    });
}
