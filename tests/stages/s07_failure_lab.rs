#[cfg(target_os = "linux")]
mod left_over;

use crate::common;
use crate::common::wire::run;
use assert_cmd::{Command, cargo::cargo_bin_cmd};
use std::{fs, path::Path};

const FAILURES: [&str; 10] = [
    "frame-boundary",
    "id-mismatch",
    "early-call",
    "error-layering",
    "stdout-noise",
    "name-collision",
    "notification-id",
    "raw-newline",
    "orphan-child",
    "no-timeout",
];

fn stage(failure: &str) -> Command {
    let mut stage = cargo_bin_cmd!("07-failure-lab");
    stage.arg(failure);
    stage
}

fn read(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(file).expect("a transcript").replace("\r\n", "\n")
}

fn transcript(failure: &str) -> String {
    format!("chapters/07-failure-lab/transcript-{failure}.txt")
}

#[test]
fn each_failure_prints_its_transcript_and_ends() {
    for failure in FAILURES {
        let mut stage = stage(failure);
        stage.timeout(common::LIMIT);
        common::assert_transcript(stage, &transcript(failure));
    }
}

#[test]
fn all_prints_its_transcript() {
    common::assert_transcript(stage("all"), "chapters/07-failure-lab/transcript.txt");
}

#[test]
fn all_prints_the_ten_in_order() {
    let each = (1..).zip(FAILURES).map(|(number, failure)| {
        let text = read(&transcript(failure));
        format!("--- {number}. {}", text.strip_prefix("--- 1. ").expect("a heading"))
    });
    let whole = each.collect::<Vec<_>>().join("\n");
    assert_eq!(whole, read("chapters/07-failure-lab/transcript.txt"));
}

#[test]
fn each_failure_has_one_cause_in_both_languages_between_wrong_and_right() {
    for failure in FAILURES {
        let printed = read(&transcript(failure));
        let parts: Vec<_> = printed.split("  = 原因 / cause: ").collect();
        let [wrong, right] = parts[..] else { panic!("one cause: {printed}") };
        assert!(wrong.contains("\n  ✗ 错 / wrong: "), "{failure}");
        assert!(right.contains("\n  ✓ 对 / right: "), "{failure}");
        assert!(!wrong.contains('✓') && !right.contains('✗'));
        let cause = right.lines().next().expect("the cause");
        let (chinese, english) = cause.split_once("。 ").expect("two sentences");
        assert!(!chinese.contains('。') && !chinese.is_ascii(), "{cause}");
        assert!(english.is_ascii() && english.find(". ").is_none(), "{cause}");
        assert!(english.ends_with('.'), "{cause}");
    }
}

#[test]
fn help_names_every_failure() {
    common::assert_help_says(
        cargo_bin_cmd!("07-failure-lab"),
        "Ten typical failures of MCP programs",
    );
    for failure in FAILURES {
        common::assert_help_says(cargo_bin_cmd!("07-failure-lab"), failure);
    }
}

#[test]
fn an_unknown_failure_is_a_usage_error() {
    common::assert_unknown_flag_is_wrong_usage(cargo_bin_cmd!("07-failure-lab"));
    for (arguments, error) in [
        (vec!["no-such-failure"], "error: unrecognized subcommand 'no-such-failure'"),
        (vec![], "error: expected a failure or `all`; try --help"),
    ] {
        let printed = run(cargo_bin_cmd!("07-failure-lab").args(&arguments));
        assert_eq!((Some(2), ""), (printed.code, &*printed.stdout), "{arguments:?}");
        assert!(printed.stderr.starts_with(error), "{}", printed.stderr);
        assert_eq!(1, printed.stderr.lines().count(), "{}", printed.stderr);
    }
}
