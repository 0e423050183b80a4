//! The report as JUnit XML, which build servers read.

use super::{Entry, Report, Word};
use crate::rule::Problem;
use std::fmt::Write;

pub fn to_xml(report: &Report) -> String {
    let mut cases = String::new();
    report.entries.iter().for_each(|entry| case(&mut cases, report.stage, entry));
    let seconds: f64 = report.entries.iter().map(|it| it.took.as_secs_f64()).sum();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"mcp-check stage {}, {} framing\" tests=\"{}\" \
         failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{seconds:.3}\">\n\
         {cases}</testsuite>\n",
        report.stage,
        escaped(&report.framing),
        report.entries.len(),
        report.count(Word::Fail),
        report.count(Word::Skip),
    )
}

/// JUnit has no warnings, so one is a passed case with text beside it.
fn case(xml: &mut String, stage: u32, entry: &Entry) {
    let name = escaped(&format!("{}: {}", entry.rule.id, entry.rule.rule));
    let time = entry.took.as_secs_f64();
    // Writing to a String cannot fail.
    let _ = write!(
        xml,
        "  <testcase classname=\"mcp-check.stage{stage}\" name=\"{name}\" \
         time=\"{time:.3}\">"
    );
    match &entry.verdict {
        Ok(_) => {}
        Err(Problem::Skipped(reason)) => {
            let _ = write!(xml, "<skipped message=\"{}\"/>", escaped(reason));
        }
        Err(Problem::NotStarted(reason)) => {
            let _ = write!(xml, "<failure message=\"{}\"/>", escaped(reason));
        }
        Err(Problem::Failed(failure)) => {
            let cause = escaped(&failure.cause);
            let text = escaped(&format!(
                "expected {}\ngot {}\n{}",
                failure.expected, failure.got, entry.rule.spec
            ));
            let _ = match entry.word() {
                Word::Warn => {
                    write!(xml, "<system-out>warn: {cause}\n{text}</system-out>")
                }
                _ => write!(xml, "<failure message=\"{cause}\">{text}</failure>"),
            };
        }
    }
    xml.push_str("</testcase>\n");
}

/// Text for XML 1.0, for an attribute or between tags. Newlines, tabs and carriage
/// returns come back from a parser as they were. Other control characters, most of
/// which XML cannot hold at all (§2.2), become visible escapes, `\u{1b}`; so do U+FFFE
/// and U+FFFF.
pub fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\n' => xml.push_str("&#10;"),
            '\t' => xml.push_str("&#9;"),
            '\r' => xml.push_str("&#13;"),
            '\u{fffe}' | '\u{ffff}' => xml.extend(character.escape_unicode()),
            control if control.is_control() => xml.extend(control.escape_unicode()),
            other => xml.push(other),
        }
    }
    xml
}
