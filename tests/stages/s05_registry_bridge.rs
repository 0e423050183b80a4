use crate::common;
use crate::common::wire::{run, shell};
use assert_cmd::{Command, cargo::cargo_bin_cmd};

const ECHO: &str = r#"[{"name":"echo","inputSchema":{}}]"#;

fn stage() -> Command {
    cargo_bin_cmd!("05-registry-bridge")
}

/// Fails unless this is a line of the output, without its indent.
#[track_caller]
fn assert_has_line(expected: &str, stdout: &str) {
    let found = stdout.lines().any(|line| line.trim_start() == expected);
    assert!(found, "expected the line `{expected}` in:\n{stdout}");
}

#[test]
fn prints_its_transcript_in_both_framings() {
    for framing in ["content-length", "newline"] {
        let mut stage = stage();
        stage.args(["--framing", framing]);
        common::assert_transcript(stage, "chapters/05-registry-bridge/transcript.txt");
    }
}

#[test]
fn a_prefix_is_added_to_the_exposed_name_and_not_on_the_wire() {
    for (prefix, exposed) in [
        ("mcp__demo__", "mcp__demo__echo"),
        // Model APIs refuse these characters, so the stage uses another name.
        ("my server.", "my_server_echo"),
        ("服务器/", "____echo_6b4fd622"),
    ] {
        let printed = run(stage().args(["--prefix", prefix]));
        assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
        assert_has_line(&format!("· merged {exposed}"), &printed.stdout);
        assert_has_line(&format!("· act   : {exposed}({{}})"), &printed.stdout);
        assert_has_line("· result: hello from MCP", &printed.stdout);
        let frames = printed.frames();
        let called = frames.iter().filter(|(_, f)| f["method"] == "tools/call");
        let names: Vec<_> = called.map(|(_, f)| f["params"]["name"].clone()).collect();
        assert_eq!(["echo", "echo"], names[..]);
    }
}

#[cfg(unix)]
#[test]
fn a_server_without_echo_is_shown_and_not_called() {
    let tools = r#"[{"name":"add","inputSchema":{"type":"object"}},{"name":"odd","inputSchema":[]},{"name":"n","inputSchema":{"type":"object","properties":{"a\u202e":{"type":"integer"}}}}]"#;
    let printed = run(stage().args(shell(tools, "exit 3")));
    assert_eq!((Some(0), ""), (printed.code, &*printed.stderr));
    for line in [
        "· add: inputSchema → ()",
        "· odd: `inputSchema` must be an object, got []",
        "· n: inputSchema → (a\\u{202e}?: integer)",
        "· skipped tool 0 (add): there is already a tool named `add`",
        "· skipped tool 1 (odd): `inputSchema` must be an object, got []",
        "· merged mcp__second__add",
        "· this server has no tool `echo`, so no tool is called",
        "· result: 42",
    ] {
        assert_has_line(line, &printed.stdout);
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_exits_during_a_call_fails_the_stage() {
    let printed = run(stage().args(shell(ECHO, "echo oops >&2; exit 3")));
    let error = "error: the server ended with exit status: 3; its last lines on stderr: \
                 oops";
    printed.assert_failed(1, error);
}

#[cfg(unix)]
#[test]
fn no_run_leaves_a_file_in_the_temporary_directory() {
    let runs: [&[String]; 4] = [
        &[],
        &shell(ECHO, "exit 3"),
        &["--".into(), "/no/such/server".into()],
        &["--".into(), "true".into()],
    ];
    for arguments in runs {
        let temporary = tempfile::tempdir().expect("a directory");
        run(stage().args(arguments).env("TMPDIR", temporary.path()));
        let left = std::fs::read_dir(temporary.path()).expect("a directory").count();
        assert_eq!(0, left, "{arguments:?}");
    }
}
