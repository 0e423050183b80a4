//! What reading one long message costs: time by length, and peak memory.
//!
//! `cargo bench --bench frame_reader`. The reader is linear if 64 times the bytes cost
//! about 64 times as long; the bound is 80. Memory is what the reader has allocated at
//! its peak, counted by the allocator; the bound is three times the message.

use mcp_from_scratch::frame::{FrameError, FrameReader, Framing, MAX_MESSAGE};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};

const MIB: usize = 1024 * 1024;
const RUNS: usize = 9;
const CHUNK: usize = 64 * 1024;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system allocator; only numbers are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    /// A block that grows may have to move, so both count at once.
    unsafe fn realloc(&self, pointer: *mut u8, old: Layout, size: usize) -> *mut u8 {
        let now = NOW.fetch_add(size, Relaxed) + size;
        PEAK.fetch_max(now, Relaxed);
        NOW.fetch_sub(old.size(), Relaxed);
        unsafe { System.realloc(pointer, old, size) }
    }
}

fn main() {
    println!("frame reader, {} KiB chunks", CHUNK / 1024);
    for framing in [Framing::Newline, Framing::ContentLength] {
        let (small, _) = median(framing, MIB);
        let (large, peak) = median(framing, 64 * MIB);
        println!(
            "  {framing:<15} 1 MiB {:>8.2?}   64 MiB {:>8.2?}   ratio {:>5.1} (bound 80)   \
             peak memory {:.2} x message (bound 3)",
            small,
            large,
            large.as_secs_f64() / small.as_secs_f64(),
            peak as f64 / (64 * MIB) as f64,
        );
    }
    println!("endless input, 512 MiB without a frame in it");
    for (what, framing, max) in [
        ("a line, limit 128 MiB", Framing::Newline, MAX_MESSAGE),
        ("a line, limit 1 MiB", Framing::Newline, MIB),
        ("a header, limit 8 KiB", Framing::ContentLength, MAX_MESSAGE),
    ] {
        let (error, peak) = endless(framing, max);
        println!(
            "  {what:<22} peak memory {:>6.1} MiB   {error}",
            peak as f64 / MIB as f64
        );
    }
}

/// The median time for one message of `length` bytes, and the reader's peak memory.
///
/// Each run reads 64 MiB in all and keeps it. So small messages, too, are read into
/// memory that is new to the process: on many machines the system's first touch of a
/// page costs more than all the rest, and an allocator that recycles one small block
/// would hide it.
fn median(framing: Framing, length: usize) -> (Duration, usize) {
    let messages = 64 * MIB / length;
    let stream = framing.encode(&vec![b'x'; length]);
    let mut times = Vec::new();
    let mut peak = 0;
    for _ in 0..=RUNS {
        let mut kept = Vec::with_capacity(messages);
        let start = Instant::now();
        for _ in 0..messages {
            let mut reader = FrameReader::new(Some(framing), MAX_MESSAGE);
            let before = reset_peak();
            for chunk in stream.chunks(CHUNK) {
                reader.feed(chunk);
                kept.extend(reader.next_frame());
            }
            peak = peak.max(PEAK.load(Relaxed) - before);
        }
        times.push(start.elapsed() / messages as u32);
        let whole = |frame: &Result<Vec<u8>, _>| {
            frame.as_ref().is_ok_and(|f| f.len() == length)
        };
        assert!(kept.len() == messages && kept.iter().all(whole));
    }
    let mut counted = times.split_off(1); // the first run warms up
    counted.sort();
    (counted[RUNS / 2], peak)
}

fn endless(framing: Framing, max: usize) -> (FrameError, usize) {
    let chunk = vec![b'A'; CHUNK];
    let mut reader = FrameReader::new(Some(framing), max);
    let before = reset_peak();
    let mut errors = Vec::new();
    for _ in 0..512 * MIB / CHUNK {
        reader.feed(&chunk);
        errors.extend(reader.next_frame().map(|frame| frame.expect_err("no frame")));
    }
    assert_eq!(1, errors.len(), "told once: {errors:?}");
    (errors.remove(0), PEAK.load(Relaxed) - before)
}

fn reset_peak() -> usize {
    let now = NOW.load(Relaxed);
    PEAK.store(now, Relaxed);
    now
}
