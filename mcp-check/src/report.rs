//! Output: a line for each check and a summary; JSON and JUnit for other programs.

pub mod junit;
mod text;

pub use text::{line, summary};

use crate::rule::{Level, Problem, Rule, Verdict};
use serde_json::{Value, json};
use std::time::Duration;

/// One completed check.
pub struct Entry {
    pub rule: Rule,
    pub verdict: Verdict,
    pub took: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Ok,
    /// A violated MUST.
    Fail,
    /// A violated SHOULD.
    Warn,
    Skip,
}

impl Outcome {
    pub const ALL: [Self; 4] = [Self::Ok, Self::Fail, Self::Warn, Self::Skip];

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Fail => "fail",
            Self::Warn => "warn",
            Self::Skip => "skip",
        }
    }
}

impl Entry {
    pub fn outcome(&self) -> Outcome {
        match (&self.verdict, self.rule.level) {
            (Ok(_), _) => Outcome::Ok,
            (Err(Problem::Skipped(_)), _) => Outcome::Skip,
            (Err(Problem::NotStarted(_)), _) => Outcome::Fail,
            (Err(Problem::Failed(_)), Level::Must) => Outcome::Fail,
            (Err(Problem::Failed(_)), Level::Should) => Outcome::Warn,
        }
    }
}

/// What was tested, and the results.
pub struct Report {
    pub stage: u32,
    pub framing: String,
    pub command: Vec<String>,
    pub entries: Vec<Entry>,
}

impl Report {
    pub fn count(&self, outcome: Outcome) -> usize {
        self.entries.iter().filter(|entry| entry.outcome() == outcome).count()
    }

    /// Whether every MUST that could be checked holds.
    pub fn passed(&self) -> bool {
        self.count(Outcome::Fail) == 0
    }

    pub fn to_json(&self) -> Value {
        let checks: Vec<_> = self.entries.iter().map(entry_json).collect();
        let counts = Outcome::ALL.map(|it| (it.name().to_owned(), self.count(it)));
        let summary: Value = counts.into_iter().collect();
        json!({
            "stage": self.stage,
            "framing": self.framing,
            "command": self.command,
            "passed": self.passed(),
            "summary": summary,
            "checks": checks,
        })
    }
}

fn entry_json(entry: &Entry) -> Value {
    let Rule { id, level, text, source } = entry.rule;
    let mut json = json!({
        "id": id,
        "outcome": entry.outcome().name(),
        "level": level.to_string(),
        "rule": text,
        "source": source,
        "seconds": entry.took.as_secs_f64(),
    });
    match &entry.verdict {
        Ok(remark) if remark.is_empty() => {}
        Ok(remark) => json["remark"] = remark.as_str().into(),
        Err(Problem::Skipped(reason)) => json["reason"] = reason.as_str().into(),
        Err(Problem::NotStarted(error)) => json["reason"] = error.to_string().into(),
        Err(Problem::Failed(failure)) => {
            json["expected"] = failure.expected.as_str().into();
            json["got"] = failure.got.as_str().into();
            json["cause"] = failure.cause.as_str().into();
        }
    }
    json
}
