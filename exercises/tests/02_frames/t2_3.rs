//! Task 2.3: read lines

use super::*;
use std::{slice::from_ref, time::Duration};

#[test]
fn each_line_is_a_body() {
    judge("2.3", "each line is a frame, however the bytes are cut", || {
        let stream = format!("{PING}\n{HELLO}\n{{}}\n{NEXT}\n");
        let expected = [body(PING), body(HELLO), body("{}"), body(NEXT)];
        LINES.gives(&expected, stream, "a body is what precedes its `\\n`")
    });
}

#[test]
fn a_line_is_returned_as_soon_as_its_newline_arrives() {
    judge("2.3", "a frame needs its last byte and nothing after it", || {
        let mut reader = LINES.reader();
        let got = fed(&mut reader, PING.as_bytes())?;
        same_frames(&[], &got)
            .given(format!("{PING}, no newline yet"))
            .likely("a chunk is not a frame: the line has not ended")?;
        let got = fed(&mut reader, b"\n")?;
        same_frames(&[body(PING)], &got)
            .given("then its \\n")
            .likely("the frame is complete, and its sender waits for the response")?;
        let chunk = format!("{PING}\n{NEXT}\n{}", &HELLO[..9]);
        let got = fed(&mut reader, chunk.as_bytes())?;
        same_frames(&[body(PING), body(NEXT)], &got)
            .given(chunk)
            .likely("return all complete lines of a chunk, keep the rest")
    });
}

#[test]
fn carriage_returns_empty_lines_and_a_byte_order_mark_are_ignored() {
    judge("2.3", "`\\r\\n` ends a line, too; empty lines are ignored", || {
        let stream = format!("{PING}\r\n\n   \n{HELLO}\r\n\t\r\n\r\n{NEXT}\n\n");
        let expected = [body(PING), body(HELLO), body(NEXT)];
        LINES.gives(
            &expected,
            stream,
            "remove the `\\r`; ignore a line of whitespace",
        )?;
        let inside = "{\"text\":\"\u{feff}\"}";
        let stream = format!("\u{feff}{PING}\n{inside}\n");
        let likely = "a byte order mark is ignored at the start of a line only";
        LINES.gives(&[body(PING), body(inside)], stream, likely)
    });
}

#[test]
fn only_a_newline_ends_a_line() {
    judge("2.3", "U+2028, U+0085 and a lone `\\r` do not end a line", || {
        let text = "{\"text\":\"a\u{2028}b\u{2029}c\u{85}d\re\u{b}f\u{c}g\"}";
        let likely = "split at the byte 0x0a only, not at other characters that end \
                      lines elsewhere";
        LINES.gives(&[body(text)], format!("{text}\n"), likely)?;
        let text = " \t{\"a\":\r1}\r";
        let likely = "remove the line end with at most one `\\r`, and a byte order \
                      mark, and nothing else";
        LINES.gives(&[body(text)], format!("{text}\r\n"), likely)
    });
}

#[test]
fn bytes_that_are_not_utf8_stay_in_their_line() {
    judge(
        "2.3",
        "a line is bytes; the codec checks later whether they are UTF-8",
        || {
            let stream = b"{\"id\":\xff}\n{}\n";
            let likely = "do not convert to a string here, lossy or not";
            LINES.gives(&[body(b"{\"id\":\xff}"), body("{}")], stream, likely)
        },
    );
}

#[test]
fn a_log_line_is_a_body() {
    judge(
        "2.3",
        "a line that is not a message is a body, too: the codec rejects it",
        || {
            let stream = format!("ready\n{PING}\nwarn: slow\n{NEXT}\n");
            let expected = [body("ready"), body(PING), body("warn: slow"), body(NEXT)];
            LINES.gives(
                &expected,
                stream,
                "the reader does not check what a line contains",
            )
        },
    );
}

#[test]
fn the_last_line_needs_no_newline() {
    judge(
        "2.3",
        "at the end of the input the rest is a line, unless it is empty",
        || {
            let likely = "`finish` reads what remains as a line";
            let stream = format!("{PING}\n{NEXT}");
            LINES.gives(&[body(PING), body(NEXT)], stream, likely)?;
            let likely = "whitespace that remains is not a frame";
            LINES.gives(&[body(PING)], format!("{PING}\n"), likely)?;
            LINES.gives(&[], " \r\n ", likely)?;
            LINES.gives(&[], "", likely)
        },
    );
}

#[test]
fn headers_where_lines_are_expected_are_the_other_framing() {
    judge(
        "2.3",
        "headers in place of the first message are an error and end the stream",
        || {
            let wrong = Found::WrongFraming(Framing::Newline);
            let likely =
                "`Framing::detect` recognises a header; `close` ends the stream";
            LINES.gives(from_ref(&wrong), with_header(PING) + "\n", likely)?;
            let stream = format!("ready\n{}\n", with_header(PING));
            LINES.gives(&[body("ready"), wrong.clone()], stream, likely)?;
            let stream = "Content-Type: x\r\nContent-Length: 2\r\n\r\n{}\n";
            let first = "`Content-Type` may come first: it is a header, too";
            LINES.gives(from_ref(&wrong), stream, first)?;
            for log in ["[info] ready", "state {a: 1}", "[1]"] {
                let stream = format!("{log}\n{}\n", with_header(PING));
                let log_first =
                    "a log line is not a message: a message starts with `{`";
                LINES.gives(&[body(log), wrong.clone()], stream, log_first)?;
            }
            let stream = format!("{PING}\nContent-Length: 5\n{NEXT}\n");
            let expected = [body(PING), body("Content-Length: 5"), body(NEXT)];
            let likely = "a first message confirms the framing: `confirmed`";
            LINES.gives(&expected, stream, likely)
        },
    );
}

#[test]
fn the_first_bytes_decide_for_lines() {
    judge("2.3", "without a framing the first bytes decide, once", || {
        let mut reader = FrameReader::new(FramingMode::Auto, SMALL);
        same(None, reader.framing()).given("nothing yet")?;
        let stream = format!("\r\n{PING}\n");
        let got = fed(&mut reader, stream.as_bytes())?;
        same_frames(&[body(PING)], &got)
            .given(escape_untrusted(stream.as_bytes()))
            .likely(
                "the bytes that `Framing::detect` has read belong to the first frame",
            )?;
        same(Some(Framing::Newline), reader.framing())
            .given(escape_untrusted(stream.as_bytes()))
            .likely("`next_frame` keeps the result of `Framing::detect`")
    });
}

/// More than ten times what a correct solution needs without optimisation.
const ENOUGH: Duration = Duration::from_millis(600);

/// Whether all `steps` are done in time. The load of the machine does not count.
fn in_time(steps: usize, mut step: impl FnMut()) -> bool {
    let clock = Clock::start();
    (0..steps).all(|done| {
        step();
        done % 128 != 0 || clock.time() < ENOUGH
    })
}

#[test]
fn reading_takes_linear_time() {
    judge("2.3", "reading takes linear time, however the bytes are cut", || {
        let reading = Reading { max: 1 << 20, ..LINES };
        let (mut reader, bytes) = (reading.reader(), 1 << 16);
        let done = in_time(bytes, || {
            reader.feed(b"a");
            reader.next_frame();
        });
        holds(
            done,
            format_args!("{bytes} bytes read within {ENOUGH:?}"),
            format_args!("only a part of them"),
        )
        .given("one long line, byte by byte")
        .likely(
            "the line is searched from its start for each byte: start at `searched`",
        )?;
        let (mut reader, lines) = (LINES.reader(), 20_000);
        reader.feed(format!("{PING}{PING}\n").repeat(lines).as_bytes());
        let done = in_time(lines, || {
            reader.next_frame();
        });
        holds(
            done,
            format_args!("{lines} lines read within {ENOUGH:?}"),
            format_args!("only a part of them"),
        )
        .given("many lines in one chunk")
        .likely(
            "the rest of the buffer is moved for each line: `Buffer::take` avoids that",
        )
    });
}
