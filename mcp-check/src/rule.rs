//! A rule, and the result of checking it.

use mcp_from_scratch::transcript::truncate_escaped;
use std::{fmt, io};

/// How much of a message a finding quotes, in bytes.
const QUOTED: usize = 400;

/// What a violation means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The specification says MUST or describes one form only, or a violation makes the
    /// other side wait forever.
    Must,
    /// The specification says SHOULD, or leaves it open and this course does not. A
    /// violation is a warning: the exit status stays 0.
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
    pub text: &'static str,
    /// Revision and page, or section.
    pub source: &'static str,
}

/// A rule for `Subject`, and the function that checks it.
pub struct Check<Subject> {
    pub rule: Rule,
    pub run: fn(&Subject) -> Verdict,
}

/// Defines a module's `checks()`: a level, an id, a text, a source and a function each.
macro_rules! checks {
    ($subject:ty: $($level:ident $id:literal $text:literal, $source:expr, $run:expr;)*) => {
        /// The checks of this module, in the order in which they run.
        pub fn checks() -> Vec<crate::rule::Check<$subject>> {
            vec![$(crate::rule::Check {
                rule: crate::rule::Rule {
                    id: $id,
                    level: crate::rule::Level::$level,
                    text: $text,
                    source: $source,
                },
                run: $run,
            }),*]
        }
    };
}
pub(crate) use checks;

/// `Ok` holds a remark, which may be empty.
pub type Verdict = Result<String, Problem>;

#[derive(Debug)]
pub enum Problem {
    Failed(Failure),
    /// The rule could not be checked, with the reason.
    Skipped(String),
    /// The program could not be started.
    NotStarted(io::Error),
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

pub fn passed() -> Verdict {
    Ok(String::new())
}

/// Bytes from the wire, for a person.
pub fn quoted(bytes: &[u8]) -> String {
    truncate_escaped(bytes, QUOTED)
}
