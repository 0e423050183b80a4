//! Exit statuses, options, and programs that resist their end.

mod common;
#[path = "../../tests/common/marks.rs"]
#[cfg(target_os = "linux")]
mod marks;

use common::{FAULTY, checker, report};
use std::{fs, process::Output};

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr))
}

const CORRECT: [&str; 4] = [FAULTY, "server", "none", "newline"];

#[test]
fn a_correct_server_gives_0_with_a_line_and_a_junit_case_for_each_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.xml");
    let file = file.to_str().expect("UTF-8");
    let call = ["--call", "echo", r#"{"text":"named"}"#];
    let output = checker(&[&call[..], &["--junit", file]].concat(), &CORRECT);
    let (stdout, stderr) = text(&output);
    assert_eq!((Some(0), ""), (output.status.code(), stderr.as_str()));
    let checks = mcp_check::server::checks();
    for (check, line) in checks.iter().zip(stdout.lines()) {
        assert!(line.starts_with(&format!("ok   {} ", check.rule.id)), "{line}");
    }
    assert!(stdout.contains(": called echo ["), "{stdout}");
    let expected = format!(
        "stage 3, newline framing: passed; {} ok, 0 failed, 0 warned, 0 skipped",
        checks.len()
    );
    assert_eq!(Some(expected.as_str()), stdout.lines().last());
    assert_eq!(checks.len() + 1, stdout.lines().count());
    let xml = fs::read_to_string(file).expect("it was written");
    assert_eq!(checks.len(), xml.matches("<testcase ").count());
}

#[test]
fn a_violated_must_gives_1_and_shows_the_message() {
    let output = checker(&[], &[FAULTY, "server", "digits-become-numbers", "newline"]);
    assert_eq!(Some(1), output.status.code());
    let (stdout, _) = text(&output);
    let got = r#"     got      {"jsonrpc":"2.0","id":1,"result":{}}"#;
    assert!(stdout.lines().any(|line| line == got), "{stdout}");
}

#[test]
fn a_violated_should_gives_0() {
    let output = checker(&[], &[FAULTY, "server", "exits-with-1", "newline"]);
    assert_eq!(Some(0), output.status.code());
    assert!(text(&output).0.contains("\nwarn eof-status "));
}

#[test]
fn wrong_usage_gives_2_and_one_line() {
    for options in [
        &["--stage", "5"][..],
        &["--framing", "lines"],
        &["--timeout", "never"],
        &["--call", "echo", "[]"],
        &["--no-such-option"],
        &["--stage", "4", "--call", "echo"],
    ] {
        let output = checker(options, &CORRECT);
        let (stdout, stderr) = text(&output);
        let found = (output.status.code(), stdout.as_str());
        assert_eq!((Some(2), ""), found, "{options:?}");
        assert_eq!(1, stderr.lines().count(), "{stderr}");
        assert!(stderr.starts_with("error: "), "{stderr}");
    }
}

#[test]
fn a_command_that_cannot_be_started_gives_2() {
    for stage in ["3", "4"] {
        let output = checker(&["--stage", stage], &["/no/such/program"]);
        let (stdout, stderr) = text(&output);
        assert_eq!((Some(2), ""), (output.status.code(), stdout.as_str()));
        let expected = "error: `/no/such/program` cannot be started: ";
        assert!(stderr.starts_with(expected), "{stderr}");
    }
}

/// The client prints the server's command line, starts no server and exits.
#[test]
fn the_server_may_be_in_any_place_of_the_command() {
    let as_words = r#"printf '<%s>' "$@" >&2"#;
    for (expected, command) in [
        ("<plain><newline><127", &["sh", "-c", as_words, "sh", "{server}"][..]),
        ("<plain><newline><127", &["sh", "-c", as_words, "sh"]),
        ("<a><b>", &["sh", "-c", as_words, "sh", "a", "b", "{server}"]),
        ("<plain><newline><127", &["sh", "-c", "printf '<%s>' {server} >&2"]),
    ] {
        let report = report(&["--stage", "4"], command);
        let cause = report["checks"][0]["cause"].as_str().expect("a cause");
        assert!(cause.contains("<serve-script>"), "{cause}");
        assert!(cause.contains(expected), "{cause}");
    }
}

/// It forks, ignores SIGTERM and the end of its input, and has a mark.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_resists_its_end_leaves_no_process() {
    let mark = marks::mark();
    let script = format!(
        "trap '' TERM HUP; : {mark}; MARK={mark} sleep 300 & while :; do sleep 1; done"
    );
    for stage in ["3", "4"] {
        let options = ["--stage", stage, "--timeout", "1"];
        let output = checker(&options, &["sh", "-c", &script, "sh"]);
        assert_eq!(Some(1), output.status.code());
        marks::assert_nothing_runs(&mark);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_checker_leaves_no_process() {
    use std::process::{Command, Stdio};
    let mark = marks::mark();
    let script = format!("trap '' TERM; : {mark}; while :; do sleep 1; done");
    let checker = Command::new(env!("CARGO_BIN_EXE_mcp-check"))
        .args(["--timeout", "60", "--", "sh", "-c", &script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // The checker's own command line has the mark too.
    let start = std::time::Instant::now();
    while marks::processes(&mark).len() < 2 {
        assert!(start.elapsed().as_secs() < 20, "the program does not start");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let process = rustix::process::Pid::from_child(&checker);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("ours");
    let output = checker.wait_with_output().expect("ours");
    assert_eq!(Some(130), output.status.code());
    assert_eq!("error: interrupted\n", text(&output).1);
    marks::assert_nothing_runs(&mark);
}

#[test]
fn a_closed_pipe_on_stdout_is_not_an_error() {
    let script = r#""$0" -- "$1" server none newline | head -n 1"#;
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mcp-check"), FAULTY])
        .output()
        .expect("it starts");
    let (stdout, stderr) = text(&output);
    assert_eq!((1, ""), (stdout.lines().count(), stderr.as_str()));
}
