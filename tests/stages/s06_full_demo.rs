use crate::common;
use crate::common::wire::{run, shell};
use assert_cmd::{Command, cargo::cargo_bin_cmd};

const ECHO: &str = r#"[{"name":"echo","inputSchema":{"type":"object"}}]"#;
const TWO: &str =
    r#"[{"name":"add","inputSchema":{}},{"name":"echo","inputSchema":{}}]"#;

fn stage() -> Command {
    cargo_bin_cmd!("06-full-demo")
}

#[test]
fn prints_its_transcript_in_both_framings() {
    for framing in ["content-length", "newline"] {
        let mut stage = stage();
        stage.args(["--framing", framing]);
        common::assert_transcript(stage, "chapters/06-full-demo/transcript.txt");
    }
}

#[test]
fn the_last_line_is_the_text_that_the_server_echoed() {
    for text in ["另一句话", "", "a \"quoted\" word"] {
        let arguments = serde_json::json!({ "text": text }).to_string();
        let printed = run(stage().args(["--call", "echo", &arguments]));
        assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
        assert_eq!(format!("echo 工具返回了：{text}"), printed.last_line());
    }
}

#[cfg(unix)]
#[test]
fn the_last_line_is_the_servers_result_whatever_the_arguments_are() {
    let response = r#"echo '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"quite another thing"}]}}'"#;
    let printed = run(stage().args(shell(ECHO, response)));
    assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
    assert_eq!("echo 工具返回了：quite another thing", printed.last_line());
    assert!(printed.stdout.contains(r#""arguments":{"text":"hello from MCP"}"#));
}

#[test]
fn a_failed_tool_is_read_by_the_model_and_the_stage_succeeds() {
    for (call, last) in [
        (vec!["--call", "echo"], "echo 工具返回了：argument `text` is missing"),
        (
            vec!["--call", "delete_file", r#"{"name":"a"}"#],
            "delete_file 工具返回了：the call of `delete_file` was refused: no user is \
             there to approve it",
        ),
    ] {
        let printed = run(stage().args(&call));
        assert_eq!((Some(0), ""), (printed.code, &*printed.stderr), "{call:?}");
        assert_eq!(last, printed.last_line());
    }
}

#[test]
fn text_from_a_peer_or_the_model_is_shown_escaped() {
    let text = "a\u{1b}[2J\u{202e}b\nc";
    let arguments = serde_json::json!({ "text": text }).to_string();
    let printed = run(stage().args(["--call", "echo", &arguments]));
    let shown = "echo 工具返回了：a\\u{1b}[2J\\u{202e}b\\nc";
    assert_eq!(shown, printed.last_line());
    assert!(!printed.stdout.contains(['\u{1b}', '\u{202e}']));
}

#[cfg(unix)]
#[test]
fn a_remote_tool_with_a_local_name_is_skipped_and_the_local_one_runs() {
    let mut stage = stage();
    stage.args(["--call", "add", r#"{"a":2,"b":40}"#]);
    let printed = run(stage.args(shell(TWO, "exit 3")));
    assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
    let skipped = "  · skipped tool 0 (add): there is already a tool named `add`";
    assert!(printed.stdout.lines().any(|line| line == skipped), "{}", printed.stdout);
    assert!(printed.stdout.contains("· merged 1 remote tool(s); registry now has 6 "));
    assert_eq!("add 工具返回了：42", printed.last_line());
    let called = printed.frames().iter().any(|(_, f)| f["method"] == "tools/call");
    assert!(!called, "no call is sent to the server");
}

#[cfg(unix)]
#[test]
fn a_protocol_error_ends_the_turn_and_only_the_caller_reads_its_cause() {
    let response = r#"echo '{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"unknown tool"}}'"#;
    let printed = run(stage().args(shell(ECHO, response)));
    let error = "error: tool execution failed: the server responded with error -32602: \
                 unknown tool";
    printed.assert_failed(1, error);
    assert_eq!("  · obs   : -> tool execution failed", printed.last_line());
}

#[cfg(unix)]
#[test]
fn a_server_that_exits_during_a_call_fails_the_stage() {
    let printed = run(stage().args(shell(ECHO, "echo oops >&2; exit 3")));
    let error = "error: tool execution failed: the server ended with exit status: 3; \
                 its last lines on stderr: oops";
    printed.assert_failed(1, error);
    assert_eq!("  · obs   : -> tool execution failed", printed.last_line());
    assert_eq!(Some("! stderr: oops"), printed.stderr.lines().next());
}

#[test]
fn a_call_of_an_unknown_tool_fails_the_stage() {
    let printed = run(stage().args(["--call", "nope", "{}"]));
    printed.assert_failed(1, "error: there is no tool `nope` to call");
}

#[test]
fn an_invalid_call_is_a_usage_error_and_starts_no_server() {
    for (arguments, start) in [
        (
            vec!["--call", "echo", "[1]"],
            "error: --call echo expects a JSON object, got `[1]`: ",
        ),
        (
            vec!["--call", "echo", "{"],
            "error: --call echo expects a JSON object, got `{`: ",
        ),
        (vec!["--call"], "error: a value is required for '--call"),
        (vec!["--call", "echo", "{}", "more"], "error: unexpected argument 'more'"),
        (vec!["--framing", "xml"], "error: invalid value 'xml' for '--framing"),
    ] {
        let printed = run(stage().args(&arguments));
        assert_eq!((Some(2), ""), (printed.code, &*printed.stdout), "{arguments:?}");
        assert!(printed.stderr.starts_with(start), "{}", printed.stderr);
        assert_eq!(1, printed.stderr.lines().count(), "{}", printed.stderr);
    }
}

#[test]
fn protocol_version_sets_the_offered_revision() {
    let printed = run(stage().args(["--protocol-version", "2025-11-25"]));
    let frames = printed.frames();
    assert_eq!("2025-11-25", frames[0].1["params"]["protocolVersion"]);
    assert_eq!("2025-11-25", frames[1].1["result"]["protocolVersion"]);
    assert!(printed.stdout.contains(" protocol 2025-11-25\n"));
}
