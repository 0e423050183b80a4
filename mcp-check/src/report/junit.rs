//! The report as JUnit XML, which build servers read.

use super::{Entry, Outcome, Report};
use crate::rule::Problem;
use mcp_from_scratch::transcript::escape_untrusted;
use quick_junit::{
    NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite,
};

pub fn to_xml(report: &Report) -> Result<String, SerializeError> {
    let name = format!("mcp-check stage {}, {} framing", report.stage, report.framing);
    let mut suite = TestSuite::new(name);
    suite.set_time(report.entries.iter().map(|entry| entry.took).sum());
    suite.add_test_cases(report.entries.iter().map(|entry| case(report.stage, entry)));
    let mut document = quick_junit::Report::new("mcp-check");
    document.add_test_suite(suite);
    document.to_string()
}

/// JUnit has no warnings, so a warning is a passed case with text beside it.
fn case(stage: u32, entry: &Entry) -> TestCase {
    let (mut status, mut output) = (TestCaseStatus::success(), None);
    match &entry.verdict {
        Ok(_) => {}
        Err(Problem::Skipped(reason)) => {
            status = TestCaseStatus::skipped();
            status.set_message(escaped(reason));
        }
        Err(Problem::NotStarted(error)) => {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(escaped(&error.to_string()));
        }
        Err(Problem::Failed(failure)) => {
            let cause = escaped(&failure.cause);
            let text = format!(
                "expected {}\ngot {}\n{}",
                escaped(&failure.expected),
                escaped(&failure.got),
                entry.rule.source
            );
            if entry.outcome() == Outcome::Warn {
                output = Some(format!("warn: {cause}\n{text}"));
            } else {
                status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(cause).set_description(text);
            }
        }
    }
    let name = format!("{}: {}", entry.rule.id, entry.rule.text);
    let mut case = TestCase::new(name, status);
    case.set_classname(format!("mcp-check.stage{stage}")).set_time(entry.took);
    if let Some(output) = output {
        case.set_system_out(output);
    }
    case
}

/// Two characters are visible in no terminal and not allowed in XML (1.0, §2.2).
fn escaped(text: &str) -> String {
    let text = escape_untrusted(text.as_bytes());
    text.replace('\u{fffe}', "\\u{fffe}").replace('\u{ffff}', "\\u{ffff}")
}
