//! What went wrong on the way to a verdict, in words for an instructor.

use crate::{outcome::NotCompiled, run::Ended};

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

/// What Rust and LLVM say when there is no more.
fn is_memory(text: &str) -> bool {
    text.contains("memory allocation of ") || text.contains("LLVM ERROR: out of memory")
}

/// The first error, and its place.
fn first_error(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("error"));
    let error = lines.next().unwrap_or("error: the compiler gives no reason");
    let place = lines.take(3).find_map(|line| line.trim_start().strip_prefix("--> "));
    match place {
        Some(place) => {
            format!("{error} ({})", place.replace("exercises/tests/../", ""))
        }
        None => error.into(),
    }
}
