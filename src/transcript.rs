//! How a frame is printed: its direction and its bytes. Pure.
//!
//! Text from a peer passes through [`escape_untrusted`] before it reaches a terminal:
//! a tool's description may contain escape sequences that move the cursor, or
//! characters that reverse the writing direction. They are shown, not executed.

use std::fmt::Write;

/// The longest body that [`line()`] prints whole, in bytes.
pub const MAX_SHOWN: usize = 16 * 1024;

/// Which way a frame went, seen from the process that prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// This process wrote the frame.
    Send,
    /// This process read the frame.
    Receive,
}

// ANCHOR: line
/// One line of a transcript: `[mcp:send]    {…}` or `[mcp:receive] {…}`.
///
/// The body is printed byte for byte, except what [`escape_untrusted`] escapes. A body
/// above [`MAX_SHOWN`] bytes is truncated at a character boundary, and the line states
/// how many bytes are missing.
///
/// ```
/// use mcp_from_scratch::transcript::{Direction, line};
///
/// assert_eq!("[mcp:send]    {}", line(Direction::Send, b"{}"));
/// ```
pub fn line(direction: Direction, body: &[u8]) -> String {
    let label = match direction {
        Direction::Send => "[mcp:send]   ",
        Direction::Receive => "[mcp:receive]",
    };
    format!("{label} {}", truncate_escaped(body, MAX_SHOWN))
}
// ANCHOR_END: line

/// At most `max` bytes of `bytes`, escaped by [`escape_untrusted`]. If bytes are
/// missing, the text ends in `… [N more bytes]`.
pub fn truncate_escaped(bytes: &[u8], max: usize) -> String {
    if bytes.len() <= max {
        return escape_untrusted(bytes);
    }
    let start = truncate_utf8(bytes, max);
    format!("{}… [{} more bytes]", escape_untrusted(start), bytes.len() - start.len())
}

/// The first 60 bytes of a value, escaped: enough to recognise it in an error.
pub fn excerpt(value: impl std::fmt::Display) -> String {
    truncate_escaped(value.to_string().as_bytes(), 60)
}

/// The first `max` bytes, or up to three fewer, so that no character is split.
pub fn truncate_utf8(bytes: &[u8], max: usize) -> &[u8] {
    let is_continuation = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    let mut end = max.min(bytes.len());
    while end < bytes.len() && end + 3 > max && end > 0 && is_continuation(bytes[end]) {
        end -= 1;
    }
    &bytes[..end]
}

// ANCHOR: escape-untrusted
/// Text for a person: control, direction and invisible characters become escapes
/// (`\n`, `\u{202e}`), bytes that are not UTF-8 become `\xff`, everything else is
/// unchanged.
///
/// ```
/// use mcp_from_scratch::transcript::escape_untrusted;
///
/// assert_eq!(r"red\u{1b}[0m", escape_untrusted(b"red\x1b[0m"));
/// ```
pub fn escape_untrusted(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '\r' | '\t' => shown.extend(character.escape_default()),
                c if is_hidden(c) => shown.extend(c.escape_unicode()),
                c => shown.push(c),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}
// ANCHOR_END: escape-untrusted

/// C0, DEL and C1 controls; zero-width and direction characters; line separators;
/// fillers; private use and tags (Unicode 16, chapter 23). Variation selectors stay:
/// they make an emoji what it is.
fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
            | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{10ffff}'
    )
}
