//! How the exercises are judged: the list of tasks, a time limit for each test, and the
//! text of a failure.
//!
//! This crate contains nothing of the protocol. A test states a rule, runs the code and
//! compares; this crate turns a difference into the text that the learner reads.

mod clock;
pub mod child;
pub mod course;
mod differ;
mod judge;
mod list;
pub mod memory;
pub mod standing;

pub use clock::Clock;
pub use differ::{Explain, Failure, Verdict, holds, same, same_bytes, visible};
pub use judge::{judge, judge_apart, judge_async, report};
pub use list::same_list;
