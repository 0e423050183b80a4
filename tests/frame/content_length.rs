use super::*;

#[track_caller]
fn frames(stream: impl AsRef<[u8]>) -> Vec<Found> {
    read(Framing::ContentLength, stream)
}

/// A frame of [`PING`], whose length is 40, under these headers.
#[track_caller]
fn under(headers: &str) -> Vec<Found> {
    frames(format!("{headers}{PING}"))
}

#[test]
fn a_frame_is_a_header_an_empty_line_and_the_body() {
    let frame = Framing::ContentLength.encode(PING.as_bytes());
    assert_eq!(format!("Content-Length: 40\r\n\r\n{PING}").as_bytes(), frame);
}

#[test]
fn the_length_counts_bytes() {
    let text = r#"{"jsonrpc":"2.0","id":1,"result":{"t":"测试 — é 🎉"}}"#;
    let frame = Framing::ContentLength.encode(text.as_bytes());
    assert_eq!((60, 50), (text.len(), text.chars().count()));
    assert_eq!(format!("Content-Length: 60\r\n\r\n{text}").as_bytes(), frame);
    assert_eq!(
        [body(text), body(PING)],
        frames([frame, headed(PING).into()].concat())[..]
    );
}

#[test]
fn the_body_is_not_looked_into() {
    let text = format!("{PING}\r\n\r\n");
    assert_eq!([body(&text), body(NEXT)], frames(headed(&text) + &headed(NEXT))[..]);
    let text = "Content-Length: 5\r\n\r\n{\n}";
    assert_eq!([body(text), body(NEXT)], frames(headed(text) + &headed(NEXT))[..]);
    assert_eq!([body(""), body(NEXT)], frames(headed("") + &headed(NEXT))[..]);
}

#[test]
fn the_name_is_read_in_any_case() {
    assert_eq!([body(PING)], under("content-length: 40\r\n\r\n")[..]);
    assert_eq!([body(PING)], under("CONTENT-LENGTH: 40\r\n\r\n")[..]);
}

#[test]
fn blanks_around_the_value_are_passed_over() {
    for value in ["40", " 40", "   40", "\t40", " 40 ", " 40\t "] {
        let found = under(&format!("Content-Length:{value}\r\n\r\n"));
        assert_eq!([body(PING)], found[..], "{value:?}");
    }
}

#[test]
fn leading_zeros_are_read() {
    assert_eq!([body(PING)], under("Content-Length: 0040\r\n\r\n")[..]);
}

#[test]
fn other_headers_are_passed_over() {
    let kind = "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n";
    let length = "Content-Length: 40\r\n";
    assert_eq!([body(PING)], under(&format!("{kind}{length}\r\n"))[..]);
    assert_eq!([body(PING)], under(&format!("{length}{kind}\r\n"))[..]);
    assert_eq!([body(PING)], under(&format!("X-Trace: a:b\r\n{length}\r\n"))[..]);
}

#[test]
fn the_whole_name_is_compared() {
    for name in ["X-Content-Length", "Content-Length-Foo"] {
        let other = format!("{name}: 5\r\n");
        let found = under(&format!("{other}Content-Length: 40\r\n\r\n"));
        assert_eq!([body(PING)], found[..]);
        let alone = format!("{other}\r\n");
        let found = frames(headed(NEXT) + &alone + PING);
        let missing = bad_header("no Content-Length");
        assert_eq!([body(NEXT), missing, noise(40, PING)], found[..]);
    }
}

#[test]
fn a_longer_name_before_a_bare_line_feed_is_noise() {
    let line = "X-Content-Length: 40";
    let found = frames(headed(NEXT) + line + "\n\n" + PING);
    assert_eq!([body(NEXT), noise(21, line), noise(40, PING)], found[..]);
}

#[test]
fn bare_line_feeds_are_accepted_after_the_known_headers() {
    assert_eq!([body(PING)], under("Content-Length: 40\n\n")[..]);
    assert_eq!([body(PING)], under("Content-Type: x\nContent-Length: 40\n\n")[..]);
    assert_eq!([body(PING)], under("Content-Length: 40\r\n\n")[..]);
}

#[test]
fn a_line_of_log_is_no_header() {
    let stream = format!("Info: parsed 35 declarations\n{}", headed(PING));
    let log = noise(29, "Info: parsed 35 declarations");
    assert_eq!([log, body(PING)], frames(stream)[..]);
}

#[test]
fn a_value_that_is_not_digits_is_refused() {
    for value in ["-1", "+40", "0x28", "40;", "40, 40", "", "4e1", "٤٠", "4 0", "40.0"]
    {
        let found = under(&format!("Content-Length: {value}\r\n\r\n"));
        let reason = format!("Content-Length must be decimal digits, got `{value}`");
        assert_eq!([bad_header(&reason), noise(40, PING)], found[..], "{value:?}");
    }
}

#[test]
fn a_bad_first_length_is_not_taken_for_the_other_framing() {
    let found = frames(format!("Content-Length: -1\r\n\r\n{PING}{}", headed(NEXT)));
    let reason = "Content-Length must be decimal digits, got `-1`";
    assert_eq!([bad_header(reason), noise(40, PING), body(NEXT)], found[..]);
}

/// It is a framing error in a stream of headers, so it is no end of the connection.
#[test]
fn a_first_block_without_a_length_is_not_taken_for_the_other_framing() {
    for name in ["Content-Type", "content-length-foo"] {
        let found = frames(format!("{name}: 5\r\n\r\n{PING}{}", headed(NEXT)));
        let reason = bad_header("no Content-Length");
        assert_eq!([reason, noise(40, PING), body(NEXT)], found[..], "{name}");
    }
}

#[test]
fn one_length_said_twice_is_accepted_and_two_lengths_are_not() {
    let twice = "Content-Length: 40\r\ncontent-length: 40\r\n\r\n";
    assert_eq!([body(PING)], under(twice)[..]);
    let differ = "Content-Length: 40\r\ncontent-length: 5\r\n\r\n";
    let reason = bad_header("Content-Length is 40 and 5 at once");
    assert_eq!([reason, noise(40, PING)], under(differ)[..]);
}

#[test]
fn a_line_end_written_in_text_mode_is_named() {
    let found = under("Content-Length: 40\r\r\n\r\r\n");
    let reason = "a CR too many at the line end: was it written in text mode?";
    assert_eq!([bad_header(reason), noise(40, PING)], found[..]);
}

#[test]
fn a_line_that_is_no_header_ends_the_block() {
    let stream = format!("Content-Length: 40\r\noops\r\n{}", headed(NEXT));
    assert_eq!([bad_header("no header line: oops"), body(NEXT)], frames(stream)[..]);
}

#[test]
fn a_block_without_a_length_is_told_where_it_ends() {
    let found = frames(format!("Content-Type: x\r\n\r\n{}", headed(NEXT)));
    assert_eq!([bad_header("no Content-Length"), body(NEXT)], found[..]);
    let found = frames(format!("X-Y: z\r\n{{oops\r\n{}", headed(NEXT)));
    assert_eq!([bad_header("no header line: {oops"), body(NEXT)], found[..]);
}

#[test]
fn a_byte_order_mark_before_a_header_is_passed_over() {
    let marked = format!("\u{feff}{}", headed(PING));
    assert_eq!([body(PING), body(PING)], frames(marked.repeat(2))[..]);
}

#[test]
fn empty_lines_between_frames_are_passed_over() {
    let blank = "\r\n\n  \r\n\r\u{feff}\r\n";
    let stream = format!("{blank}{}{blank}{}{blank}", headed(PING), headed(NEXT));
    assert_eq!([body(PING), body(NEXT)], frames(stream)[..]);
}

#[test]
fn noise_between_frames_is_told_and_costs_no_frame() {
    let stream = format!("{}cache warm\nhits: 3\n{}", headed(PING), headed(NEXT));
    let found = frames(stream);
    let (first, second) = (noise(11, "cache warm"), noise(8, "hits: 3"));
    assert_eq!([body(PING), first, second, body(NEXT)], found[..]);
}

#[test]
fn noise_glued_to_a_header_costs_no_frame() {
    for text in ["ready ", "[src/main.rs:3] x = 5", "你好", "no Content-Length? "] {
        let found = frames(format!("{}{text}{}", headed(PING), headed(NEXT)));
        assert_eq!([body(PING), noise(text.len(), text.trim()), body(NEXT)], found[..]);
    }
}

#[test]
fn a_count_in_characters_costs_one_message() {
    let text = r#"{"text":"你好","n":10}"#;
    let characters = text.chars().count();
    let wrong = format!("Content-Length: {characters}\r\n\r\n{text}");
    let mut found = frames(wrong + &headed(NEXT)).into_iter();
    let cut = found.next().unwrap().unwrap();
    assert_eq!(&text[..characters], cut);
    assert_eq!(Some(noise(4, &text[characters..])), found.next());
    assert_eq!(Some(body(NEXT)), found.next());
}

#[test]
fn text_about_a_header_is_noise() {
    let text = "expected a Content-Length: header";
    let found = frames(format!("{}{text}\n{}", headed(PING), headed(NEXT)));
    assert_eq!([body(PING), noise(34, text), body(NEXT)], found[..]);
}

#[test]
fn noise_is_shown_escaped_and_short() {
    let found = frames(format!("\u{1b}[2K{}\n{}", "é".repeat(100), headed(PING)));
    let Err(FrameError::Noise { bytes: 205, sample }) = &found[0] else {
        panic!("{found:?}");
    };
    assert!(sample.starts_with(r"\u{1b}[2Ké") && sample.ends_with("é…"), "{sample}");
    assert!(sample.len() < 100, "{sample}");
}

#[test]
fn an_input_that_ends_inside_a_frame_is_told_at_every_byte() {
    let (first, second) = (headed(PING), headed(NEXT));
    let header = second.len() - NEXT.len();
    for cut in 1..second.len() {
        let found = frames(format!("{first}{}", &second[..cut]));
        let expected = match cut.checked_sub(header) {
            None => truncated(cut, None),
            Some(got) => truncated(got, Some(NEXT.len())),
        };
        assert_eq!([body(PING), expected], found[..], "cut at {cut}");
    }
    assert_eq!([body(PING)], frames(first)[..]);
}

#[test]
fn what_is_left_at_the_end_is_told_as_noise() {
    let found = frames(headed(PING) + "panicked at");
    assert_eq!([body(PING), noise(11, "panicked at")], found[..]);
}
