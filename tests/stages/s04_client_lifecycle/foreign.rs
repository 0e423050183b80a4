//! Stage 4 with servers that are shell scripts.

use super::{assert_fails, stage};
use predicates::prelude::*;

const HANDSHAKE: &str = r#"read -r line
    echo '{"jsonrpc":"2.0","id":1,"result":{
        "protocolVersion":"2025-06-18","capabilities":{"tools":{}}}}' | tr -d '\n'
    echo
    read -r line; read -r line
    echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"rm"}]}}'
"#;

#[test]
fn a_foreign_server_gets_lines_and_its_tools_are_not_called_by_default() {
    let script = format!("{HANDSHAKE} cat >&2");
    let run = stage().args(["--", "sh", "-c", &script]).assert().success();
    let listed = predicate::str::contains("· discovered 1 tool(s): rm\n");
    let not_called = predicate::str::contains("· no tool is called;");
    run.stdout(listed.and(not_called)).stderr("");
}

#[test]
fn a_server_that_exits_at_once_is_a_failure_with_its_last_lines() {
    let script = "echo 'usage: server DIR' >&2; echo 'no DIR given' >&2; exit 2";
    let expected = "error: the server ended with exit status: 2; \
                    its last lines on stderr: usage: server DIR | no DIR given";
    assert_fails(&["--", "sh", "-c", script], expected);
}

#[test]
fn a_server_that_never_responds_is_a_timeout_and_is_ended() {
    let args = ["--timeout", "0.3", "--", "sleep", "60"];
    assert_fails(&args, "error: no response to `initialize` within 0.3 s");
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_never_responds_does_not_outlive_the_stage() {
    let script = "echo $$ >&2; exec sleep 60";
    let run = stage().args(["--timeout", "0.3", "--", "sh", "-c", script]).assert();
    let run = run.code(1);
    let log = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let note = log.lines().find_map(|line| line.strip_prefix("! stderr: "));
    let server = note.expect("the server's id");
    assert!(!crate::common::processes::runs(server), "{log}");
}

#[test]
fn text_from_a_server_is_shown_escaped() {
    let hello =
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\u001b[2K\r[y]"}}"#;
    let script = format!("read -r line; printf '%s\\n' '{hello}'; cat >&2");
    let expected =
        r"error: the server responded with error 1: \u{1b}[2K\r[y]".to_owned();
    assert_fails(&["--", "sh", "-c", &script], &expected);
}

/// Case S11. The stage's environment represents a host's.
#[test]
fn a_server_inherits_no_keys_and_no_shell_functions() {
    let mut stage = stage();
    stage.env("FAKE_API_KEY", "secret").env("LANG", "C").env("TZ", "() { :; }");
    let run = stage.args(["--", "sh", "-c", "env >&2; exit 1"]).assert().code(1);
    let log = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let has = |line: &str| log.lines().any(|it| it.starts_with(line));
    assert!(has("! stderr: PATH="), "no PATH");
    assert!(has("! stderr: LANG=C"), "no LANG");
    assert!(!has("! stderr: FAKE_API_KEY"), "the key is inherited");
    assert!(!has("! stderr: TZ"), "the function is inherited");
}

#[test]
fn an_inherited_variable_need_not_be_text() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let mut stage = stage();
    stage.env("TMPDIR", OsStr::from_bytes(b"/tmp/\xff"));
    let run = stage.args(["--", "sh", "-c", "env >&2; exit 1"]).assert().code(1);
    run.stderr(predicate::str::contains(r"! stderr: TMPDIR=/tmp/\xff"));
}
