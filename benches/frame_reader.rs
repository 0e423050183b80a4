//! What it costs to read one long message: time by length, and peak memory.
//!
//! `cargo bench --bench frame_reader`. The reader is linear if 64 times the bytes cost
//! about 64 times as long; the bound is 80. Memory is the peak of what the reader has
//! allocated, counted by the allocator; the bound is three times the message.

#![allow(clippy::print_stdout)] // A benchmark reports there.

use mcp_from_scratch::frame::{FrameError, FrameReader, Framing, MAX_MESSAGE};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    process::ExitCode,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Instant,
};

const MIB: usize = 1024 * 1024;
const RUNS: usize = 15;
const CHUNK: usize = 64 * 1024;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system allocator; this type only counts bytes.
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

    /// A block that grows may move; then the old and the new one exist together.
    unsafe fn realloc(&self, pointer: *mut u8, old: Layout, size: usize) -> *mut u8 {
        let now = NOW.fetch_add(size, Relaxed) + size;
        PEAK.fetch_max(now, Relaxed);
        NOW.fetch_sub(old.size(), Relaxed);
        unsafe { System.realloc(pointer, old, size) }
    }
}

fn main() -> ExitCode {
    let mut missed = false;
    println!("frame reader, {} KiB chunks, medians of {RUNS}", CHUNK / 1024);
    for framing in [Framing::Newline, Framing::ContentLength] {
        let (small, large, ratio, peak) = compare(framing);
        println!(
            "  {framing:<15} 1 MiB {small:>6.0} µs   64 MiB {large:>6.0} µs   \
             ratio {ratio:>5.1} (bound 80)   \
             peak memory {peak:.2} x message (bound 3)",
        );
        missed |= ratio > 80.0 || peak > 3.0;
    }
    println!("endless input, 512 MiB without a frame");
    for (what, framing, max) in [
        ("a line, limit 128 MiB", Framing::Newline, MAX_MESSAGE),
        ("a line, limit 1 MiB", Framing::Newline, MIB),
        ("a header, limit 8 KiB", Framing::ContentLength, MAX_MESSAGE),
    ] {
        let (error, peak) = endless(framing, max);
        let peak = peak as f64 / MIB as f64;
        println!("  {what:<22} peak memory {peak:>6.1} MiB   {error}");
    }
    if missed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Microseconds for a message of 1 MiB and for one of 64, the ratio run by run, and the
/// highest peak memory in message lengths.
fn compare(framing: Framing) -> (f64, f64, f64, f64) {
    let (mut small, mut large, mut ratio) = (Vec::new(), Vec::new(), Vec::new());
    let mut highest: f64 = 0.0;
    for _ in 0..=RUNS {
        let (one, _) = run(framing, MIB);
        let (many, peak) = run(framing, 64 * MIB);
        small.push(one);
        large.push(many);
        ratio.push(many / one);
        highest = highest.max(peak as f64 / (64 * MIB) as f64);
    }
    (median(small), median(large), median(ratio), highest)
}

/// The first run warms up and does not count.
fn median(mut figures: Vec<f64>) -> f64 {
    figures.remove(0);
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Microseconds per message of `length` bytes, and the reader's peak memory.
///
/// Each run reads 64 MiB in all and keeps it. So small messages are read into new
/// memory, too. On many machines the first access to a page costs more than all the
/// rest, and an allocator that reuses one small block would hide that cost.
fn run(framing: Framing, length: usize) -> (f64, usize) {
    let messages = 64 * MIB / length;
    let stream = framing.encode(&vec![b'x'; length]);
    let mut peak = 0;
    let mut kept = Vec::with_capacity(messages);
    let start = Instant::now();
    for _ in 0..messages {
        let mut reader = FrameReader::new(framing, MAX_MESSAGE);
        let before = reset_peak();
        for chunk in stream.chunks(CHUNK) {
            reader.feed(chunk);
            kept.extend(reader.next_frame());
        }
        peak = peak.max(PEAK.load(Relaxed) - before);
    }
    let time = start.elapsed().as_secs_f64() * 1e6 / messages as f64;
    let is_whole = |frame: &Result<Vec<u8>, FrameError>| {
        frame.as_ref().is_ok_and(|body| body.len() == length)
    };
    assert!(kept.len() == messages && kept.iter().all(is_whole));
    (time, peak)
}

fn endless(framing: Framing, max: usize) -> (FrameError, usize) {
    let chunk = vec![b'A'; CHUNK];
    let mut reader = FrameReader::new(framing, max);
    let before = reset_peak();
    let mut errors = Vec::new();
    for _ in 0..512 * MIB / CHUNK {
        reader.feed(&chunk);
        errors.extend(reader.next_frame().map(|frame| frame.expect_err("no frame")));
    }
    assert_eq!(1, errors.len(), "reported once: {errors:?}");
    (errors.remove(0), PEAK.load(Relaxed) - before)
}

fn reset_peak() -> usize {
    let now = NOW.load(Relaxed);
    PEAK.store(now, Relaxed);
    now
}
