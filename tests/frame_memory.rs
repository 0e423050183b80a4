//! How much memory a hostile peer can make a reader use, counted by an allocator.

use mcp_from_scratch::frame::{FrameReader, Framing, FramingMode};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

/// The limit for a body in these tests.
const LIMIT: usize = 256 * 1024;

const AUTO: FramingMode = FramingMode::Auto;
const LINES: FramingMode = FramingMode::Fixed(Framing::Newline);
const HEADERS: FramingMode = FramingMode::Fixed(Framing::ContentLength);

thread_local! {
    /// Bytes in use by this thread, now and at most: tests run side by side.
    static IN_USE: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(bytes: isize) {
    // A thread that ends frees memory after its counter is gone.
    let _ = IN_USE.try_with(|cell| {
        let (now, peak) = cell.get();
        cell.set((now + bytes, peak.max(now + bytes)));
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The peak memory of a reader while it receives `start` and then `fill` again and
/// again, eight times the limit in all.
fn peak(mode: FramingMode, start: &str, fill: &str) -> usize {
    let chunk = fill.repeat(64 * 1024 / fill.len());
    let before = IN_USE.get().0;
    IN_USE.set((before, before));
    let mut reader = FrameReader::new(mode, LIMIT);
    reader.feed(start.as_bytes());
    for _ in 0..8 * LIMIT / chunk.len() {
        reader.feed(chunk.as_bytes());
        while reader.next_frame().is_some() {}
    }
    (IN_USE.get().1 - before) as usize
}

#[track_caller]
fn assert_flat(mode: FramingMode, start: &str, fill: &str) {
    let peak = peak(mode, start, fill);
    // A buffer that doubles holds the old and the new one for a moment.
    assert!(peak <= 4 * LIMIT, "{start:?} and {fill:?} again and again: {peak} bytes");
}

#[test]
fn an_endless_line_is_not_kept() {
    assert_flat(LINES, "", "A");
    assert_flat(LINES, "{", " ");
    assert_flat(AUTO, "", "A");
}

#[test]
fn an_endless_header_line_is_not_kept() {
    assert_flat(HEADERS, "", "A");
    assert_flat(HEADERS, "Content-Length: ", "4");
    assert_flat(AUTO, "Content-Length:", " ");
}

#[test]
fn endless_headers_are_not_kept() {
    assert_flat(HEADERS, "", "X-Y: z\r\n");
    assert_flat(HEADERS, "", "Content-Length: 5\r\n");
}

#[test]
fn endless_whitespace_is_not_kept() {
    for mode in [AUTO, LINES, HEADERS] {
        for start in ["", "\u{feff}"] {
            assert_flat(mode, start, " ");
            assert_flat(mode, start, "\r\n");
        }
    }
}

#[test]
fn a_rejected_body_is_not_kept() {
    assert_flat(AUTO, "Content-Length: 99999999999\r\n\r\n", "A");
}

/// Memory grows with the bytes that arrive, not with the announced length.
#[test]
fn a_length_alone_takes_no_memory() {
    let mut reader = FrameReader::new(FramingMode::Auto, usize::MAX);
    let before = IN_USE.get().0;
    IN_USE.set((before, before));
    reader.feed(b"Content-Length: 99999999999\r\n\r\n{");
    assert_eq!(None, reader.next_frame());
    assert!(IN_USE.get().1 - before < 4096);
    for _ in 0..16 {
        reader.feed(&[b' '; LIMIT / 16]);
        assert_eq!(None, reader.next_frame());
    }
    let peak = (IN_USE.get().1 - before) as usize;
    assert!(peak <= 3 * LIMIT, "{peak} bytes for a body of which {LIMIT} have arrived");
}
