//! Stage 4 as a program: its transcript, its failures, its exit codes.

#[cfg(unix)]
mod foreign;
#[cfg(target_os = "linux")]
mod interrupted;

use crate::common;
use assert_cmd::{Command, cargo::cargo_bin_cmd};
use predicates::prelude::*;

const TRANSCRIPT: &str = "chapters/04-client-lifecycle/transcript.txt";

fn stage() -> Command {
    cargo_bin_cmd!("04-client-lifecycle")
}

#[test]
fn prints_the_same_transcript_in_either_framing() {
    for framing in ["newline", "content-length"] {
        let mut stage = stage();
        stage.args(["--framing", framing]);
        common::assert_transcript(stage, TRANSCRIPT);
    }
}

/// The stage prints one line to stderr and nothing to stdout.
#[track_caller]
fn assert_usage_error(args: &[&str], expected: &str) {
    let run = stage().args(args).assert().code(2).stdout("");
    let log = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(log.starts_with(expected), "expected `{expected}…`, got `{log}`");
    assert_eq!(1, log.lines().count(), "{log}");
}

#[test]
fn arguments_that_are_not_a_json_object_are_a_usage_error() {
    for json in ["{", "[1]", "text", ""] {
        let expected =
            format!("error: --call echo expects a JSON object, got `{json}`: ");
        assert_usage_error(&["--call", "echo", json], &expected);
    }
}

#[test]
fn an_invalid_timeout_is_a_usage_error() {
    for seconds in ["0", "x", "1e99", "-1", "NaN", "inf", "0.0001", ""] {
        let expected = format!("error: invalid value '{seconds}' for '--timeout");
        assert_usage_error(&[&format!("--timeout={seconds}")], &expected);
    }
}

#[test]
fn an_unknown_framing_is_a_usage_error() {
    let expected = "error: invalid value 'lines' for '--framing <FRAMING>': \
                    expected newline or content-length";
    assert_usage_error(&["--framing", "lines"], expected);
}

/// The stage fails with this last line on stderr, and no other `error:` line.
#[track_caller]
fn assert_fails(args: &[&str], expected: &str) {
    let run = stage().args(args).assert().code(1);
    let log = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(Some(expected), log.lines().last(), "{log}");
    assert_eq!(1, log.matches("error: ").count(), "{log}");
}

#[test]
fn an_unknown_tool_is_a_protocol_error() {
    let expected =
        "error: the server responded with error -32602: unknown tool `no-such-tool`";
    assert_fails(&["--call", "no-such-tool"], expected);
}

#[test]
fn a_tool_that_fails_is_a_result() {
    let shown = "· the tool failed: [{\"type\":\"text\",\
                 \"text\":\"argument `text` is missing\"}]";
    let run = stage().args(["--call", "echo", "{}"]).assert().success();
    run.stdout(predicate::str::contains(shown)).stderr("");
}

#[test]
fn a_missing_command_is_a_failure() {
    let expected = "error: cannot start `no-such-server`: \
                    No such file or directory (os error 2)";
    assert_fails(&["--", "no-such-server"], expected);
}
