//! The course's client and server with the official SDKs, the reference servers and
//! the Inspector.
//!
//! `peers/install` installs them. Without them every test here is skipped and says so;
//! with `MCP_PEERS=1` a missing one is a failure.

#[path = "../common/marks.rs"]
mod marks;

mod connection;
mod harness;
mod inspector;
mod installed;
mod our_client;
#[cfg(unix)]
mod our_server;
mod reference;
mod run;
mod small_servers;

use std::{future::Future, process::ExitCode};

fn main() -> ExitCode {
    let mut tests = our_client::tests();
    #[cfg(unix)]
    tests.extend(our_server::tests());
    tests.extend(reference::tests());
    tests.extend(inspector::tests());
    harness::run(tests)
}

/// Runs a test on a runtime of its own. The harness bounds its time.
fn block_on(body: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(body);
}
