//! This test program as a server with the tools of the cases, in a separate
//! process.

use crate::{
    common::{
        serving::{INITIALIZE, INITIALIZED, call, ping, pong, said},
        within,
    },
    server::tools,
};
use assert_cmd::Command;
use mcp_from_scratch::{
    frame::FramingMode,
    transport::{Transport, silent},
};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Command as Process, Stdio},
};

const VARIABLE: &str = "MCP_CASES_SERVER";

/// What the test harness writes before it starts its only test.
pub const HEADING: &[u8] = b"\nrunning 1 test\n";

/// The server of a run: this program, or the course's own echo server.
pub fn command(with_tools: bool) -> Command {
    if !with_tools {
        return assert_cmd::cargo::cargo_bin_cmd!("03-echo-server");
    }
    Command::from_std(this())
}

fn this() -> Process {
    let mut this = Process::new(std::env::current_exe().expect("its own path"));
    this.args(["--exact", "child::serve_if_asked", "-q"]).env(VARIABLE, "1");
    this
}

/// Case N17. One that had our streams would wait for the end of our input, which does
/// not come before its answer; or it would take the ping.
#[test]
fn a_tools_own_child_has_neither_our_input_nor_our_output() {
    within(|| {
        let server = this().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut server = server.expect("it starts");
        let mut input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe"));
        let lines = output.lines().map(|line| line.expect("UTF-8"));
        let mut lines = lines.filter(|line| !line.is_empty());
        let mut say = |line: &str| writeln!(input, "{line}").expect("it reads");
        say(INITIALIZE);
        assert_eq!(Some("running 1 test"), lines.next().as_deref());
        assert!(lines.next().is_some_and(|line| line.contains(r#""id":"init""#)));
        say(INITIALIZED);
        say(&call(1, "run_cat"));
        assert_eq!(Some(said(1, r"from a child\n")), lines.next());
        say(&ping(2));
        assert_eq!(Some(pong(2)), lines.next());
        drop(input);
        assert_eq!(None, lines.next());
        assert!(server.wait().expect("our child").success());
    });
}

#[test]
fn serve_if_asked() {
    if std::env::var_os(VARIABLE).is_none() {
        return; // an ordinary run of the tests
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let ended = runtime.block_on(async {
        let transport =
            Transport::stdio(FramingMode::Auto, silent()).expect("standard streams");
        tools().serve(transport).await
    });
    // Before the harness can write its report among the frames.
    std::process::exit(if ended.is_ok() { 0 } else { 1 });
}
