//! How a frame is printed: its direction and its bytes, nothing else.
//!
//! Everything that a peer sent passes through [`visible`] before it reaches a
//! terminal: a tool's description may hold escape sequences that move the cursor,
//! or characters that turn the writing direction. They are shown, not obeyed.

use std::fmt::Write;

/// The longest body that [`line()`] prints whole, in bytes.
pub const MAX_SHOWN: usize = 16 * 1024;

/// Which way a frame went, seen from the process that prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Send,
    Receive,
}

// ANCHOR: line
/// One line of a transcript: `[mcp:send]    {…}` or `[mcp:receive] {…}`.
///
/// The body is printed byte for byte, except what [`visible`] escapes. A body above
/// [`MAX_SHOWN`] bytes is cut at a character, and the cut says how much is missing.
pub fn line(direction: Direction, body: &[u8]) -> String {
    let label = match direction {
        Direction::Send => "[mcp:send]   ",
        Direction::Receive => "[mcp:receive]",
    };
    format!("{label} {}", shortened(body, MAX_SHOWN))
}
// ANCHOR_END: line

/// At most `max` bytes of `bytes`, made [`visible`], with a mark where it was cut.
pub fn shortened(bytes: &[u8], max: usize) -> String {
    if bytes.len() <= max {
        return visible(bytes);
    }
    let start = start_of(bytes, max);
    format!("{}… [{} more bytes]", visible(start), bytes.len() - start.len())
}

/// Enough of a value to recognise it in an error message.
pub fn excerpt(value: impl std::fmt::Display) -> String {
    shortened(value.to_string().as_bytes(), 60)
}

/// The first `max` bytes, or up to three less, so that no character is split.
pub fn start_of(bytes: &[u8], max: usize) -> &[u8] {
    let is_continuation = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    let mut end = max.min(bytes.len());
    while end < bytes.len() && end + 3 > max && end > 0 && is_continuation(bytes[end]) {
        end -= 1;
    }
    &bytes[..end]
}

// ANCHOR: visible
/// Text for a person: control, direction and invisible characters become escapes
/// (`\n`, `\u{202e}`), bytes that are not UTF-8 become `\xff`, all else stays.
pub fn visible(bytes: &[u8]) -> String {
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
// ANCHOR_END: visible

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
