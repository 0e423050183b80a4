//! What the stages share: the runtime, the choice of a server, the echo server itself.
//!
//! `cargo run --bin 06-full-demo` builds one program only, so a stage that needs a
//! server starts its own file again, with `--serve`.

use crate::{
    console::{Interrupted, Usage},
    frame::Framing,
    protocol::Peer,
    server::{ServeError, Server},
    tool,
    transport::{Closed, Tap, Transport},
};
use anyhow::Context;
use serde_json::{Map, Value};
use std::{future::Future, path::PathBuf, time::Duration};

/// Which server a stage talks to, and how.
#[derive(Debug, clap::Args)]
pub struct ServerArgs {
    /// newline (default for COMMAND) or content-length (default without COMMAND)
    #[arg(long, value_name = "FRAMING")]
    framing: Option<Framing>,
    /// Be the echo server that the stage talks to
    #[arg(long, hide = true)]
    pub serve: bool,
    /// Any MCP server, instead of the course's own echo server
    #[arg(last = true, value_names = ["COMMAND", "ARGS"])]
    command: Vec<String>,
}

impl ServerArgs {
    /// Real servers speak newline; our own one speaks what it is spoken to in.
    pub fn framing(&self) -> Framing {
        let ours = self.command.is_empty();
        let default = if ours { Framing::ContentLength } else { Framing::Newline };
        self.framing.unwrap_or(default)
    }

    /// Whether the server is one that the user named.
    pub fn is_foreign(&self) -> bool {
        !self.command.is_empty()
    }

    /// The program to start and its arguments.
    pub fn program(&self) -> anyhow::Result<(String, Vec<String>)> {
        match self.command.split_first() {
            Some((program, args)) => Ok((program.clone(), args.to_vec())),
            None => Ok((this_program()?, vec!["--serve".into()])),
        }
    }
}

/// The file that this process was started from.
pub fn this_program() -> anyhow::Result<String> {
    // The link still leads to the file when a new build has replaced it.
    let path = match cfg!(target_os = "linux") {
        true => PathBuf::from("/proc/self/exe"),
        false => std::env::current_exe().context("cannot find this program's file")?,
    };
    path.into_os_string().into_string().ok().context("this program's path is no text")
}

/// `--call NAME [JSON]`: a tool's name and its arguments, none if JSON is left out.
pub fn parse_call(words: &[String]) -> Result<(String, Map<String, Value>), Usage> {
    let (name, json) = match words {
        [name] => (name, "{}"),
        [name, json] => (name, json.as_str()),
        _ => return Err(Usage("--call expects NAME [JSON]".into())),
    };
    let arguments = serde_json::from_str(json).map_err(|error| {
        Usage(format!("--call {name} expects a JSON object, got `{json}`: {error}"))
    })?;
    Ok((name.clone(), arguments))
}

/// `--timeout SECONDS`: from a millisecond to a day.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().unwrap_or_default();
    match seconds {
        0.001..=86400.0 => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected seconds between 0.001 and 86400".into()),
    }
}

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

/// `work`, unless SIGINT or SIGTERM comes first. A child has a process group of its own
/// and does not hear the keyboard, so the caller must still end it.
pub async fn until_interrupted<F>(work: F) -> anyhow::Result<()>
where
    F: Future<Output = anyhow::Result<()>>,
{
    tokio::select! {
        biased; // somebody must listen for signals before the work starts a child
        () = interrupted() => Err(Interrupted.into()),
        result = work => result,
    }
}

async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = tokio::signal::ctrl_c() => return,
            }
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await; // no signals here: never interrupted
    }
}

/// The course's echo server on this process's stdin and stdout, until end of input.
pub async fn serve_echo(framing: Option<Framing>, tap: Tap) -> anyhow::Result<()> {
    let me = Peer::new("mcp-echo-server", "1.0.0");
    serve(Server::new(me).with(tool::echo()), framing, tap).await
}

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
