//! What the stages share: the runtime, and the echo server itself.
//!
//! `cargo run --bin 06-full-demo` builds one program only, so a stage that needs a
//! server starts its own file again, with `--serve`.

use crate::{
    frame::Framing,
    protocol::Peer,
    server::{ServeError, Server},
    tool,
    transport::{Closed, Tap, Transport},
};
use anyhow::Context;
use std::{future::Future, path::PathBuf};

/// The revision in which the stages' transcripts are written.
pub const REVISION: &str = "2025-06-18";

// ANCHOR: this-program
/// The file that this process was started from.
pub fn this_program() -> anyhow::Result<String> {
    // The link still leads to the file when a new build has replaced it.
    let path = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        std::env::current_exe().context("cannot find this program's file")?
    };
    path.into_os_string().into_string().ok().context("this program's path is no text")
}
// ANCHOR_END: this-program

// ANCHOR: run
/// Runs a stage on one thread: a second one would cost more than it brings, since one
/// message waits for another. A read of the terminal that is under way is abandoned.
pub fn run<F>(stage: F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")?;
    let result = runtime.block_on(stage);
    runtime.shutdown_background();
    result
}
// ANCHOR_END: run

/// The echo server on this process's stdin and stdout, until end of input.
pub async fn serve_echo(framing: Option<Framing>, tap: Tap) -> anyhow::Result<()> {
    let me = Peer::new("mcp-echo-server", "1.0.0");
    serve(Server::new(me).with(tool::echo()), framing, tap).await
}

// ANCHOR: serve
/// Any server on this process's stdin and stdout, until end of input.
pub async fn serve(
    server: Server,
    framing: Option<Framing>,
    tap: Tap,
) -> anyhow::Result<()> {
    let transport =
        Transport::stdio(framing, tap).context("cannot use stdin, stdout")?;
    match server.serve(transport).await {
        // A client that is gone is an end like any other.
        Ok(()) | Err(ServeError::Closed(Closed::Gone)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
// ANCHOR_END: serve
