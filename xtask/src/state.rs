//! Why a submission could not be graded completely, in words for an instructor.

use crate::{outcome::NotCompiled, run::Ended};
use rustix::process::Signal;

/// How much of a compiler's line is kept, in characters.
const LONGEST: usize = 400;

/// How far the grading came. All but the first are a problem; the last is the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Graded,
    EndedEarly,
    TimedOut,
    TooMuchOutput,
    OutOfMemory,
    DoesNotCompile,
    Missing,
    Refused,
}

/// A problem, and one line about it.
#[derive(Debug, PartialEq)]
pub struct Problem {
    pub state: State,
    pub note: String,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Graded => "graded",
            State::EndedEarly => "ended early",
            State::TimedOut => "timed out",
            State::TooMuchOutput => "too much output",
            State::OutOfMemory => "out of memory",
            State::DoesNotCompile => "does not compile",
            State::Missing => "missing",
            State::Refused => "refused",
        }
    }
}

impl Problem {
    pub fn new(state: State, note: impl Into<String>) -> Self {
        Self { state, note: note.into() }
    }

    pub fn of_compiler(why: NotCompiled) -> Self {
        match why {
            NotCompiled::Wrong(text) if is_memory(&text) => {
                Self::new(State::OutOfMemory, "the compiler ran out of memory")
            }
            NotCompiled::Wrong(text) => {
                Self::new(State::DoesNotCompile, first_error(&text))
            }
            NotCompiled::Stopped(Ended::Killed(signal)) if is_crash(signal) => {
                let note = "the compiler crashed (code nested too deeply?)";
                Self::new(State::DoesNotCompile, note)
            }
            // The kernel kills a linker or a compiler that exceeds a limit of memory.
            NotCompiled::Stopped(Ended::Killed(signal)) => {
                let note = format!("the compiler was killed by signal {signal}");
                Self::new(State::OutOfMemory, note)
            }
            NotCompiled::Stopped(ended) => {
                let Self { state, note } = Self::of_program(ended, "");
                Self::new(state, format!("the compiler {note}"))
            }
        }
    }

    /// `text`: what the program printed.
    pub fn of_program(ended: Ended, text: &str) -> Self {
        match ended {
            Ended::TooSlow => Self::new(State::TimedOut, "did not end in time"),
            Ended::TooMuchOutput => {
                Self::new(State::TooMuchOutput, "printed more than 1 MiB")
            }
            _ if is_memory(text) => Self::new(State::OutOfMemory, "ran out of memory"),
            Ended::Killed(_) if text.contains("has overflowed its stack") => {
                Self::new(State::EndedEarly, "overflowed its stack")
            }
            Ended::Killed(signal) => {
                Self::new(State::EndedEarly, format!("was killed by signal {signal}"))
            }
            Ended::Exited(code) => {
                let note = format!("ended without a result, with exit code {code}");
                Self::new(State::EndedEarly, note)
            }
        }
    }
}

/// A compiler crashes when its stack is full, or on a bug.
fn is_crash(signal: i32) -> bool {
    [Signal::SEGV, Signal::ABORT].iter().any(|crash| crash.as_raw() == signal)
}

/// Whether Rust or LLVM reports that there is no memory.
pub fn is_memory(text: &str) -> bool {
    text.contains("memory allocation of ") || text.contains("LLVM ERROR: out of memory")
}

/// The first error, and its place.
fn first_error(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("error"));
    let error = lines.next().or(text.lines().next());
    let error = error.unwrap_or("the compiler reported nothing");
    let error: String = error.chars().take(LONGEST).collect();
    let place = lines.take(3).find_map(|line| line.trim_start().strip_prefix("--> "));
    let place = place.map(|place| format!(" ({})", place.replace("tests/../", "")));
    error + &place.unwrap_or_default()
}

#[cfg(test)]
#[test]
fn a_compiler_that_crashes_has_not_run_out_of_memory() {
    let state = |signal| {
        Problem::of_compiler(NotCompiled::Stopped(Ended::Killed(signal))).state
    };
    assert_eq!(
        [State::DoesNotCompile, State::DoesNotCompile, State::OutOfMemory],
        [11, 6, 9].map(state)
    );
    let text = "memory allocation of 16 bytes failed".to_owned();
    assert_eq!(
        State::OutOfMemory,
        Problem::of_compiler(NotCompiled::Wrong(text)).state
    );
}
