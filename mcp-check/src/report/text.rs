//! Lines for a person.

use super::{Entry, Report, Word};
use crate::rule::{Problem, Rule};
use mcp_from_scratch::transcript::escape_untrusted;

/// `FAIL id  rule [spec]`, and what lies under it. Without colour it is plain text.
pub fn line(entry: &Entry, coloured: bool) -> String {
    let Rule { id, rule, spec, .. } = entry.rule;
    let word = painted(entry.word(), coloured);
    let head = format!("{word} {id:<24} {rule}");
    match &entry.verdict {
        Ok(note) if note.is_empty() => format!("{head} [{spec}]"),
        Ok(note) => format!("{head}: {} [{spec}]", escape_untrusted(note.as_bytes())),
        Err(Problem::Skipped(reason) | Problem::NotStarted(reason)) => {
            let reason = escape_untrusted(reason.as_bytes());
            format!("{head} [{spec}]\n     not shown: {reason}")
        }
        Err(Problem::Failed(failure)) => {
            let mut text = format!("{head} [{spec}]");
            for (name, value) in [
                ("expected", &failure.expected),
                ("got", &failure.got),
                ("cause", &failure.cause),
            ] {
                if !value.is_empty() {
                    let value = escape_untrusted(value.as_bytes());
                    text += &format!("\n     {name:<8} {value}");
                }
            }
            text
        }
    }
}

fn painted(word: Word, coloured: bool) -> String {
    let text = format!("{:<4}", word.text());
    let colour = match word {
        _ if !coloured => return text,
        Word::Ok => 32,
        Word::Fail => 31,
        Word::Warn => 33,
        Word::Skip => 90,
    };
    format!("\u{1b}[{colour}m{text}\u{1b}[0m")
}

/// The last line.
pub fn summary(report: &Report) -> String {
    let count = |word| report.count(word);
    format!(
        "stage {}, {} framing: {}; {} ok, {} failed, {} warned, {} skipped",
        report.stage,
        report.framing,
        if report.passed() { "passed" } else { "FAILED" },
        count(Word::Ok),
        count(Word::Fail),
        count(Word::Warn),
        count(Word::Skip),
    )
}
