//! Stage 3 as a program: its output, its responses, and how it ends.

use crate::common;
use crate::common::serving::{INITIALIZE, INITIALIZED, bodies, framed, ping, pong};
use assert_cmd::{
    Command,
    cargo::{cargo_bin, cargo_bin_cmd},
};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{self, Message},
};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::{Command as Process, Stdio},
};

const BOTH: [Framing; 2] = [Framing::Newline, Framing::ContentLength];
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"你好"}}}"#;

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

/// Whatever the input is (noise, malformed messages, notifications), stdout carries only
/// frames, and `--trace` changes only stderr.
#[test]
fn stdout_carries_only_frames() {
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
        let responses = bodies(framing, &plain.stdout);
        assert_eq!(3 + bad.len(), responses.len());
        for response in &responses {
            let message = jsonrpc::parse(response.as_bytes()).expect("a message");
            assert!(matches!(message, Message::Response(_)), "{response}");
        }
        let trace = String::from_utf8_lossy(&traced.stderr);
        for response in responses {
            let line = format!("  [mcp:send]    {response}\n");
            assert!(trace.contains(&line), "{trace}");
        }
        assert!(trace.contains(&format!("  [mcp:receive] {CALL}\n")), "{trace}");
        assert!(
            trace.contains("! a response to a server that sends no requests\n"),
            "{trace}"
        );
    }
}

#[test]
fn without_trace_stderr_has_only_notes() {
    let run = stage().write_stdin(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#).assert();
    run.success()
        .stdout("")
        .stderr("! a response to a server that sends no requests\n");
}

#[test]
fn the_wrong_framing_ends_the_server_with_one_line_while_its_input_is_open() {
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
            let log = String::from_utf8_lossy(&output.stderr);
            assert_eq!((Some(1), line), (output.status.code(), &*log));
            assert!(output.stdout.is_empty());
        });
    }
}

#[test]
fn it_responds_while_its_input_is_open_and_ends_when_that_is_closed() {
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

/// `03-echo-server <input | head -c1`: the responses do not fit into the pipe.
#[test]
fn a_reader_that_closes_early_is_not_a_failure() {
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
        stdout.read_exact(&mut [0]).expect("a response");
        drop(stdout);
        // The server ends although there is more input. Then this write fails.
        while stdin.write_all((ping(2) + "\n").as_bytes()).is_ok() {}
        let output = server.wait_with_output().expect("it ends");
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!((Some(0), ""), (output.status.code(), &*log));
    });
}

#[test]
fn a_usage_error_is_one_line_and_exit_code_2() {
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
