//! Stage 7: ten failures of MCP programs, each reproduced and then fixed.

mod early_call;
mod error_layering;
mod frame_boundary;
mod id_mismatch;
mod lab;
mod name_collision;
mod no_timeout;
mod notification_id;
mod orphan_child;
mod raw_newline;
mod stdout_noise;

use anyhow::Context;
use clap::{Parser, Subcommand};
use lab::{Kind, Lab};
use mcp_from_scratch::{
    cli::client,
    cli::echo::{self, serve, serve_echo},
    cli::output::{self, Out, Usage, notes},
    frame::FramingMode,
};
use std::{process::ExitCode, slice, time::Duration};

/// The longest time for all failures together. They need a few seconds.
const LIMIT: Duration = Duration::from_secs(30);

/// Ten typical failures of MCP programs. Each runs a faulty part with a real client or
/// server over real pipes, and then the correct version.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    failure: Option<Failure>,
    /// Run as one of the lab's servers
    #[arg(long, hide = true)]
    serve: Option<Kind>,
}

#[derive(Clone, Copy, Subcommand)]
enum Failure {
    /// A length in characters instead of bytes; a chunk parsed as a frame
    FrameBoundary,
    /// Responses paired by their order instead of their id
    IdMismatch,
    /// A request before the handshake; `initialized` too early
    EarlyCall,
    /// A tool failure sent as a JSON-RPC error
    ErrorLayering,
    /// A log line on the server's stdout
    StdoutNoise,
    /// A remote tool with the name of a local tool
    NameCollision,
    /// An id on a notification
    NotificationId,
    /// A raw newline inside a message
    RawNewline,
    /// A child process that keeps running
    OrphanChild,
    /// A request without a timeout
    NoTimeout,
    /// All ten, in this order
    All,
}

const ALL: [Failure; 10] = [
    Failure::FrameBoundary,
    Failure::IdMismatch,
    Failure::EarlyCall,
    Failure::ErrorLayering,
    Failure::StdoutNoise,
    Failure::NameCollision,
    Failure::NotificationId,
    Failure::RawNewline,
    Failure::OrphanChild,
    Failure::NoTimeout,
];

fn main() -> ExitCode {
    let args: Args = output::arguments();
    let out = Out::stdout();
    let result = match (args.serve, &args.failure) {
        (Some(kind), _) => echo::run(serve_kind(kind)),
        (None, Some(Failure::All)) => echo::run(run(&out, &ALL)),
        (None, Some(one)) => echo::run(run(&out, slice::from_ref(one))),
        (None, None) => {
            Err(Usage("expected a failure or `all`; try --help".into()).into())
        }
    };
    output::end(&out, result)
}

async fn run(out: &Out, failures: &[Failure]) -> anyhow::Result<()> {
    let all = async {
        for (number, failure) in (1..).zip(failures) {
            reproduce(Lab { out: out.clone(), number }, *failure).await?;
        }
        Ok(())
    };
    let bounded =
        async { tokio::time::timeout(LIMIT, all).await.context("the lab timed out")? };
    client::until_interrupted(bounded).await
}

async fn reproduce(lab: Lab, failure: Failure) -> anyhow::Result<()> {
    match failure {
        Failure::FrameBoundary => frame_boundary::reproduce(&lab).await,
        Failure::IdMismatch => id_mismatch::reproduce(&lab).await,
        Failure::EarlyCall => early_call::reproduce(&lab).await,
        Failure::ErrorLayering => error_layering::reproduce(&lab).await,
        Failure::StdoutNoise => stdout_noise::reproduce(&lab).await,
        Failure::NameCollision => name_collision::reproduce(&lab).await,
        Failure::NotificationId => notification_id::reproduce(&lab).await,
        Failure::RawNewline => raw_newline::reproduce(&lab).await,
        Failure::OrphanChild => orphan_child::reproduce(&lab).await,
        Failure::NoTimeout => no_timeout::reproduce(&lab).await,
        Failure::All => unreachable!("`run` gets the ten failures"),
    }
}

/// This program as a server: the lab starts its own executable with `--serve`.
async fn serve_kind(kind: Kind) -> anyhow::Result<()> {
    let tap = notes(Out::stderr());
    let server = match kind {
        Kind::Echo => return serve_echo(FramingMode::Auto, tap).await,
        Kind::Overtaking => id_mismatch::server(),
        Kind::FailureAsError => return error_layering::faulty_server(tap).await,
        Kind::FailureAsData => error_layering::server(),
        Kind::LogOnStdout => stdout_noise::server(Out::stdout()),
        Kind::LogOnStderr => stdout_noise::server(Out::stderr()),
        Kind::SameNames => name_collision::server(),
        Kind::Lingering => return orphan_child::lingering_server(tap).await,
        Kind::NeverResponding => no_timeout::server(),
    };
    serve(&server?, FramingMode::Auto, tap).await
}
