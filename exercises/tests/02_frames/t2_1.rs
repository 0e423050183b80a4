//! Task 2.1: write a frame

use super::*;

#[test]
fn a_line_is_the_body_and_a_newline() {
    judge("2.1", "under newline a frame is the body and one `\\n`", || {
        same_bytes(format!("{PING}\n"), Framing::Newline.encode(PING.as_bytes()))
            .given("Framing::Newline and the body of a ping request")
            .likely("only `\\n` follows the body: no `\\r`, no header, no space")
    });
}

#[test]
fn a_raw_newline_does_not_stay_in_a_line() {
    judge("2.1", "a line ends with its only `\\n` and has the same meaning", || {
        let text = "{\n  \"jsonrpc\": \"2.0\",\n  \"text\": \"a\\nb\"\n}\n";
        let inside = "between a and b there are two characters, `\\` and `n`";
        let line = Framing::Newline.encode(text.as_bytes());
        let newlines = line.iter().filter(|byte| **byte == b'\n').count();
        holds(
            newlines == 1 && line.ends_with(b"\n"),
            "one `\\n`, at the end",
            format_args!("{newlines} of them: {}", escape_untrusted(&line)),
        )
        .given(format!("{}\n({inside})", escape_untrusted(text.as_bytes())))
        .likely(
            "JSON allows a raw newline only between tokens: replace it by a space",
        )?;
        let value =
            |json: &[u8]| serde_json::from_slice::<serde_json::Value>(json).ok();
        holds(
            value(text.as_bytes()) == value(&line),
            "a line with the same meaning",
            format_args!("{}", escape_untrusted(&line)),
        )
        .given(format!("{}\n({inside})", escape_untrusted(text.as_bytes())))
        .likely("`\\` and `n` inside a string are not a newline: do not replace them")
    });
}

#[test]
fn a_length_counts_bytes() {
    judge("2.1", "Content-Length is the length of the body in bytes", || {
        for text in [PING, r#"{"text":"你好 — é 🎉"}"#, "{}", ""] {
            let (bytes, characters) = (text.len(), text.chars().count());
            same_bytes(
                with_header(text),
                Framing::ContentLength.encode(text.as_bytes()),
            )
            .given(format!("{text}\n({bytes} bytes, {characters} characters)"))
            .likely(
                "`Content-Length: `, the number of bytes and not of characters, \
                     `\\r\\n` twice, then the body",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_body_with_a_length_is_not_changed() {
    judge("2.1", "under Content-Length the body is written byte for byte", || {
        let text = "{\r\n  \"a\": 1\n}\n";
        same_bytes(with_header(text), Framing::ContentLength.encode(text.as_bytes()))
            .given(escape_untrusted(text.as_bytes()))
            .likely("this body may contain newlines: nothing in it is replaced")
    });
}
