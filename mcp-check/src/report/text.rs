//! Lines for a person.

use super::{Entry, Outcome, Report};
use crate::rule::{Problem, Rule};
use mcp_from_scratch::transcript::escape_untrusted;

/// `FAIL id  rule [source]`, and the details below it. Without colour, plain text.
pub fn line(entry: &Entry, coloured: bool) -> String {
    let Rule { id, text, source, .. } = entry.rule;
    let head = format!("{} {id:<24} {text}", label(entry.outcome(), coloured));
    let details = match &entry.verdict {
        Ok(remark) if remark.is_empty() => return format!("{head} [{source}]"),
        Ok(remark) => {
            return format!(
                "{head}: {} [{source}]",
                escape_untrusted(remark.as_bytes())
            );
        }
        Err(Problem::Skipped(reason)) => vec![("skipped:", reason.clone())],
        Err(Problem::NotStarted(error)) => vec![("not started:", error.to_string())],
        Err(Problem::Failed(failure)) => vec![
            ("expected", failure.expected.clone()),
            ("got     ", failure.got.clone()),
            ("cause   ", failure.cause.clone()),
        ],
    };
    let shown = details.into_iter().filter(|(_, value)| !value.is_empty());
    shown.fold(format!("{head} [{source}]"), |text, (name, value)| {
        format!("{text}\n     {name} {}", escape_untrusted(value.as_bytes()))
    })
}

fn label(outcome: Outcome, coloured: bool) -> String {
    let (text, colour) = match outcome {
        Outcome::Ok => ("ok  ", 32),
        Outcome::Fail => ("FAIL", 31),
        Outcome::Warn => ("warn", 33),
        Outcome::Skip => ("skip", 90),
    };
    match coloured {
        true => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    }
}

/// The last line.
pub fn summary(report: &Report) -> String {
    let [ok, failed, warned, skipped] = Outcome::ALL.map(|it| report.count(it));
    format!(
        "stage {}, {} framing: {}; {ok} ok, {failed} failed, {warned} warned, \
         {skipped} skipped",
        report.stage,
        report.framing,
        if report.passed() { "passed" } else { "FAILED" },
    )
}
