use super::*;

#[track_caller]
fn lines(stream: impl AsRef<[u8]>) -> Vec<Found> {
    read(Framing::Newline, stream)
}

#[test]
fn a_frame_is_the_body_and_one_newline() {
    assert_eq!(
        format!("{PING}\n").as_bytes(),
        Framing::Newline.encode(PING.as_bytes())
    );
}

#[test]
fn a_raw_newline_between_tokens_is_written_as_a_blank() {
    assert_eq!(
        b"{ \"id\": 1\r }\n",
        &Framing::Newline.encode(b"{\n\"id\": 1\r\n}")[..]
    );
}

#[test]
fn each_line_is_a_body() {
    assert_eq!([body(PING), body(NEXT)], lines(format!("{PING}\n{NEXT}\n"))[..]);
}

#[test]
fn a_carriage_return_before_the_newline_is_passed_over() {
    assert_eq!([body(PING), body(NEXT)], lines(format!("{PING}\r\n{NEXT}\r\n"))[..]);
}

#[test]
fn blank_lines_are_passed_over() {
    let stream = format!("\n   \n{PING}\n\r\n\t\n{NEXT}\n\n");
    assert_eq!([body(PING), body(NEXT)], lines(stream)[..]);
}

#[test]
fn a_byte_order_mark_is_passed_over_but_kept_inside_a_string() {
    let inside = "{\"text\":\"\u{feff}\"}";
    let stream = format!("\u{feff}{PING}\n\u{feff}{inside}\n");
    assert_eq!([body(PING), body(inside)], lines(stream)[..]);
}

#[test]
fn only_a_newline_ends_a_line() {
    let text = "{\"text\":\"a\u{2028}b\u{2029}c\u{85}d\re\u{b}f\u{c}g\"}";
    assert_eq!([body(text)], lines(format!("{text}\n"))[..]);
}

#[test]
fn a_last_line_without_its_newline_is_a_body() {
    assert_eq!([body(PING), body(NEXT)], lines(format!("{PING}\n{NEXT}"))[..]);
    assert_eq!([body(PING)], lines(format!("{PING}\r"))[..]);
}

#[test]
fn an_input_that_is_empty_or_blank_ends_cleanly() {
    for stream in ["", "\n", " \r\n", "   ", "\u{feff}"] {
        assert_eq!([] as [Found; 0], lines(stream)[..], "{stream:?}");
    }
}

#[test]
fn a_line_of_log_is_a_body_that_is_no_message() {
    let log = "\u{1b}[32mready\u{1b}[0m";
    let stream = format!("{log}\n{PING}\nwarn: slow\n{NEXT}\n");
    assert_eq!(
        [body(log), body(PING), body("warn: slow"), body(NEXT)],
        lines(stream)[..]
    );
}

#[test]
fn bytes_that_are_not_utf8_stay_in_their_line() {
    let stream = b"{\"id\":\xff}\n{}\n";
    let mut reader = FrameReader::new(Some(Framing::Newline), SMALL);
    reader.feed(stream);
    assert_eq!(b"{\"id\":\xff}", &reader.next_frame().unwrap().unwrap()[..]);
    assert_eq!(b"{}", &reader.next_frame().unwrap().unwrap()[..]);
}
