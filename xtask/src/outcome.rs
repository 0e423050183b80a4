//! What came of running one exercise's tests.

use crate::run::Ended;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug)]
pub enum Outcome {
    /// With what the compiler says.
    DoesNotCompile(String),
    /// The compiler had to be stopped.
    NotCompiled(Ended),
    Ran(Tests),
}

/// Each test by its name, and how the program that ran them ended.
#[derive(Debug)]
pub struct Tests {
    pub all: BTreeMap<String, Test>,
    pub ended: Ended,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    Passed,
    /// With what the learner reads.
    Failed(String),
    /// It was running, or waiting to, when the program ended.
    Lost,
}

impl Tests {
    pub fn failed(&self) -> impl Iterator<Item = (&str, &Test)> {
        let all = self.all.iter().map(|(name, test)| (&**name, test));
        all.filter(|(_, test)| **test != Test::Passed)
    }
}

/// Reads what a test program printed. A program that did not come to its own end has
/// proved nothing, whatever it has printed until then.
pub fn read(text: &str, ended: Ended) -> Outcome {
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
            "FAILED" => Test::Failed(words_for(text, name).into()),
            _ => Test::Lost,
        };
        all.insert(name.to_owned(), test);
    }
    Outcome::Ran(Tests { all, ended })
}

/// What a failed test has said.
fn words_for<'a>(text: &'a str, name: &str) -> &'a str {
    let head = format!("---- {name} stdout ----\n");
    let Some((_, rest)) = text.split_once(&head) else { return "" };
    let end =
        ["\n---- ", "\nfailures:\n"].iter().filter_map(|mark| rest.find(mark)).min();
    rest[..end.unwrap_or(rest.len())].trim()
}

/// The tests of a grader, by its source.
pub fn names_in(grader: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = grader.lines().collect();
    let pairs = lines.windows(2).filter(|pair| pair[0] == "#[test]");
    let name = |pair: &[&str]| {
        pair[1].strip_prefix("fn ")?.split_once('(').map(|f| f.0.to_owned())
    };
    pairs.filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Test, read};
    use crate::run::Ended;

    fn test(text: &str, ended: Ended) -> Option<Test> {
        let Outcome::Ran(tests) = read(text, ended) else { return None };
        tests.all.get("t1_1_a").cloned()
    }

    const LINE: &str = "test t1_1_a ... ok\n";
    const RESULT: &str = "\ntest result: ok. 1 passed; 0 failed\n";

    #[test]
    fn a_test_has_passed_if_its_program_came_to_its_end() {
        let whole = format!("running 1 test\n{LINE}{RESULT}");
        assert_eq!(Some(Test::Passed), test(&whole, Ended::Exited(0)));
        assert_eq!(Some(Test::Passed), test(&whole, Ended::Exited(101)));
    }

    #[test]
    fn a_program_that_ended_before_its_end_has_passed_nothing() {
        assert_eq!(Some(Test::Lost), test(LINE, Ended::Exited(0)));
        let whole = format!("{LINE}{RESULT}");
        for ended in [Ended::Exited(1), Ended::Killed(6), Ended::TooSlow] {
            assert_eq!(Some(Test::Lost), test(&whole, ended));
        }
    }

    #[test]
    fn two_results_are_none() {
        let forged = format!("{LINE}{RESULT}{RESULT}");
        assert_eq!(Some(Test::Lost), test(&forged, Ended::Exited(0)));
    }
}
