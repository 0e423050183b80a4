//! Exercise 2: frames
//!
//! A pipe carries bytes and has no notion of messages. You write how the end of a
//! message is marked, and how it is found again, wherever the bytes were cut.
//!
//! Where   `exercises/src/frame.rs`, and `buffer.rs`, `lines.rs`, `fields.rs`,
//!         `headers.rs` and `reader.rs` in `exercises/src/frame/`. A function to write
//!         contains `todo!("task 2.…")`; the comment above it specifies what it takes
//!         and returns, and its errors. You may use or replace what is already written.
//!         What is `pub` keeps its signature; `FrameReader` may have any fields.
//! Tasks   2.1  write a frame
//!         2.2  detect the framing
//!         2.3  read lines
//!         2.4  read a header
//!         2.5  read a header block and a body of N bytes
//!         2.6  distinguish an end inside a frame from a clean end
//!         2.7  continue after noise
//!         2.8  keep endless input from filling the memory
//! Order   as numbered. The tests of 2.1, 2.2 and 2.4 need no other task; 2.3 needs
//!         2.2, and from 2.5 on each task needs those before it.
//! Given   the states of the reader (`State` in `reader.rs`); `Buffer`, a queue of
//!         bytes; `header_line`, which passes each kind of line to its function.
//! Read    the book, chapter 2; MCP 2025-11-25, basic/transports, stdio; Language
//!         Server Protocol 3.17, Base Protocol.
//! Judge   cargo test -p exercises --test 02_frames t2_1
//!         (without `t2_1` all tasks; all exercises, if all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    run `cargo run --bin 02-frames` and compare the output with the transcript.
//!         (In the course's repository, first copy your modules over those in `src/`;
//!         the tests of the book then miss marks, and `git restore src` restores them.)

mod reading;
mod t2_1;
mod t2_2;
mod t2_3;
mod t2_4;
mod t2_5;
mod t2_6;
mod t2_7;
mod t2_8;

#[cfg(feature = "reference")]
use mcp_from_scratch::frame;
#[cfg(not(feature = "reference"))]
#[path = "../../src"]
mod exercise {
    pub mod frame;
}
#[cfg(not(feature = "reference"))]
use exercise::frame;
// Chapter 1 provides it; your modules import it as `crate::transcript`.
use mcp_from_scratch::transcript;

use exercises::{
    Clock, Explain, Failure, Verdict, holds, judge, memory, same, same_bytes, same_list,
};
use frame::{
    FrameError, FrameReader, Framing, FramingMode, MAX_HEADER_LINE, MAX_HEADERS,
    content_length, header_field,
};
use reading::{
    Found, HEADERS, LINES, OPEN, Reading, body, fed, same_frames, shown, with_header,
};
use transcript::{escape_untrusted, truncate_escaped};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const NEXT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;
const HELLO: &str = r#"{"jsonrpc":"2.0","id":3,"result":{"text":"你好 😀"}}"#;
/// The limit for a body in most tests.
const SMALL: usize = 1024;

/// The likely cause if a stream gives other frames when it is cut.
const KEPT: &str = "bytes before the cut were dropped or read twice; the reader keeps \
                    them until the frame is complete";
