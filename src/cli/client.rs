//! What the stages with a client share: options, the server process, signals.

use crate::{
    cli::{
        echo::{REVISION, this_program},
        output::{Interrupted, Out, Usage, printing},
    },
    client::{Client, ClientConfig, TIMEOUT},
    frame::Framing,
    process::ServerCommand,
    transcript::escape_untrusted,
};
use serde_json::{Map, Value};
use std::{future::Future, time::Duration};

/// Which server a stage talks to, and how.
#[derive(Debug, clap::Args)]
pub struct ServerArgs {
    /// newline (default for COMMAND) or content-length (default without COMMAND)
    #[arg(long, value_name = "FRAMING")]
    framing: Option<Framing>,
    /// How long a request may take [default: 10]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    timeout: Option<Duration>,
    /// The revision to offer
    #[arg(long, value_name = "V", default_value = REVISION)]
    pub protocol_version: String,
    /// Be the echo server of the stage
    #[arg(long, hide = true)]
    pub serve: bool,
    /// Any MCP server, instead of the stage's echo server
    #[arg(last = true, value_names = ["COMMAND", "ARGS"])]
    command: Vec<String>,
}

impl ServerArgs {
    /// Whether the user named the server.
    pub fn is_foreign(&self) -> bool {
        !self.command.is_empty()
    }

    // ANCHOR: with-client
    /// Starts the server, runs `work` with a client of it, and ends the server whatever
    /// the result is. Frames go to `out`, notes to stderr.
    ///
    /// The child is in a separate process group, which the terminal's signals do not
    /// reach. If SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the work, this function still
    /// shuts the server down.
    pub async fn with_client<F>(&self, out: &Out, work: F) -> anyhow::Result<()>
    where
        F: AsyncFnOnce(&Client) -> anyhow::Result<()>,
    {
        let interrupted = interrupted()?;
        let config = ClientConfig {
            timeout: self.timeout.unwrap_or(TIMEOUT),
            ..ClientConfig::default()
        };
        let tap = printing(out.clone(), Out::stderr());
        let client =
            Client::spawn(&self.server_command()?, self.framing(), config, tap)?;
        let result = unless(interrupted, work(&client)).await;
        client.close().await;
        result
    }
    // ANCHOR_END: with-client

    /// Real servers use newline framing; the echo server detects the framing.
    fn framing(&self) -> Framing {
        let ours = !self.is_foreign();
        let default = if ours { Framing::ContentLength } else { Framing::Newline };
        self.framing.unwrap_or(default)
    }

    fn server_command(&self) -> anyhow::Result<ServerCommand> {
        let (program, args) = match self.command.split_first() {
            Some((program, args)) => (program.clone(), args.to_vec()),
            None => (this_program()?, vec!["--serve".into()]),
        };
        Ok(ServerCommand { program, args, env: Vec::new() })
    }
}

/// The names of listed tools, for a person: `add, echo`.
pub fn names(listed: &[Value]) -> String {
    let names: Vec<_> =
        listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    escape_untrusted(names.join(", ").as_bytes())
}

/// Runs `work` to its end, or drops it when a signal arrives.
pub async fn until_interrupted(
    work: impl Future<Output = anyhow::Result<()>>,
) -> anyhow::Result<()> {
    unless(interrupted()?, work).await
}

// ANCHOR: interrupted
async fn unless(
    interrupted: impl Future<Output = ()>,
    work: impl Future<Output = anyhow::Result<()>>,
) -> anyhow::Result<()> {
    tokio::select! {
        result = work => result,
        () = interrupted => Err(Interrupted.into()),
    }
}
// ANCHOR_END: interrupted

/// Ready when one of the signals that end a program has arrived since this was called.
/// A closed terminal sends SIGHUP.
#[cfg(unix)]
fn interrupted() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut quit = signal(SignalKind::quit())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
            _ = quit.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn interrupted() -> anyhow::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await; // signals are unavailable here
        }
    })
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
