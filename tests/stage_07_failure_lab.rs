mod common;
#[path = "stage_07/frames.rs"]
mod frames;
#[cfg(target_os = "linux")]
#[path = "stage_07/left_over.rs"]
mod left_over;
#[path = "stage_07/messages.rs"]
mod messages;
#[path = "stage_07/parts.rs"]
mod parts;
#[path = "stage_07/processes.rs"]
mod processes;
#[path = "stage_07/tools.rs"]
mod tools;
#[path = "common/wire.rs"]
mod wire;

use assert_cmd::{
    Command,
    cargo::{cargo_bin, cargo_bin_cmd},
};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};
use wire::run;

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
fn each_failure_prints_its_transcript_and_ends_by_itself_within_five_seconds() {
    for failure in FAILURES {
        let start = Instant::now();
        common::assert_transcript(stage(failure), &transcript(failure));
        assert!(start.elapsed() < Duration::from_secs(5), "{failure}");
    }
}

#[test]
fn all_prints_its_transcript() {
    common::assert_transcript(stage("all"), "chapters/07-failure-lab/transcript.txt");
}

#[test]
fn all_is_the_ten_in_their_order() {
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
        let (wrong, right) = parts::halves(&read(&transcript(failure)));
        assert!(wrong.stdout.contains("\n  ✗ 错 / wrong: "), "{failure}");
        assert!(right.stdout.contains("\n  ✓ 对 / right: "), "{failure}");
        assert!(!wrong.stdout.contains('✓') && !right.stdout.contains('✗'));
        let cause = right.stdout.lines().next().expect("the cause");
        let (chinese, english) = cause.split_once("。 ").expect("two sentences");
        assert!(!chinese.contains('。') && !chinese.is_ascii(), "{cause}");
        assert!(english.is_ascii() && english.find(". ").is_none(), "{cause}");
        assert!(english.ends_with('.'), "{cause}");
    }
}

#[test]
fn help_names_every_failure() {
    common::assert_help_says(cargo_bin_cmd!("07-failure-lab"), "Ten failures of the");
    for failure in FAILURES {
        common::assert_help_says(cargo_bin_cmd!("07-failure-lab"), failure);
    }
}

#[test]
fn what_is_no_failure_is_wrong_usage() {
    common::assert_unknown_flag_is_wrong_usage(cargo_bin_cmd!("07-failure-lab"));
    for (arguments, error) in [
        (vec!["no-such-failure"], "error: unrecognized subcommand 'no-such-failure'"),
        (vec![], "error: which failure? `all`, or see --help"),
    ] {
        let printed = run(cargo_bin_cmd!("07-failure-lab").args(&arguments));
        assert_eq!((Some(2), ""), (printed.code, &*printed.stdout), "{arguments:?}");
        assert!(printed.stderr.starts_with(error), "{}", printed.stderr);
        assert_eq!(1, printed.stderr.lines().count(), "{}", printed.stderr);
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    let stage = cargo_bin!("07-failure-lab");
    for failure in ["id-mismatch", "stdout-noise"] {
        common::assert_closed_pipe_is_quiet_with(stage, &[failure]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let stage = cargo_bin!("07-failure-lab");
    common::assert_full_disk_is_a_failure_with(stage, &["raw-newline"]);
}
