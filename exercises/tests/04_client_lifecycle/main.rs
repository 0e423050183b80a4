//! Exercise 4: the client's life cycle and its pending requests
//!
//! You write two rules of a client: which events each state allows, and which request a
//! response belongs to. There is no process, no task and no clock: time is an argument.
//!
//! Where   `exercises/src/lifecycle.rs` and `exercises/src/pending.rs`. A function to
//!         write contains `todo!("task 4.…")`; the comment above it specifies what it
//!         takes and returns, and its errors. You may use or replace what is already
//!         written, including the fields of `Pending`; what is `pub` keeps its
//!         signature.
//! Tasks   4.1  keep the order of a connection's states
//!         4.2  add a request
//!         4.3  find the caller of a response
//!         4.4  explain a response with an unknown id
//!         4.5  expire what has waited too long
//!         4.6  release all callers when the connection is closed
//! Order   4.1 needs no other task. From 4.2 on as numbered: each task needs those
//!         before it. The last tests of 4.6 use all of it, including 4.1.
//! Given   `State`, `Event` and `InvalidTransition`; `contains`, `len` and `is_empty`.
//! Read    the book, chapter 4; MCP 2025-11-25, basic/lifecycle (Initialization,
//!         Shutdown) and basic/utilities/cancellation; JSON-RPC 2.0, §5.
//! Judge   cargo test -p exercises --test 04_client_lifecycle t4_1
//!         (without `t4_1` all tasks; all exercises, if all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    run `cargo run --bin 04-client-lifecycle` and compare the output with the
//!         transcript.
//!         (In the course's repository, first copy your modules over those in `src/`;
//!         the tests of the book then miss marks, and `git restore src` restores them.)

mod t4_1;
mod t4_2;
mod t4_3;
mod t4_4;
mod t4_5;
mod t4_6;

#[cfg(feature = "reference")]
use mcp_from_scratch::{lifecycle, pending};
#[cfg(not(feature = "reference"))]
#[path = "../../src"]
mod exercise {
    pub mod lifecycle;
    pub mod pending;
}
#[cfg(not(feature = "reference"))]
use exercise::{lifecycle, pending};
// From chapter 1; your modules import it as `crate::jsonrpc`.
use exercises::{Clock, Explain, Failure, Verdict, holds, judge, same, same_bytes};
use jsonrpc::{Id, Message, Request, Response};
use lifecycle::{
    Event::{self, *},
    InvalidTransition,
    State::{self, *},
};
use mcp_from_scratch::jsonrpc;
use pending::Pending;
use std::{
    fmt::Write,
    time::{Duration, Instant},
};

/// `event` is rejected in each of `states`; the error contains both.
fn is_rejected(event: Event, states: &[State]) -> Verdict {
    states.iter().try_for_each(|state| {
        same(Err(InvalidTransition { state: *state, event }), state.step(event))
            .given(format!("{event:?} in state {state:?}"))
    })
}

fn id(number: i128) -> Id {
    Id::Integer(number)
}

fn string_id(text: &str) -> Id {
    Id::String(text.into())
}

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

/// Requests 1, 2, 3, due after 10, 20 and 30 seconds.
const THREE: &str = "requests 1, 2, 3, due after 10, 20 and 30 s";

fn three(start: Instant) -> Pending<&'static str> {
    let mut pending = Pending::default();
    pending.open(start + seconds(10), "caller 1");
    pending.open(start + seconds(20), "caller 2");
    pending.open(start + seconds(30), "caller 3");
    pending
}

/// `count` pending requests with the same deadline.
fn many(count: u32, due: Instant) -> Pending<u32> {
    let mut pending = Pending::default();
    for number in 1..=count {
        pending.open(due, number);
    }
    pending
}

/// `steps` steps with a large table take about as long as with a small one. Each
/// function builds tables and returns a step. The load of the machine does not count,
/// and one of three attempts is enough.
fn stays_quick<S: FnMut(), L: FnMut()>(
    steps: usize,
    small: impl Fn() -> S,
    large: impl Fn() -> L,
) -> Verdict {
    const TIMES: u32 = 10;
    let attempt = |_| {
        let (mut small, mut large) = (small(), large());
        let clock = Clock::start();
        (0..steps).for_each(|_| small());
        let limit = clock.time() * TIMES;
        let clock = Clock::start();
        (0..steps).all(|done| {
            large();
            done % 32 != 0 || clock.time() < limit
        })
    };
    holds(
        (0..3).any(attempt),
        "about the same time with a large table as with a small one",
        format_args!("more than {TIMES} times as long"),
    )
}

/// The id of the pending request that a response with the id `unknown` was meant for.
fn is_meant_for(expected: Option<Id>, unknown: Id, pending: &Pending<&str>) -> Verdict {
    let given = format!("requests 1, 2, 3 and a response with the id {unknown}");
    same(expected, pending.numeric_equivalent(&unknown)).given(given)
}

fn response_id(frame: &str) -> Result<Id, Failure> {
    match jsonrpc::parse(frame.as_bytes()) {
        Ok(Message::Response(Response { id: Some(id), .. })) => Ok(id),
        _ => Err(Failure::new("a frame of this test is not a response")),
    }
}
