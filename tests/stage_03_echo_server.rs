//! Stage 3 as a program: what it prints, what it answers, and how it ends.

mod common;

use assert_cmd::{
    Command,
    cargo::{cargo_bin, cargo_bin_cmd},
};
use common::serving::{INITIALIZE, INITIALIZED, bodies, framed, ping, pong};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{self, Id, Message},
};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command as Process, Stdio},
};

const BOTH: [Framing; 2] = [Framing::Newline, Framing::ContentLength];
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"你好"}}}"#;
const ECHOED: &str =
    r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"你好"}]}}"#;

fn stage() -> Command {
    let mut stage = cargo_bin_cmd!("03-echo-server");
    stage.timeout(common::LIMIT);
    stage
}

fn process() -> Process {
    Process::new(cargo_bin!("03-echo-server"))
}

fn demo(framing: &str) -> Command {
    let mut stage = stage();
    stage.args(["--demo", "--framing", framing]);
    stage
}

#[test]
fn the_demo_prints_its_transcript_in_both_framings() {
    for framing in ["newline", "content-length", "auto"] {
        let transcript = "chapters/03-echo-server/transcript.txt";
        common::assert_transcript(demo(framing), transcript);
    }
}

/// What the transcript's lines say, not what they look like.
#[test]
fn the_ids_of_the_demo_run_from_1_and_each_answer_carries_its_requests_id() {
    let output = demo("content-length").output().expect("the stage runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let frames = |direction: &str| -> Vec<_> {
        let bodies =
            text.lines().filter_map(|line| line.trim().strip_prefix(direction));
        bodies.map(|body| jsonrpc::parse(body.trim().as_bytes()).expect(body)).collect()
    };
    let requests: Vec<_> = frames("[mcp:send]")
        .into_iter()
        .filter_map(|message| match message {
            Message::Request(request) => Some((request.method, request.id)),
            _ => None,
        })
        .collect();
    let expected = [
        ("initialize", 1),
        ("tools/list", 2),
        ("tools/call", 3),
        ("tools/call", 4),
        ("tools/call", 5),
    ]
    .map(|(method, id)| (method.to_string(), Id::Integer(id)));
    assert_eq!(expected, requests[..]);
    let answers: Vec<_> = frames("[mcp:receive]")
        .into_iter()
        .map(|message| match message {
            Message::Response(response) => response.id,
            other => panic!("the server asks nothing: {other:?}"),
        })
        .collect();
    assert_eq!([1, 2, 3, 4, 5].map(|id| Some(Id::Integer(id))), answers[..]);
}

#[test]
fn a_whole_conversation_is_answered_in_the_framing_in_which_it_is_held() {
    for framing in BOTH {
        let input = framed(framing, [INITIALIZE, INITIALIZED, LIST, CALL]);
        for flag in ["auto", &framing.to_string()] {
            let run =
                stage().args(["--framing", flag]).write_stdin(input.clone()).assert();
            let run = run.success().stderr("");
            let answers = bodies(framing, &run.get_output().stdout);
            assert_eq!(3, answers.len(), "{framing}");
            assert!(answers[0].contains(
                r#""serverInfo":{"name":"mcp-echo-server","version":"1.0.0"}"#
            ));
            assert!(answers[1].starts_with(
                r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo""#
            ));
            assert_eq!(ECHOED, answers[2]);
        }
    }
}

/// Noise, failures, notifications, a panic-free life: whatever comes in, only frames
/// go out, and with `--trace` nothing changes but standard error.
#[test]
fn stdout_carries_frames_and_nothing_else() {
    for framing in BOTH {
        let bad = [r#"{"jsonrpc":"2.0","id":1,"method":5}"#, "{", "42", "[1]"];
        let silent = [r#"{"jsonrpc":"2.0","method":"no/such"}"#, INITIALIZED];
        let odd = r#"{"jsonrpc":"2.0","id":"x","result":{}}"#;
        let messages =
            [INITIALIZE, odd, LIST, CALL].into_iter().chain(bad).chain(silent);
        let mut input = framed(framing, messages);
        if framing == Framing::ContentLength {
            input.extend_from_slice(b"Info: a line of log\n");
        }
        let plain = stage().write_stdin(input.clone()).assert().success();
        let traced = stage().arg("--trace").write_stdin(input).assert().success();
        let (plain, traced) = (plain.get_output(), traced.get_output());
        assert_eq!(plain.stdout, traced.stdout);
        let answers = bodies(framing, &plain.stdout);
        assert_eq!(3 + bad.len(), answers.len());
        for answer in &answers {
            let message = jsonrpc::parse(answer.as_bytes()).expect("a message");
            assert!(matches!(message, Message::Response(_)), "{answer}");
        }
        let trace = String::from_utf8_lossy(&traced.stderr);
        for answer in answers {
            assert!(trace.contains(&format!("  [mcp:send]    {answer}\n")), "{trace}");
        }
        assert!(trace.contains(&format!("  [mcp:receive] {CALL}\n")), "{trace}");
        assert!(trace.contains("! an answer nobody waits for\n"), "{trace}");
    }
}

#[test]
fn without_trace_stderr_has_notes_only() {
    let run = stage().write_stdin(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).assert();
    run.success().stdout("").stderr("! an answer nobody waits for\n");
}

#[test]
fn the_wrong_framing_ends_it_with_one_line_while_its_input_is_still_open() {
    for (flag, theirs, line) in [
        (
            "newline",
            Framing::ContentLength,
            "error: the peer uses content-length framing, expected newline\n",
        ),
        (
            "content-length",
            Framing::Newline,
            "error: the peer uses newline framing, expected content-length\n",
        ),
    ] {
        common::within(move || {
            let mut server = process()
                .args(["--framing", flag])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the stage starts");
            let mut stdin = server.stdin.take().expect("a pipe");
            stdin.write_all(&framed(theirs, [INITIALIZE])).expect("written");
            let output = server.wait_with_output().expect("it ends");
            drop(stdin);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!((Some(1), line), (output.status.code(), &*said));
            assert!(output.stdout.is_empty());
        });
    }
}

#[test]
fn it_answers_while_its_input_is_open_and_ends_when_that_is_closed() {
    common::within(|| {
        let mut server = process()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the stage starts");
        let mut stdin = server.stdin.take().expect("a pipe");
        let mut stdout = BufReader::new(server.stdout.take().expect("a pipe"));
        for id in 1..4 {
            writeln!(stdin, "{}", ping(id)).expect("written");
            let mut line = String::new();
            stdout.read_line(&mut line).expect("read");
            assert_eq!(pong(id) + "\n", line);
        }
        drop(stdin);
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).expect("read");
        let status = server.wait().expect("it ends");
        assert_eq!((Some(0), ""), (status.code(), rest.as_str()));
    });
}

#[test]
fn no_input_is_a_quiet_success() {
    stage().write_stdin("").assert().code(0).stdout("").stderr("");
    common::within(|| {
        let output = process().stdin(Stdio::null()).output().expect("it ends");
        assert_eq!(Some(0), output.status.code());
        assert!(output.stdout.is_empty() && output.stderr.is_empty());
    });
}

#[test]
fn the_end_of_input_after_the_handshake_is_a_success() {
    let input = framed(Framing::Newline, [INITIALIZE, INITIALIZED]);
    stage().write_stdin(input).assert().code(0).stderr("");
}

/// `03-echo-server <input | head -c1`: more is answered than the pipe can hold.
#[test]
fn a_reader_who_has_had_enough_is_no_failure() {
    common::within(|| {
        let mut server = process()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the stage starts");
        let mut stdin = server.stdin.take().expect("a pipe");
        let mut stdout = server.stdout.take().expect("a pipe");
        stdin.write_all((ping(1) + "\n").as_bytes()).expect("written");
        stdout.read_exact(&mut [0]).expect("an answer");
        drop(stdout);
        // It ends although there is more to read; then this fails, too.
        while stdin.write_all((ping(2) + "\n").as_bytes()).is_ok() {}
        let output = server.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((Some(0), ""), (output.status.code(), &*said));
    });
}

#[test]
fn help_says_what_the_stage_is() {
    common::assert_help_says(stage(), "An MCP server with one tool");
}

#[test]
fn wrong_usage_is_one_line_and_exit_code_2() {
    common::assert_unknown_flag_is_wrong_usage(stage());
    for (args, line) in [
        (
            ["--framing", "x"],
            "error: invalid value 'x' for '--framing <FRAMING>': expected auto, newline or content-length; try --help\n",
        ),
        (
            ["--demo", "--trace"],
            "error: the argument '--demo' cannot be used with '--trace'; try --help\n",
        ),
    ] {
        stage().args(args).assert().code(2).stdout("").stderr(line);
    }
}
