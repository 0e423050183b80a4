//! Task 2.2: detect the framing

use super::*;

fn is_detected(expected: Option<Framing>, bytes: &str, likely: &str) -> Verdict {
    same(expected, Framing::detect(bytes.as_bytes()))
        .given(truncate_escaped(bytes.as_bytes(), 100))
        .likely(likely)
}

#[test]
fn content_and_a_colon_means_headers() {
    judge("2.2", "`Content-…:` in any case means headers", || {
        for bytes in [
            "Content-Length: 40\r\n",
            "content-length:",
            "CONTENT-TYPE: x",
            &with_header(PING),
        ] {
            let likely = "compare the start without regard to case";
            is_detected(Some(Framing::ContentLength), bytes, likely)?;
        }
        Ok(())
    });
}

#[test]
fn anything_else_means_lines() {
    judge("2.2", "anything else means lines", || {
        for bytes in [
            "{",
            PING,
            "Starting server",
            "content\n",
            "Content is ready: 5\n",
            "Contents: 3\n",
            "C: drive",
            "X-Content-Length: 5",
        ] {
            let likely = "only `Content-`, the rest of a name and a colon mean headers";
            is_detected(Some(Framing::Newline), bytes, likely)?;
        }
        Ok(())
    });
}

#[test]
fn whitespace_and_byte_order_marks_decide_nothing() {
    judge(
        "2.2",
        "whitespace and byte order marks before the first text are ignored",
        || {
            let likely = "skip them first: `text_start` does";
            for before in ["\r\n", " \t\n", "\u{feff}", "\n\u{feff}\r\n\u{feff}"] {
                let headers = format!("{before}Content-Length: 40");
                is_detected(Some(Framing::ContentLength), &headers, likely)?;
                is_detected(
                    Some(Framing::Newline),
                    &format!("{before}{PING}"),
                    likely,
                )?;
            }
            Ok(())
        },
    );
}

#[test]
fn nothing_is_decided_too_early() {
    judge("2.2", "while it can be either framing, more bytes are needed", || {
        let likely = "a chunk may end anywhere: these bytes may be the start of \
                      `Content-Length:` or of a byte order mark";
        for bytes in ["", " \r\n", "\u{feff}", "C", "content", "Content-Length"] {
            is_detected(None, bytes, likely)?;
        }
        same(None, Framing::detect(b"\xef\xbb")).given("\\xef\\xbb").likely(likely)
    });
}

#[test]
fn an_endless_name_is_decided() {
    judge("2.2", "an endless name is decided: it is a line", || {
        let endless = format!("Content-{}", "a".repeat(4096));
        let likely = "do not wait forever for a colon: limit the length of a name";
        is_detected(Some(Framing::Newline), &endless, likely)
    });
}
