//! Stage 4 from outside: its transcript, its failures, its exit codes.

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

/// The stage says one line on stderr and nothing on stdout.
#[track_caller]
fn assert_wrong_usage(args: &[&str], expected: &str) {
    let run = stage().args(args).assert().code(2).stdout("");
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.starts_with(expected), "expected `{expected}…`, got `{said}`");
    assert_eq!(1, said.lines().count(), "{said}");
}

#[test]
fn arguments_that_are_not_a_json_object_are_wrong_usage() {
    for json in ["{", "[1]", "text", ""] {
        let expected =
            format!("error: --call echo expects a JSON object, got `{json}`: ");
        assert_wrong_usage(&["--call", "echo", json], &expected);
    }
}

#[test]
fn a_timeout_that_is_no_time_is_wrong_usage() {
    for seconds in ["0", "x", "1e99", "-1", "NaN", "inf", "0.0001", ""] {
        let expected = format!("error: invalid value '{seconds}' for '--timeout");
        assert_wrong_usage(&[&format!("--timeout={seconds}")], &expected);
    }
}

#[test]
fn an_unknown_framing_is_wrong_usage() {
    let expected = "error: invalid value 'lines' for '--framing <FRAMING>': \
                    expected newline or content-length";
    assert_wrong_usage(&["--framing", "lines"], expected);
}

/// The stage fails with this last line on stderr, and no other `error:` line.
#[track_caller]
fn assert_fails(args: &[&str], expected: &str) {
    let run = stage().args(args).assert().code(1);
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert_eq!(Some(expected), said.lines().last(), "{said}");
    assert_eq!(1, said.matches("error: ").count(), "{said}");
}

#[test]
fn a_tool_that_the_server_does_not_know_is_its_protocol_error() {
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
fn a_command_that_is_not_there_is_a_failure() {
    let expected = "error: cannot start `no-such-server`: \
                    No such file or directory (os error 2)";
    assert_fails(&["--", "no-such-server"], expected);
}
