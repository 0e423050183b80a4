//! Exit statuses, options, and programs that mean harm.

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

const RIGHT: [&str; 4] = [FAULTY, "server", "none", "newline"];

#[test]
fn a_right_server_gives_0_and_a_line_for_each_check() {
    let output = checker(&[], &RIGHT);
    let (stdout, stderr) = text(&output);
    assert_eq!((Some(0), ""), (output.status.code(), stderr.as_str()));
    let checks = mcp_check::server::checks();
    for (check, line) in checks.iter().zip(stdout.lines()) {
        assert!(line.starts_with(&format!("ok   {} ", check.rule.id)), "{line}");
    }
    assert_eq!(checks.len() + 1, stdout.lines().count());
    let expected = format!(
        "stage 3, newline framing: passed; {} ok, 0 failed, 0 warned, 0 skipped",
        checks.len()
    );
    assert_eq!(Some(expected.as_str()), stdout.lines().last());
}

#[test]
fn a_broken_must_gives_1_and_shows_the_frame() {
    let output = checker(&[], &[FAULTY, "server", "digits-are-numbers", "newline"]);
    assert_eq!(Some(1), output.status.code());
    let (stdout, _) = text(&output);
    let got = r#"     got      {"jsonrpc":"2.0","id":1,"result":{}}"#;
    assert!(stdout.lines().any(|line| line == got), "{stdout}");
}

#[test]
fn a_broken_should_gives_0() {
    let output = checker(&[], &[FAULTY, "server", "ends-with-1", "newline"]);
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
        let output = checker(options, &RIGHT);
        let (stdout, stderr) = text(&output);
        assert_eq!(
            (Some(2), ""),
            (output.status.code(), stdout.as_str()),
            "{options:?}"
        );
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

#[test]
fn json_is_the_only_thing_on_stdout() {
    let report = report(&[], &RIGHT);
    assert_eq!(
        (3, "newline", true),
        (
            report["stage"].as_i64().expect("a number"),
            report["framing"].as_str().expect("text"),
            report["passed"].as_bool().expect("a boolean"),
        )
    );
}

#[test]
fn a_junit_file_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("report.xml");
    checker(&["--junit", file.to_str().expect("UTF-8")], &RIGHT);
    let xml = fs::read_to_string(file).expect("it is there");
    let document = roxmltree::Document::parse(&xml).expect("well-formed");
    let tests = document.root_element().attribute("tests").map(str::to_owned);
    assert_eq!(Some(mcp_check::server::checks().len().to_string()), tests);
}

#[test]
fn a_tool_may_be_named() {
    let report = report(&["--call", "echo", r#"{"text":"named"}"#], &RIGHT);
    let checks = report["checks"].as_array().expect("checks");
    let call = checks.iter().find(|it| it["id"] == "tools-call").expect("it is there");
    assert_eq!(
        ("ok", "called echo"),
        (call["outcome"].as_str().expect("text"), call["note"].as_str().expect("text"),)
    );
}

#[test]
fn the_place_of_the_server_can_be_chosen_or_left_out() {
    let ways: [&[&str]; 3] = [
        &[FAULTY, "client", "none", "newline", "{server}"],
        &[FAULTY, "client", "none", "newline"],
        &["sh", "-c", "\"$0\" client none newline {server}", FAULTY],
    ];
    for command in ways {
        let output = checker(&["--stage", "4"], command);
        assert_eq!(Some(0), output.status.code(), "{}", text(&output).0);
    }
}

/// It forks, ignores SIGTERM and the end of its input, and has a mark to be found by.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_of_a_program_that_does_not_want_to_end() {
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
fn an_interrupted_checker_leaves_nothing() {
    use std::{
        io::Read,
        process::{Command, Stdio},
    };
    let mark = marks::mark();
    let script = format!("trap '' TERM; : {mark}; while :; do sleep 1; done");
    let mut checker = Command::new(env!("CARGO_BIN_EXE_mcp-check"))
        .args(["--timeout", "60", "--", "sh", "-c", &script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // The checker's own command line carries the mark too.
    let start = std::time::Instant::now();
    while marks::processes(&mark).len() < 2 {
        assert!(start.elapsed().as_secs() < 20, "the program does not start");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let process = rustix::process::Pid::from_child(&checker);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("ours");
    assert_eq!(Some(130), checker.wait().expect("ours").code());
    let mut stderr = String::new();
    checker.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!("error: interrupted\n", stderr);
    marks::assert_nothing_runs(&mark);
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let script = r#""$0" -- "$1" server none newline | head -n 1"#;
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_mcp-check"), FAULTY])
        .output()
        .expect("it starts");
    let (stdout, stderr) = text(&output);
    assert_eq!((1, ""), (stdout.lines().count(), stderr.as_str()));
}
