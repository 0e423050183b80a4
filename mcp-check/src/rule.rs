//! A rule, and what comes of checking it.

use mcp_from_scratch::transcript::truncate_escaped;
use std::fmt;

/// How much of a frame a failure quotes, in bytes.
const QUOTED: usize = 400;

/// What a broken rule means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The specification says MUST, or describes one form only, or whoever breaks it
    /// waits for ever.
    Must,
    /// The specification says SHOULD, or leaves it open and this course does not. A
    /// warning: the exit status stays 0.
    Should,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Must => "must",
            Self::Should => "should",
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub id: &'static str,
    pub level: Level,
    pub rule: &'static str,
    /// Revision and page, or section.
    pub spec: &'static str,
}

/// Something that `subject` is checked for.
pub struct Check<Subject> {
    pub rule: Rule,
    pub run: fn(&Subject) -> Verdict,
}

impl<Subject> Check<Subject> {
    pub fn new(
        id: &'static str,
        level: Level,
        rule: &'static str,
        spec: &'static str,
        run: fn(&Subject) -> Verdict,
    ) -> Self {
        Self { rule: Rule { id, level, rule, spec }, run }
    }
}

/// `Ok` may say something worth knowing; it may be empty.
pub type Verdict = Result<String, Problem>;

#[derive(Clone, Debug)]
pub enum Problem {
    Failed(Failure),
    /// It could not be checked, and why.
    Skipped(String),
    /// The program could not even be started.
    NotStarted(String),
}

#[derive(Clone, Debug)]
pub struct Failure {
    pub expected: String,
    pub got: String,
    pub cause: String,
}

impl Failure {
    pub fn new(
        expected: impl Into<String>,
        got: impl Into<String>,
        cause: impl Into<String>,
    ) -> Self {
        Self { expected: expected.into(), got: got.into(), cause: cause.into() }
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

pub fn failed<T>(
    expected: impl Into<String>,
    got: impl Into<String>,
    cause: impl Into<String>,
) -> Result<T, Problem> {
    Err(Failure::new(expected, got, cause).into())
}

pub fn skipped<T>(reason: impl Into<String>) -> Result<T, Problem> {
    Err(Problem::Skipped(reason.into()))
}

pub fn fine() -> Verdict {
    Ok(String::new())
}

/// Bytes from the wire, for a person.
pub fn quoted(bytes: &[u8]) -> String {
    truncate_escaped(bytes, QUOTED)
}
