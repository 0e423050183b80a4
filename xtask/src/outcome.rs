//! The result of compiling and running one exercise's tests.

use crate::run::Ended;
use std::{collections::BTreeMap, fmt};

#[cfg(test)]
mod tests;

/// Why there is nothing to run.
#[derive(Debug)]
pub enum NotCompiled {
    /// With the compiler's output.
    Wrong(String),
    /// The compiler had to be stopped.
    Stopped(Ended),
}

impl fmt::Display for NotCompiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(text) => write!(f, "it does not compile:\n{text}"),
            Self::Stopped(ended) => write!(f, "the compiler did not end: {ended:?}"),
        }
    }
}

impl std::error::Error for NotCompiled {}

/// Each test by its name, and how the program that ran them ended.
#[derive(Debug)]
pub struct Tests {
    pub all: BTreeMap<String, Test>,
    pub ended: Ended,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    Passed,
    /// With its output, which the learner reads.
    Failed(String),
    /// The program ended before the test did.
    Lost,
}

impl Tests {
    pub fn failed(&self) -> impl Iterator<Item = (&str, &Test)> {
        let all = self.all.iter().map(|(name, test)| (&**name, test));
        all.filter(|(_, test)| **test != Test::Passed)
    }
}

/// Reads the output of a test program. Without a regular end no test has passed. A line
/// that a test printed cannot be distinguished from the program's own, so a failed test
/// stays failed, and with two lines of `test result` no test has passed.
pub fn read(text: &str, ended: Ended) -> Tests {
    let mut all = BTreeMap::new();
    let whole = matches!(ended, Ended::Exited(0 | 101))
        && text.lines().filter(|line| line.starts_with("test result: ")).count() == 1;
    for line in text.lines() {
        let Some((name, result)) = line
            .strip_prefix("test ")
            .and_then(|line| line.split_once(" ... "))
            .filter(|(name, _)| name.starts_with('t'))
        else {
            continue;
        };
        let test = match result {
            "ok" if whole => Test::Passed,
            "FAILED" => Test::Failed(output_of(text, name).into()),
            _ => Test::Lost,
        };
        if !matches!(all.get(name), Some(Test::Failed(_))) {
            all.insert(name.to_owned(), test);
        }
    }
    Tests { all, ended }
}

/// The output of a failed test.
fn output_of<'a>(text: &'a str, name: &str) -> &'a str {
    let head = format!("---- {name} stdout ----\n");
    let Some((_, rest)) = text.split_once(&head) else { return "" };
    let end =
        ["\n---- ", "\nfailures:\n"].iter().filter_map(|mark| rest.find(mark)).min();
    rest[..end.unwrap_or(rest.len())].trim()
}
