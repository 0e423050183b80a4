//! This very test program as a server with the tools of the cases, in a process of its
//! own.

use crate::server::tools;
use assert_cmd::Command;
use mcp_from_scratch::transport::{Transport, silent};

const VARIABLE: &str = "MCP_CASES_SERVER";

/// What the test harness writes before it starts its only test.
pub const HEADING: &[u8] = b"\nrunning 1 test\n";

/// The server of a run: this program, or the course's own echo server.
pub fn command(with_tools: bool) -> Command {
    if !with_tools {
        return assert_cmd::cargo::cargo_bin_cmd!("03-echo-server");
    }
    let mut this = Command::new(std::env::current_exe().expect("its own path"));
    this.args(["--exact", "child::serve_if_asked", "-q"]).env(VARIABLE, "1");
    this
}

#[test]
fn serve_if_asked() {
    if std::env::var_os(VARIABLE).is_none() {
        return; // an ordinary run of the tests
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let ended = runtime.block_on(async {
        let transport = Transport::stdio(None, silent()).expect("standard streams");
        tools().serve(transport).await
    });
    // Before the harness can write its report among the frames.
    std::process::exit(if ended.is_ok() { 0 } else { 1 });
}
