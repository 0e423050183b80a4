//! How frames are printed.

use mcp_from_scratch::transcript::{
    Direction, MAX_SHOWN, escape_untrusted, line, truncate_escaped, truncate_utf8,
};

#[test]
fn a_line_has_its_direction_and_its_bytes() {
    assert_eq!("[mcp:send]    {\"id\":1}", line(Direction::Send, b"{\"id\":1}"));
    assert_eq!("[mcp:receive] {\"id\":1}", line(Direction::Receive, b"{\"id\":1}"));
}

#[test]
fn text_is_printed_byte_for_byte() {
    for text in [r#"{"a":"\n\u001b \\"}"#, "你好 é 😀", " '\"~ "] {
        assert_eq!(text, escape_untrusted(text.as_bytes()));
    }
}

#[test]
fn line_ends_and_tabs_become_short_escapes() {
    assert_eq!(r"a\r\nb\tc", escape_untrusted(b"a\r\nb\tc"));
}

#[test]
fn terminal_control_characters_are_escaped() {
    assert_eq!(r"\u{1b}[2K\u{7}\u{0}\u{8}", escape_untrusted(b"\x1b[2K\x07\0\x08"));
    assert_eq!(
        r"\u{7f}\u{80}\u{9b}31m\u{9f}",
        escape_untrusted("\u{7f}\u{80}\u{9b}31m\u{9f}".as_bytes())
    );
}

#[test]
fn characters_that_hide_or_turn_text_are_escaped() {
    for character in [
        '\u{ad}',
        '\u{61c}',
        '\u{180e}',
        '\u{200b}',
        '\u{200d}',
        '\u{200f}',
        '\u{2028}',
        '\u{2029}',
        '\u{202a}',
        '\u{202e}',
        '\u{2060}',
        '\u{2066}',
        '\u{2069}',
        '\u{206f}',
        '\u{feff}',
        '\u{fff9}',
        '\u{e000}',
        '\u{f8ff}',
        '\u{e0069}',
        '\u{f0000}',
        '\u{10ffff}',
    ] {
        let expected = format!("a{}b", character.escape_unicode());
        assert_eq!(expected, escape_untrusted(format!("a{character}b").as_bytes()));
    }
}

#[test]
fn their_neighbours_are_not_escaped() {
    let text =
        " ~\u{a0}\u{ac}\u{ae}\u{200a}\u{2010}\u{2027}\u{202f}\u{d7ff}\u{f900}\u{fffd}";
    assert_eq!(text, escape_untrusted(text.as_bytes()));
}

#[test]
fn bytes_that_are_not_utf8_become_hexadecimal() {
    assert_eq!(r"p\xffing \xe4\xbd", escape_untrusted(b"p\xffing \xe4\xbd"));
    assert_eq!(r"\xa0你\xc0\x80", escape_untrusted(b"\xa0\xe4\xbd\xa0\xc0\x80"));
}

#[test]
fn a_body_at_the_limit_is_printed_whole() {
    let body = vec![b'a'; MAX_SHOWN];
    let printed = line(Direction::Send, &body);
    assert_eq!("[mcp:send]    ".len() + MAX_SHOWN, printed.len());
    assert!(printed.ends_with("aaa"));
}

#[test]
fn a_body_above_the_limit_is_cut_with_a_mark() {
    let body = vec![b'a'; MAX_SHOWN + 5];
    let printed = line(Direction::Receive, &body);
    assert!(printed.ends_with("aaa… [5 more bytes]"), "{}", &printed[MAX_SHOWN..]);
}

#[test]
fn a_cut_splits_no_character() {
    assert_eq!("ab… [3 more bytes]", truncate_escaped("ab你".as_bytes(), 4));
    assert_eq!("ab你", truncate_escaped("ab你".as_bytes(), 5));
    for (max, expected) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 4), (5, 4), (8, 8)] {
        assert_eq!(expected, truncate_utf8("😀😀".as_bytes(), max).len(), "max {max}");
    }
}

#[test]
fn a_cut_in_bytes_that_are_not_text_still_shows_some() {
    assert_eq!(r"\x80\x80\x80… [7 more bytes]", truncate_escaped(&[0x80; 10], 6));
}
