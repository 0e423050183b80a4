//! What went wrong on the way to a verdict, in words for an instructor.

use crate::{outcome::NotCompiled, run::Ended};
use rustix::process::Signal;

/// How much of a compiler's line is told, in characters.
const LONGEST: usize = 400;

/// How far the judging came; from the second on, something went wrong on the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    Judged,
    EndedEarly,
    TooSlow,
    TooMuchOutput,
    TooMuchMemory,
    DoesNotCompile,
    Missing,
    Refused,
}

impl State {
    pub fn name(self) -> &'static str {
        match self {
            State::Judged => "judged",
            State::EndedEarly => "ended early",
            State::TooSlow => "too slow",
            State::TooMuchOutput => "too much output",
            State::TooMuchMemory => "too much memory",
            State::DoesNotCompile => "does not compile",
            State::Missing => "missing",
            State::Refused => "refused",
        }
    }
}

pub fn of_compiler(why: NotCompiled) -> (State, String) {
    match why {
        NotCompiled::Wrong(text) if is_memory(&text) => {
            (State::TooMuchMemory, "the compiler needs too much memory".into())
        }
        NotCompiled::Wrong(text) => (State::DoesNotCompile, first_error(&text)),
        NotCompiled::Stopped(Ended::Killed(signal)) if is_of_a_crash(signal) => {
            let why = "the compiler gave up (nested too deep?)";
            (State::DoesNotCompile, why.into())
        }
        NotCompiled::Stopped(ended) => {
            let state = match of_program(ended, "") {
                // A linker or a compiler that was killed has met a limit of memory.
                State::EndedEarly => State::TooMuchMemory,
                state => state,
            };
            (state, format!("the compiler {}", how(ended, "")))
        }
    }
}

pub fn of_program(ended: Ended, text: &str) -> State {
    match ended {
        Ended::TooSlow => State::TooSlow,
        Ended::TooMuchOutput => State::TooMuchOutput,
        _ if is_memory(text) => State::TooMuchMemory,
        _ => State::EndedEarly,
    }
}

pub fn how(ended: Ended, text: &str) -> String {
    match ended {
        _ if is_memory(text) => "had no memory left".into(),
        Ended::TooSlow => "came to no end".into(),
        Ended::TooMuchOutput => "printed more than is kept".into(),
        Ended::Exited(code) => {
            format!("ended without a verdict, with exit code {code}")
        }
        Ended::Killed(signal) if text.contains("has overflowed its stack") => {
            format!("overflowed its stack (signal {signal})")
        }
        Ended::Killed(signal) => format!("was ended by signal {signal}"),
    }
}

/// What ends a compiler whose stack is full, or that finds itself in the wrong.
fn is_of_a_crash(signal: i32) -> bool {
    [Signal::SEGV, Signal::ABORT].iter().any(|crash| crash.as_raw() == signal)
}

/// What Rust and LLVM say when there is no more.
pub fn is_memory(text: &str) -> bool {
    text.contains("memory allocation of ") || text.contains("LLVM ERROR: out of memory")
}

/// The first error, and its place.
fn first_error(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("error"));
    let error = lines.next().unwrap_or("error: the compiler gives no reason");
    let error: String = error.chars().take(LONGEST).collect();
    let place = lines.take(3).find_map(|line| line.trim_start().strip_prefix("--> "));
    match place {
        Some(place) => {
            format!("{error} ({})", place.replace("exercises/tests/../", ""))
        }
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_that_crashes_has_not_run_out_of_memory() {
        for signal in [11, 6] {
            assert_eq!(
                (
                    State::DoesNotCompile,
                    "the compiler gave up (nested too deep?)".to_owned()
                ),
                of_compiler(NotCompiled::Stopped(Ended::Killed(signal)))
            );
        }
    }

    #[test]
    fn a_compiler_without_memory_is_told_as_that() {
        let text = "memory allocation of 16 bytes failed";
        assert_eq!(
            State::TooMuchMemory,
            of_compiler(NotCompiled::Wrong(text.into())).0
        );
        assert_eq!(
            State::TooMuchMemory,
            of_compiler(NotCompiled::Stopped(Ended::Killed(9))).0
        );
    }

    #[test]
    fn a_long_error_is_cut() {
        let text = format!("error: {}\n --> src/a.rs:1:1", "a".repeat(1000));
        let (_, told) = of_compiler(NotCompiled::Wrong(text));
        assert_eq!(LONGEST + " (src/a.rs:1:1)".len(), told.len());
    }
}
