//! The runtime of the stages, and the echo server.
//!
//! `cargo run --bin 06-full-demo` builds one program only, so a stage that needs a
//! server starts its own executable again, with `--serve`.

use crate::{
    frame::FramingMode,
    protocol::Implementation,
    server::{ServeError, Server},
    tool,
    transport::{Closed, Tap, Transport},
};
use anyhow::Context;
use std::{future::Future, path::PathBuf};

/// The revision in which the stages' transcripts are written.
pub const REVISION: &str = "2025-06-18";

// ANCHOR: this-program
/// The executable of this process.
pub fn this_program() -> anyhow::Result<String> {
    // The link is valid even after a new build has replaced the executable.
    let path = if cfg!(target_os = "linux") {
        PathBuf::from("/proc/self/exe")
    } else {
        std::env::current_exe().context("cannot find this program's executable")?
    };
    path.into_os_string().into_string().ok().context("this program's path is not UTF-8")
}
// ANCHOR_END: this-program

// ANCHOR: run
/// Runs a stage on one thread: each message waits for the one before it, so a second
/// thread would only add the cost of waking it. A pending read of the terminal is
/// abandoned.
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

/// The echo server on this process's stdin and stdout, until the end of input.
pub async fn serve_echo(framing: FramingMode, tap: Tap) -> anyhow::Result<()> {
    let name = Implementation::new("mcp-echo-server", "1.0.0");
    serve(&Server::new(name).with(tool::echo())?, framing, tap).await
}

// ANCHOR: serve
/// Any server on this process's stdin and stdout, until the end of input.
pub async fn serve(
    server: &Server,
    framing: FramingMode,
    tap: Tap,
) -> anyhow::Result<()> {
    let transport =
        Transport::stdio(framing, tap).context("cannot use stdin and stdout")?;
    match server.serve(transport).await {
        // A client that is gone is a normal end.
        Ok(()) | Err(ServeError::Closed(Closed::Gone)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
// ANCHOR_END: serve
