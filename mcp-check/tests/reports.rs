//! The output for people, and for other programs.

use mcp_check::{
    report::{Entry, Report, junit, line, summary},
    rule::{Level, Rule, Verdict, failed, passed, skipped},
};
use serde_json::json;
use std::time::Duration;

/// What a peer may send: quotes, tags, an escape sequence, characters that XML forbids.
const NASTY: &str = "<a b=\"c\"> & ]]> \u{1b}[31m\u{0}\u{fffe}\n你好";

fn entry(id: &'static str, level: Level, verdict: Verdict) -> Entry {
    let rule = Rule { id, level, text: "a rule", source: "a page" };
    Entry { rule, verdict, took: Duration::from_millis(1500) }
}

fn report() -> Report {
    Report {
        stage: 3,
        framing: "newline".into(),
        command: vec!["server".into()],
        entries: vec![
            entry("one", Level::Must, passed()),
            entry("two", Level::Must, failed("this", NASTY, "why")),
            entry("three", Level::Should, failed("this", "that", NASTY)),
            entry("four", Level::Must, skipped("no tools")),
        ],
    }
}

#[test]
fn a_line_has_the_rule_and_a_failure_its_cause() {
    let lines: Vec<_> = report().entries.iter().map(|it| line(it, false)).collect();
    assert_eq!("ok   one                      a rule [a page]", lines[0]);
    let expected = "FAIL two                      a rule [a page]\n     \
        expected this\n     \
        got      <a b=\"c\"> & ]]> \\u{1b}[31m\\u{0}\u{fffe}\\n你好\n     \
        cause    why";
    assert_eq!(expected, lines[1]);
    assert!(lines[2].starts_with("warn three "), "{}", lines[2]);
    let expected = "skip four                     a rule [a page]\n     \
        skipped: no tools";
    assert_eq!(expected, lines[3]);
}

#[test]
fn only_the_outcome_is_coloured() {
    let coloured = line(&report().entries[1], true);
    assert!(coloured.starts_with("\u{1b}[31mFAIL\u{1b}[0m two "), "{coloured}");
    assert_eq!(2, coloured.matches('\u{1b}').count());
}

#[test]
fn the_summary_counts() {
    let expected =
        "stage 3, newline framing: FAILED; 1 ok, 1 failed, 1 warned, 1 skipped";
    assert_eq!(expected, summary(&report()));
}

#[test]
fn a_warning_alone_passes() {
    let mut report = report();
    report.entries.remove(1);
    assert!(report.passed());
}

#[test]
fn the_json_is_complete() {
    let json = report().to_json();
    let expected = json!({ "ok": 1, "fail": 1, "warn": 1, "skip": 1 });
    assert_eq!(expected, json["summary"]);
    assert_eq!(json!(false), json["passed"]);
    let expected = json!({
        "id": "two", "outcome": "fail", "level": "must", "rule": "a rule",
        "source": "a page", "seconds": 1.5, "expected": "this", "got": NASTY,
        "cause": "why",
    });
    assert_eq!(expected, json["checks"][1]);
    assert_eq!("no tools", json["checks"][3]["reason"]);
}

#[test]
fn the_junit_report_is_well_formed_whatever_a_peer_sent() {
    let xml = junit::to_xml(&report()).expect("XML");
    let document = roxmltree::Document::parse(&xml).expect("well-formed");
    let suite = document.root_element().first_element_child().expect("a suite");
    let counts = ["tests", "failures", "skipped"].map(|name| suite.attribute(name));
    assert_eq!([Some("4"), Some("1"), Some("1")], counts);
    let cases: Vec<_> = suite.children().filter(|it| it.is_element()).collect();
    assert_eq!(Some("one: a rule"), cases[0].attribute("name"));
    let failure = cases[1].first_element_child().expect("a failure");
    assert_eq!(Some("why"), failure.attribute("message"));
    let expected = "expected this\ngot <a b=\"c\"> & ]]> \\u{1b}[31m\\u{0}\\u{fffe}\\n你好\n\
        a page";
    assert_eq!(Some(expected), failure.text());
    let details = cases.iter().filter_map(|it| it.first_element_child());
    let names: Vec<_> = details.map(|it| it.tag_name().name()).collect();
    assert_eq!(["failure", "system-out", "skipped"], names[..]);
}
