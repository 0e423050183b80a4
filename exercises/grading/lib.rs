//! How the exercises are judged: what there is to do, a time limit for each test, and
//! words for what went wrong.
//!
//! Nothing of the protocol is in here. A test states a rule, runs the learner's code
//! and compares; this crate makes of a difference what the learner reads.

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
pub use judge::{account, judge, judge_apart, judge_async};
pub use list::same_list;
