//! The course's client and server with the official SDKs, the reference servers and
//! the Inspector.
//!
//! `peers/install` installs them. Without them every test is skipped, with the reason;
//! with `MCP_PEERS=1` that is a failure.

#[path = "../common/marks.rs"]
mod marks;

mod connection;
mod inspector;
mod installed;
mod our_client;
#[cfg(unix)]
mod our_server;
mod reference;
mod run;
mod small_servers;

use libtest_mimic::Arguments;
use std::{future::Future, process::ExitCode, time::Duration};

/// For one test. A Python server needs seconds to start on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let mut trials = our_client::trials();
    #[cfg(unix)]
    trials.extend(our_server::trials());
    trials.extend(reference::trials());
    trials.extend(inspector::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// Runs a test on a separate runtime.
fn block_on(body: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let body = async { tokio::time::timeout(LIMIT, body).await.expect("in time") };
    runtime.expect("a runtime").block_on(body);
}
