//! Stage 4 from outside: its transcript, its failures, its exit codes.

mod common;
#[cfg(unix)]
#[path = "stage_04/foreign.rs"]
mod foreign;
#[cfg(target_os = "linux")]
#[path = "stage_04/interrupted.rs"]
mod interrupted;
#[cfg(target_os = "linux")]
#[path = "common/limit.rs"]
mod limit;
#[cfg(target_os = "linux")]
#[path = "common/processes.rs"]
mod processes;

use assert_cmd::{
    Command,
    cargo::{cargo_bin, cargo_bin_cmd},
};
use predicates::prelude::*;

const TRANSCRIPT: &str = "chapters/04-client-lifecycle/transcript.txt";

fn stage() -> Command {
    cargo_bin_cmd!("04-client-lifecycle")
}

#[test]
fn prints_its_transcript() {
    common::assert_transcript(stage(), TRANSCRIPT);
}

#[test]
fn prints_the_same_transcript_in_either_framing() {
    for framing in ["newline", "content-length"] {
        let mut stage = stage();
        stage.args(["--framing", framing]);
        common::assert_transcript(stage, TRANSCRIPT);
    }
}

/// The lines of the stage's output that begin like this, without the beginning.
fn lines_after(begin: &str) -> Vec<String> {
    let run = stage().assert().success();
    let printed = String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8");
    let lines =
        printed.lines().filter_map(|line| line.trim_start().strip_prefix(begin));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_states_come_in_their_order() {
    let states = ["new", "initialized", "ready", "closed"];
    assert_eq!(states.as_slice(), lines_after("· state: "));
}

#[test]
fn the_ids_count_from_1_and_each_answer_carries_its_own() {
    let id = |line: &String| {
        let message: serde_json::Value = serde_json::from_str(line).expect("JSON");
        message.get("id").cloned()
    };
    let sent: Vec<_> = lines_after("[mcp:send]    ").iter().filter_map(id).collect();
    let received: Vec<_> =
        lines_after("[mcp:receive] ").iter().filter_map(id).collect();
    assert_eq!([1, 2, 3].as_slice(), sent);
    assert_eq!([1, 2, 3].as_slice(), received);
}

#[test]
fn help_says_what_the_stage_shows() {
    common::assert_help_says(stage(), "A client's life cycle");
}

#[test]
fn an_unknown_flag_is_wrong_usage() {
    common::assert_unknown_flag_is_wrong_usage(stage());
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    common::assert_closed_pipe_is_quiet(cargo_bin!("04-client-lifecycle"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    common::assert_full_disk_is_a_failure(cargo_bin!("04-client-lifecycle"));
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
fn arguments_that_are_no_json_object_are_wrong_usage() {
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
        "error: the server answered with error -32602: unknown tool `no-such-tool`";
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

#[test]
fn a_version_that_no_server_speaks_is_offered_and_the_counter_offer_taken() {
    let run = stage().args(["--protocol-version", "1999-01-01"]).assert().success();
    let answered = predicate::str::contains("protocol 2025-11-25");
    run.stdout(
        predicate::str::contains(r#""protocolVersion":"1999-01-01""#).and(answered),
    );
}
