//! What a hostile peer can make a reader keep. The allocator of this target counts.

use mcp_from_scratch::frame::{FrameReader, Framing};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

const MIB: usize = 1024 * 1024;

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

/// The most that a reader with a limit of 1 MiB holds while `start` and then 64 MiB
/// of `fill` come; 8 MiB if they are many short lines, which take their time.
fn peak(framing: Option<Framing>, start: &str, fill: &str) -> usize {
    let chunk = fill.repeat(64 * 1024 / fill.len());
    let before = IN_USE.get().0;
    IN_USE.set((before, before));
    let mut reader = FrameReader::new(framing, MIB);
    reader.feed(start.as_bytes());
    let sent = if fill.ends_with('\n') { 8 * MIB } else { 64 * MIB };
    for _ in 0..(sent / chunk.len()) {
        reader.feed(chunk.as_bytes());
        while reader.next_frame().is_some() {}
    }
    (IN_USE.get().1 - before) as usize
}

#[track_caller]
fn assert_flat(framing: Option<Framing>, start: &str, fill: &str) {
    let peak = peak(framing, start, fill);
    // A buffer that doubles holds the old and the new one for a moment.
    assert!(peak <= 4 * MIB, "{start:?} and {fill:?} without end: {peak} bytes");
}

#[test]
fn an_endless_line_is_not_kept() {
    assert_flat(Some(Framing::Newline), "", "A");
    assert_flat(Some(Framing::Newline), "{", " ");
    assert_flat(None, "", "A");
}

#[test]
fn an_endless_header_line_is_not_kept() {
    assert_flat(Some(Framing::ContentLength), "", "A");
    assert_flat(Some(Framing::ContentLength), "Content-Length: ", "4");
    assert_flat(None, "Content-Length:", " ");
}

#[test]
fn endless_headers_are_not_kept() {
    assert_flat(Some(Framing::ContentLength), "", "X-Y: z\r\n");
    assert_flat(Some(Framing::ContentLength), "", "Content-Length: 5\r\n");
}

#[test]
fn endless_blanks_are_not_kept() {
    for framing in [None, Some(Framing::Newline), Some(Framing::ContentLength)] {
        for start in ["", "\u{feff}"] {
            assert_flat(framing, start, " ");
            assert_flat(framing, start, "\r\n");
        }
    }
}

#[test]
fn a_refused_body_is_not_kept() {
    assert_flat(None, "Content-Length: 99999999999\r\n\r\n", "A");
}

/// Memory grows with what has come, not with what was announced.
#[test]
fn a_length_alone_takes_no_memory() {
    let mut reader = FrameReader::new(None, usize::MAX);
    let before = IN_USE.get().0;
    IN_USE.set((before, before));
    reader.feed(b"Content-Length: 99999999999\r\n\r\n{");
    assert_eq!(None, reader.next_frame());
    assert!(IN_USE.get().1 - before < 4096);
    for _ in 0..16 {
        reader.feed(&[b' '; MIB / 16]);
        assert_eq!(None, reader.next_frame());
    }
    let peak = (IN_USE.get().1 - before) as usize;
    assert!(peak <= 3 * MIB, "{peak} bytes for a body of which 1 MiB has come");
}
