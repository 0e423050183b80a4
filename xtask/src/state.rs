//! Why a submission could not be graded completely, in words for an instructor.

use crate::{outcome::NotCompiled, run::Ended};

/// A state in a few words, and one line about it.
pub struct Problem {
    pub state: &'static str,
    pub note: String,
}

impl Problem {
    pub fn new(state: &'static str, note: impl Into<String>) -> Self {
        Self { state, note: note.into() }
    }

    pub fn of_compiler(why: NotCompiled) -> Self {
        match why {
            NotCompiled::Wrong(text) if is_memory(&text) => {
                Self::new("out of memory", "the compiler ran out of memory")
            }
            NotCompiled::Wrong(text) => {
                Self::new("does not compile", first_error(&text))
            }
            NotCompiled::Stopped(ended) => {
                let Self { state, note } = Self::of_program(ended, "");
                Self::new(state, format!("the compiler {note}"))
            }
        }
    }

    /// `text`: what the program printed.
    pub fn of_program(ended: Ended, text: &str) -> Self {
        let early = |note| Self::new("ended early", note);
        match ended {
            Ended::TooSlow => Self::new("timed out", "did not end in time"),
            Ended::TooMuchOutput => Self::new("too much output", "printed too much"),
            _ if is_memory(text) => Self::new("out of memory", "ran out of memory"),
            Ended::Killed(_) if text.contains("has overflowed its stack") => {
                early("overflowed its stack".to_owned())
            }
            Ended::Killed(signal) => early(format!("was killed by signal {signal}")),
            Ended::Exited(code) => {
                early(format!("ended without a result, with exit code {code}"))
            }
        }
    }
}

/// Whether Rust or LLVM reports that there is no memory.
pub fn is_memory(text: &str) -> bool {
    text.contains("memory allocation of ") || text.contains("LLVM ERROR: out of memory")
}

/// The first error, and its place.
fn first_error(text: &str) -> String {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("error"));
    let error = lines.next().or(text.lines().next()).unwrap_or("no message");
    let error: String = error.chars().take(400).collect();
    let place = lines.take(3).find_map(|line| line.trim_start().strip_prefix("--> "));
    let module = |place: &str| place.rsplit("../").next().unwrap_or(place).to_owned();
    let place = place.map(|place| format!(" ({})", module(place)));
    error + &place.unwrap_or_default()
}
