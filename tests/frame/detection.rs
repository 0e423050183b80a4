use super::*;

#[track_caller]
fn detected(stream: &str) -> (Option<Framing>, Vec<Found>) {
    let mut reader = FrameReader::new(None, SMALL);
    reader.feed(stream.as_bytes());
    let whole = ready(&mut reader);
    let mut bytewise = FrameReader::new(None, SMALL);
    let mut found = Vec::new();
    for byte in stream.bytes() {
        bytewise.feed(&[byte]);
        found.extend(ready(&mut bytewise));
    }
    assert_eq!((reader.framing(), &whole), (bytewise.framing(), &found), "{stream}");
    (reader.framing(), whole)
}

#[test]
fn content_and_a_colon_means_headers() {
    for start in
        ["", "content-type: x\r\n", "\r\n \t", "\u{feff}", "\n\u{feff}\n\u{feff}"]
    {
        let found = detected(&format!("{start}{}", headed(PING)));
        assert_eq!(
            (Some(Framing::ContentLength), vec![body(PING)]),
            found,
            "{start:?}"
        );
    }
    let (framing, _) = detected("CONTENT-LENGTH:");
    assert_eq!(Some(Framing::ContentLength), framing);
}

#[test]
fn anything_else_means_lines() {
    for start in ["", "\n\r\n", "\u{feff}", "  "] {
        let found = detected(&format!("{start}{PING}\n"));
        assert_eq!((Some(Framing::Newline), vec![body(PING)]), found, "{start:?}");
    }
    for log in ["Starting server", "content", "Content is ready: 5", "Content-", "c:"] {
        let found = detected(&format!("{log}\n{PING}\n"));
        assert_eq!((Some(Framing::Newline), vec![body(log), body(PING)]), found);
    }
    let endless = format!("Content-{}", "a".repeat(64));
    assert_eq!(Some(Framing::Newline), detected(&endless).0);
}

#[test]
fn nothing_is_decided_too_early() {
    for start in ["", " \r\n", "\u{feff}", "C", "content", "Content-Length"] {
        assert_eq!((None, vec![]), detected(start), "{start:?}");
    }
    let mut reader = FrameReader::new(None, SMALL);
    reader.feed(b"\xef\xbb");
    assert_eq!((None, None), (reader.next_frame(), reader.framing()));
}

#[test]
fn an_undecided_input_that_ends_is_a_line() {
    assert_eq!([body("Content-")], read_in(None, 1, b"Content-")[..]);
    assert_eq!([] as [Found; 0], read_in(None, 1, b" \n")[..]);
}

#[test]
fn the_framing_is_given_or_decided_once() {
    for framing in FRAMINGS {
        assert_eq!(Some(framing), FrameReader::new(Some(framing), 1).framing());
    }
    for first in [PING, "log line"] {
        let found = detected(&format!("{first}\n{}\n", headed(NEXT)));
        let bodies = [body(first), body("Content-Length: 40"), body(NEXT)];
        assert_eq!((Some(Framing::Newline), bodies.to_vec()), found);
    }
}

#[test]
fn lines_under_content_length_are_an_error_that_names_both() {
    let wrong = FrameError::WrongFraming { expected: Framing::ContentLength };
    assert_eq!(
        "the other side does not speak content-length framing, it speaks newline",
        wrong.to_string()
    );
    for stream in ["{", "\r\n{", "\r\u{feff}\n{", "  {\"jsonrpc\""] {
        let mut reader = FrameReader::new(Some(Framing::ContentLength), SMALL);
        reader.feed(stream.as_bytes());
        assert_eq!(Some(Err(wrong.clone())), reader.next_frame(), "{stream:?}");
    }
    let found = read_in(Some(Framing::ContentLength), 7, b"log line\n{\"jsonrpc\"");
    assert_eq!(Err(wrong.clone()), found[1], "behind a line of log");
    let stream = format!("Info: ready\r\n{PING}\n{NEXT}\n");
    let found = read_in(Some(Framing::ContentLength), 7, stream.as_bytes());
    assert_eq!(Some(&Err(wrong)), found.get(1), "behind one that looks like a header");
}

#[test]
fn frames_under_newline_are_an_error_that_names_both() {
    let wrong = FrameError::WrongFraming { expected: Framing::Newline };
    assert_eq!(
        "the other side does not speak newline framing, it speaks content-length",
        wrong.to_string()
    );
    for start in ["", "\n", "\u{feff}", "log line\n"] {
        let stream = format!("{start}content-length: 40\r\n");
        let mut reader = FrameReader::new(Some(Framing::Newline), SMALL);
        reader.feed(stream.as_bytes());
        assert_eq!(Some(&Err(wrong.clone())), ready(&mut reader).last(), "{start:?}");
    }
}

#[test]
fn after_a_first_message_the_framing_is_not_in_doubt() {
    let stream = format!("{}{{\n{}", headed(PING), headed(NEXT));
    let found = read(Framing::ContentLength, stream);
    assert_eq!([body(PING), noise(2, "{"), body(NEXT)], found[..]);
    let log = "Content-Length: 5";
    for first in [PING.to_owned(), format!("  {PING}")] {
        let found = read(Framing::Newline, format!("{first}\n{log}\n{NEXT}\n"));
        assert_eq!([body(&first), body(log), body(NEXT)], found[..]);
    }
}

#[test]
fn a_framing_is_written_as_it_is_read() {
    for framing in FRAMINGS {
        assert_eq!(Ok(framing), framing.to_string().parse());
    }
    assert_eq!(
        Err("expected newline or content-length".to_owned()),
        "lines".parse::<Framing>()
    );
}
