//! What is printed: a line for each check, a summary; JSON and JUnit for machines.

pub mod junit;
mod text;

pub use text::{line, summary};

use crate::rule::{Level, Problem, Rule, Verdict};
use serde_json::{Value, json};
use std::time::Duration;

/// One check that was made.
pub struct Entry {
    pub rule: Rule,
    pub verdict: Verdict,
    pub took: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Ok,
    /// A broken MUST.
    Fail,
    /// A broken SHOULD.
    Warn,
    Skip,
}

impl Word {
    pub const ALL: [Self; 4] = [Self::Ok, Self::Fail, Self::Warn, Self::Skip];

    pub fn text(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Fail => "FAIL",
            Self::Warn => "warn",
            Self::Skip => "skip",
        }
    }
}

impl Entry {
    pub fn word(&self) -> Word {
        match (&self.verdict, self.rule.level) {
            (Ok(_), _) => Word::Ok,
            (Err(Problem::Skipped(_)), _) => Word::Skip,
            (Err(Problem::NotStarted(_)), _) => Word::Fail,
            (Err(Problem::Failed(_)), Level::Must) => Word::Fail,
            (Err(Problem::Failed(_)), Level::Should) => Word::Warn,
        }
    }
}

/// What was judged, and how it went.
pub struct Report {
    pub stage: u32,
    pub framing: String,
    pub command: Vec<String>,
    pub entries: Vec<Entry>,
}

impl Report {
    pub fn count(&self, word: Word) -> usize {
        self.entries.iter().filter(|entry| entry.word() == word).count()
    }

    /// Whether every MUST that could be checked holds.
    pub fn passed(&self) -> bool {
        self.count(Word::Fail) == 0
    }

    pub fn to_json(&self) -> Value {
        let checks: Vec<_> = self.entries.iter().map(entry_json).collect();
        let summary: serde_json::Map<_, _> = Word::ALL
            .iter()
            .map(|word| (word.text().to_lowercase(), self.count(*word).into()))
            .collect();
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
    let Rule { id, level, rule, spec } = entry.rule;
    let mut json = json!({
        "id": id,
        "outcome": entry.word().text().to_lowercase(),
        "level": level.to_string(),
        "rule": rule,
        "spec": spec,
        "seconds": entry.took.as_secs_f64(),
    });
    match &entry.verdict {
        Ok(note) if note.is_empty() => {}
        Ok(note) => json["note"] = note.as_str().into(),
        Err(Problem::Skipped(reason) | Problem::NotStarted(reason)) => {
            json["reason"] = reason.as_str().into()
        }
        Err(Problem::Failed(failure)) => {
            json["expected"] = failure.expected.as_str().into();
            json["got"] = failure.got.as_str().into();
            json["cause"] = failure.cause.as_str().into();
        }
    }
    json
}
