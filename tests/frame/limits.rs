use super::*;
use mcp_from_scratch::frame::{MAX_HEADER_LINE, MAX_HEADERS};

const LINE: &str = "a header line";
const BLOCK: &str = "a block of headers";

#[test]
fn the_longest_body_is_read_and_one_byte_more_is_not() {
    let (longest, longer) = ("a".repeat(SMALL), "a".repeat(SMALL + 1));
    for around in [["", "\n"], ["", "\r\n"], ["\u{feff}", "\r\n"]] {
        let [before, after] = around;
        let stream = format!("{before}{longest}{after}{before}{longer}{after}{PING}\n");
        assert_eq!(
            [body(&longest), too_long("a line", SMALL), body(PING)],
            read(Framing::Newline, stream)[..]
        );
    }
    let stream = headed(&longest) + &headed(&longer) + "\n" + &headed(PING);
    assert_eq!(
        [
            body(&longest),
            too_long("a body", SMALL),
            noise(SMALL + 2, &format!("{}…", "a".repeat(80))),
            body(PING)
        ],
        read(Framing::ContentLength, stream)[..]
    );
}

#[test]
fn a_last_line_without_its_newline_has_the_same_limit() {
    let longest = "a".repeat(SMALL);
    assert_eq!([body(&longest)], read(Framing::Newline, &longest)[..]);
    for excess in 1..10 {
        let longer = "a".repeat(SMALL + excess);
        assert_eq!([too_long("a line", SMALL)], read(Framing::Newline, longer)[..]);
    }
}

#[test]
fn a_line_that_is_far_too_long_is_told_once() {
    for character in ["a", " "] {
        let long = character.repeat(10 * SMALL);
        let stream = format!("{PING}\n{long}\n{NEXT}\n{long}");
        let long = || too_long("a line", SMALL);
        let expected = [body(PING), long(), body(NEXT), long()];
        assert_eq!(expected, read(Framing::Newline, stream)[..]);
    }
}

#[test]
fn an_endless_line_is_told_before_it_ends() {
    let mut reader = FrameReader::new(Some(Framing::Newline), SMALL);
    reader.feed(&[b'a'; 2 * SMALL]);
    assert_eq!([too_long("a line", SMALL)], ready(&mut reader)[..]);
    let mut reader = FrameReader::new(Some(Framing::ContentLength), SMALL);
    reader.feed(&[b'a'; MAX_HEADER_LINE + 1]);
    assert_eq!([too_long(LINE, MAX_HEADER_LINE)], ready(&mut reader)[..]);
}

#[test]
fn a_hostile_length_is_refused_as_soon_as_it_is_read() {
    for length in ["1025", "99999999999", "18446744073709551616", &"9".repeat(500)] {
        let header = format!("Content-Length: {length}\r\n\r\n");
        let mut reader = FrameReader::new(Some(Framing::ContentLength), SMALL);
        reader.feed(header.as_bytes());
        assert_eq!([too_long("a body", SMALL)], ready(&mut reader)[..]);
        reader.feed(headed(PING).as_bytes());
        assert_eq!([body(PING)], ready(&mut reader)[..]);
    }
}

#[test]
fn a_header_line_at_the_limit_is_read_and_a_longer_one_is_told_once() {
    let value = |length: usize| "v".repeat(length - "X: \r".len());
    let at_limit = value(MAX_HEADER_LINE);
    let stream = format!("X: {at_limit}\r\n{}", headed(PING));
    assert_eq!([body(PING)], read(Framing::ContentLength, stream)[..]);
    for excess in [1, 2, MAX_HEADER_LINE] {
        let longer = value(MAX_HEADER_LINE + excess);
        let stream = format!("{}X: {longer}\r\n{}", headed(PING), headed(NEXT));
        let expected = [body(PING), too_long(LINE, MAX_HEADER_LINE), body(NEXT)];
        assert_eq!(expected, read(Framing::ContentLength, stream)[..], "{excess}");
    }
}

#[test]
fn a_header_glued_to_an_endless_line_is_found() {
    let long = "a".repeat(3 * MAX_HEADER_LINE);
    let stream = format!("{}{long}{}", headed(PING), headed(NEXT));
    let expected = [body(PING), too_long(LINE, MAX_HEADER_LINE), body(NEXT)];
    assert_eq!(expected, read(Framing::ContentLength, stream)[..]);
}

#[test]
fn the_end_of_an_endless_line_is_not_taken_for_a_beginning() {
    let told = || too_long(LINE, MAX_HEADER_LINE);
    let found = read(Framing::ContentLength, "a".to_owned() + &"{".repeat(9000));
    assert_eq!([told()], found[..], "for a message in the other framing");
    let rest = "b".repeat(MAX_HEADER_LINE - "content-length".len());
    let found = read(Framing::ContentLength, format!("aacontent-length{rest}"));
    assert_eq!([told()], found[..], "for a header that was cut");
}

#[test]
fn after_an_endless_line_another_one_is_noise() {
    let long = "a".repeat(2 * MAX_HEADER_LINE) + "\n";
    let stream = format!("{}{long}{long}{}", headed(PING), headed(NEXT));
    let second = noise(long.len(), &format!("{}…", "a".repeat(80)));
    let expected = [body(PING), too_long(LINE, MAX_HEADER_LINE), second, body(NEXT)];
    assert_eq!(expected, read(Framing::ContentLength, stream)[..]);
}

#[test]
fn a_refused_body_is_not_taken_for_the_other_framing() {
    for glued in ["", "ready "] {
        let stream =
            format!("{glued}Content-Length: 9999\r\n\r\n{PING}{}", headed(NEXT));
        let found = read(Framing::ContentLength, stream);
        let expected = [too_long("a body", SMALL), noise(40, PING), body(NEXT)];
        assert_eq!(expected, found[found.len() - 3..], "{glued:?}");
    }
}

#[test]
fn a_lost_body_is_one_noise_however_long_it_is() {
    let long = "a".repeat(3 * MAX_HEADER_LINE);
    let stream = format!("Content-Length: x\r\n\r\n{long}}}{}", headed(NEXT));
    let sample = format!("{}…", "a".repeat(80));
    let bad = bad_header("Content-Length must be decimal digits, got `x`");
    let expected = [bad, noise(long.len() + 1, &sample), body(NEXT)];
    assert_eq!(expected, read(Framing::ContentLength, stream)[..]);
}

#[test]
fn a_block_of_headers_without_end_is_told_once_and_at_once() {
    let endless = "X-Y: z\r\n".repeat(100_000);
    let stream = endless.clone() + "Content-Length: 40\r\n\r\n" + &headed(NEXT);
    let told = too_long(BLOCK, MAX_HEADERS);
    assert_eq!([told.clone(), body(NEXT)], read(Framing::ContentLength, stream)[..]);
    let mut reader = FrameReader::new(Some(Framing::ContentLength), SMALL);
    reader.feed(&endless.as_bytes()[..MAX_HEADERS + 8]);
    assert_eq!([told], ready(&mut reader)[..]);
}

#[test]
fn a_block_of_headers_at_the_limit_is_read() {
    let (one, length) = ("X-Y: z\r\n", "Content-Length: 40\r\n");
    let fill = (MAX_HEADERS - length.len()) / one.len();
    let stream = one.repeat(fill) + length + "\r\n" + PING;
    assert_eq!([body(PING)], read(Framing::ContentLength, stream)[..]);
}
