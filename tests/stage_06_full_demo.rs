mod common;
#[path = "common/wire.rs"]
mod wire;

use assert_cmd::{
    Command,
    cargo::{cargo_bin, cargo_bin_cmd},
};
use wire::{run, shell};

/// The course's own sample of this stage. `…` stands for what is printed in full.
const SAMPLE: &str = r#"--- 1. MCP 握手（JSON-RPC 2.0 over stdio）---  handshake
  [mcp:send]    {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",…}}
  [mcp:receive] {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"mcp-echo-server","version":"1.0.0"}}}
  · server says: {"name":"mcp-echo-server","version":"1.0.0"} protocol 2025-06-18
  [mcp:send]    {"jsonrpc":"2.0","method":"notifications/initialized"}
  [mcp:send]    {"jsonrpc":"2.0","id":2,"method":"tools/list"}
  [mcp:receive] {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo","description":"Echo the given text back verbatim.","inputSchema":{…}}]}}
  · discovered 1 remote tool(s): echo

--- 2. 工具并入本地注册表（register_mcp_tools）---  merge into the local registry
  · merged 1 remote tool(s); registry now has 6 tools total
    - get_time / get_weather / add / write_note / delete_file / echo

--- 3. Agent 一轮对话（mock LLM 请求远程工具 echo）---  one agent turn
  · act   : echo({"text":"hello from MCP"})
  [mcp:send]    {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello from MCP"}}}
  [mcp:receive] {"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"hello from MCP"}]}}
  · obs   : -> hello from MCP
echo 工具返回了：hello from MCP
"#;

const ECHO: &str = r#"[{"name":"echo","inputSchema":{"type":"object"}}]"#;
const TWO: &str =
    r#"[{"name":"add","inputSchema":{}},{"name":"echo","inputSchema":{}}]"#;

fn stage() -> Command {
    cargo_bin_cmd!("06-full-demo")
}

/// `line` is `sample`, with anything but nothing in the place of each `…`.
fn fits(line: &str, sample: &str) -> bool {
    match sample.split_once('…') {
        None => line == sample,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let mut ends = line.char_indices().skip(1).map(|(at, _)| at);
            ends.any(|at| fits(&line[at..], rest))
        }),
    }
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
fn prints_the_courses_sample_line_by_line() {
    let printed = run(&mut stage());
    let lines: Vec<_> = printed.stdout.split('\n').collect();
    let sample: Vec<_> = SAMPLE.split('\n').collect();
    assert_eq!(sample.len(), lines.len());
    for (sample, line) in sample.iter().zip(lines) {
        assert!(fits(line, sample), "expected {sample}\nprinted  {line}");
    }
}

#[test]
fn a_sample_fits_only_what_it_says() {
    assert!(fits("a{b:1}c", "a{…}c"));
    for other in ["a{}c", "a{b}", "{b}c", "a{b}cd", "a{b"] {
        assert!(!fits(other, "a{…}c"), "{other}");
    }
}

#[test]
fn ids_run_from_1_to_3_and_each_answer_carries_its_requests_id() {
    let expected = [
        (1, "initialize".to_owned()),
        (2, "tools/list".into()),
        (3, "tools/call".into()),
    ];
    for framing in ["content-length", "newline"] {
        let printed = run(stage().args(["--framing", framing]));
        assert_eq!(expected, printed.exchanges()[..]);
    }
}

#[test]
fn the_last_line_is_what_the_server_was_given_to_echo() {
    for text in ["另一句话", "", "a \"quoted\" word"] {
        let arguments = serde_json::json!({ "text": text }).to_string();
        let printed = run(stage().args(["--call", "echo", &arguments]));
        assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
        assert_eq!(format!("echo 工具返回了：{text}"), printed.last_line());
    }
}

#[cfg(unix)]
#[test]
fn the_last_line_is_the_servers_own_answer_whatever_it_was_asked() {
    let answer = r#"echo '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"quite another thing"}]}}'"#;
    let printed = run(stage().args(shell(ECHO, answer)));
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
            "delete_file 工具返回了：refused: the user did not allow this call of \
             `delete_file`",
        ),
    ] {
        let printed = run(stage().args(&call));
        assert_eq!((Some(0), ""), (printed.code, &*printed.stderr), "{call:?}");
        assert_eq!(last, printed.last_line());
    }
}

#[test]
fn what_a_peer_or_the_model_writes_is_shown_and_not_obeyed() {
    let text = "a\u{1b}[2J\u{202e}b\nc";
    let arguments = serde_json::json!({ "text": text }).to_string();
    let printed = run(stage().args(["--call", "echo", &arguments]));
    let shown = "echo 工具返回了：a\\u{1b}[2J\\u{202e}b\\nc";
    assert_eq!(shown, printed.last_line());
    assert!(!printed.stdout.contains(['\u{1b}', '\u{202e}']));
}

#[cfg(unix)]
#[test]
fn a_remote_tool_with_a_local_name_is_skipped_and_the_local_one_answers() {
    let mut stage = stage();
    stage.args(["--call", "add", r#"{"a":2,"b":40}"#]);
    let printed = run(stage.args(shell(TWO, "exit 3")));
    assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
    let skipped = "  · skipped tool 0 (add): there is a tool `add` already";
    assert!(printed.stdout.lines().any(|line| line == skipped), "{}", printed.stdout);
    assert!(printed.stdout.contains("· merged 1 remote tool(s); registry now has 6 "));
    assert_eq!("add 工具返回了：42", printed.last_line());
    let called = printed.frames().iter().any(|(_, f)| f["method"] == "tools/call");
    assert!(!called, "nothing goes to the server");
}

#[cfg(unix)]
#[test]
fn a_protocol_error_ends_the_turn_and_only_the_caller_reads_its_cause() {
    let answer = r#"echo '{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"unknown tool"}}'"#;
    let printed = run(stage().args(shell(ECHO, answer)));
    let error = "error: tool execution failed: the server answered with error -32602: \
                 unknown tool";
    printed.assert_failed(1, error);
    assert_eq!("  · obs   : -> tool execution failed", printed.last_line());
}

#[cfg(unix)]
#[test]
fn a_server_that_dies_in_mid_call_fails_the_stage() {
    let printed = run(stage().args(shell(ECHO, "echo oops >&2; exit 3")));
    let error = "error: tool execution failed: the server ended with exit status: 3; \
                 its last lines on stderr: oops";
    printed.assert_failed(1, error);
    assert_eq!("  · obs   : -> tool execution failed", printed.last_line());
    assert_eq!(Some("! stderr: oops"), printed.stderr.lines().next());
}

#[cfg(unix)]
#[test]
fn a_server_that_dies_at_once_fails_the_stage() {
    let printed = run(stage().args(["--", "sh", "-c", "read line; exit 3"]));
    printed.assert_failed(1, "error: the server ended with exit status: 3");
}

#[test]
fn a_command_that_cannot_be_started_fails_the_stage() {
    let printed = run(stage().args(["--", "/no/such/server"]));
    let error =
        "error: cannot start `/no/such/server`: No such file or directory (os error 2)";
    printed.assert_failed(1, error);
}

#[test]
fn a_call_of_a_tool_that_nobody_has_fails_the_stage() {
    let printed = run(stage().args(["--call", "nope", "{}"]));
    printed.assert_failed(1, "error: there is no tool `nope` to call");
}

/// The registry had the name first, so this call goes nowhere.
#[test]
fn a_local_tool_is_not_called_remote() {
    let printed = run(stage().args(["--call", "add", r#"{"a":2,"b":40}"#]));
    assert_eq!("add 工具返回了：42", printed.last_line());
    assert!(printed.stdout.contains("（mock LLM 请求工具 add）"), "{}", printed.stdout);
}

#[test]
fn a_call_that_is_no_call_is_wrong_usage_and_nothing_is_started() {
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
fn another_revision_is_offered_when_asked_for() {
    let printed = run(stage().args(["--protocol-version", "2025-11-25"]));
    let frames = printed.frames();
    assert_eq!("2025-11-25", frames[0].1["params"]["protocolVersion"]);
    assert_eq!("2025-11-25", frames[1].1["result"]["protocolVersion"]);
    assert!(printed.stdout.contains(" protocol 2025-11-25\n"));
}

#[test]
fn help_says_what_the_stage_shows() {
    common::assert_help_says(stage(), "One agent turn");
}

#[test]
fn an_unknown_flag_is_wrong_usage() {
    common::assert_unknown_flag_is_wrong_usage(stage());
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    common::assert_closed_pipe_is_quiet(cargo_bin!("06-full-demo"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    common::assert_full_disk_is_a_failure(cargo_bin!("06-full-demo"));
}
