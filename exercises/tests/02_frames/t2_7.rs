//! Task 2.7: continue after noise

use super::*;

/// A good frame, the noise, another frame: the reader returns all three.
fn loses_no_frame(noise: &str, likely: &str) -> Verdict {
    let stream = format!("{}{noise}{}", with_header(PING), with_header(NEXT));
    HEADERS.gives(&[body(PING), Found::Noise(noise.len()), body(NEXT)], stream, likely)
}

#[test]
fn a_log_line_is_reported_and_loses_no_frame() {
    judge(
        "2.7",
        "text between frames is reported with its length; no frame is lost",
        || {
            let likely = "count each byte of the line as noise once; the next line is \
                      handled separately";
            loses_no_frame("cache warm\n", likely)?;
            loses_no_frame("Info: parsed 35 declarations\n你好\n", likely)?;
            loses_no_frame(
                "{\n",
                "after the first frame a brace is noise like any other text",
            )?;
            let stream = with_header(PING) + "\r\n";
            HEADERS.gives(&[body(PING)], stream, "whitespace is not noise")?;
            let stream = format!("ready\n{}", with_header(PING));
            HEADERS.gives(&[Found::Noise(6), body(PING)], stream, likely)
        },
    );
}

#[test]
fn text_before_a_header_loses_no_frame() {
    judge("2.7", "a header at the end of a line of text is a header", || {
        let likely = "the text was printed without a newline, so the header is not \
                      at the start of the line: search the line";
        for text in ["ready ", "[main.rs:3] x = 5", "你好", "no Content-Length? "] {
            loses_no_frame(text, likely)?;
        }
        let likely = "the name of a header is read in any case, inside a line, too";
        for name in ["content-length", "CONTENT-LENGTH"] {
            let embedded = format!("ready {name}: {}\r\n\r\n{NEXT}", NEXT.len());
            let expected = [body(PING), Found::Noise(6), body(NEXT)];
            HEADERS.gives(&expected, with_header(PING) + &embedded, likely)?;
        }
        Ok(())
    });
}

#[test]
fn text_about_a_header_is_noise() {
    judge("2.7", "only a whole, valid Content-Length header starts a frame", || {
        for noise in [
            "expected a Content-Length: header\n",
            "Content-Length\n",
            "the Content-Length: 5 of it is wrong\n",
        ] {
            let likely = "the name alone is not a header: a length must follow it, up \
                          to the end of the line";
            loses_no_frame(noise, likely)?;
        }
        let likely = "`X-Content-Length` is another name, not text before a header";
        loses_no_frame("X-Content-Length: 5\n", likely)
    });
}

#[test]
fn a_length_in_characters_loses_one_message() {
    judge("2.7", "a length that is too short loses only its own message", || {
        let text = r#"{"text":"你好","n":10}"#;
        let characters = text.chars().count();
        let wrong = format!("Content-Length: {characters}\r\n\r\n{text}");
        let cut = &text[..characters];
        let rest = Found::Noise(text.len() - characters);
        let expected = [body(cut), rest, body(NEXT)];
        let likely = "what follows the short body is noise before the next header";
        HEADERS.gives(&expected, wrong + &with_header(NEXT), likely)
    });
}

#[test]
fn the_body_of_a_bad_header_is_noise() {
    judge(
        "2.7",
        "after a bad header the reader continues at the next Content-Length line",
        || {
            let inside = r#"{"a":"Content-Length: 5\r\n\r\n"}"#;
            for text in [PING, inside] {
                for header in ["Content-Length: -1\r\n\r\n", "Content-Type: x\r\n\r\n"]
                {
                    let stream = format!("{header}{text}{}", with_header(NEXT));
                    let noise = Found::Noise(text.len());
                    let likely = "the body after a bad header is noise; a header \
                              inside a JSON string does not end in a newline";
                    HEADERS.gives(
                        &[Found::BadHeader, noise, body(NEXT)],
                        stream,
                        likely,
                    )?;
                }
            }
            Ok(())
        },
    );
}

#[test]
fn text_at_the_end_is_noise() {
    judge("2.7", "text at the end of the input is reported as noise", || {
        let stream = with_header(PING) + "panicked at";
        let likely = "the last line has no newline, and may explain why the peer ended";
        HEADERS.gives(&[body(PING), Found::Noise(11)], stream, likely)
    });
}

#[test]
fn noise_is_shown_escaped_and_short() {
    judge("2.7", "a sample of noise is escaped for a terminal, and short", || {
        let noise = format!("\u{1b}[2Kready{}\n", " and so on".repeat(300));
        let mut reader = HEADERS.reader();
        reader.feed(format!("{}{noise}", with_header(PING)).as_bytes());
        reader.next_frame();
        let sample = match reader.next_frame() {
            Some(Err(FrameError::Noise { sample, .. })) => sample,
            other => {
                let cause = "expected an error for the noise";
                return Err(Failure::new(format!("{other:?}")).because(cause));
            }
        };
        let is_safe = sample.contains("[2Kready")
            && !sample.contains('\u{1b}')
            && sample.len() < noise.len() / 2;
        holds(is_safe, "the start of the noise, escaped", &sample)
            .given(truncate_escaped(noise.as_bytes(), 60))
            .likely("the peer's bytes are not escaped: use `noise_error`")
    });
}
