//! Stage 7: ten ways in which it goes wrong, each made to happen, each put right.

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

/// No failure here needs nearly as long. A lab that hangs would teach the wrong thing.
const LIMIT: Duration = Duration::from_secs(30);

/// Ten failures of the trade. Each happens before your eyes: one faulty part against
/// the real rest, over real pipes, and then the right way beside it.
#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    failure: Option<Failure>,
    /// Be one of the servers that the lab talks to
    #[arg(long, hide = true)]
    serve: Option<Kind>,
}

#[derive(Clone, Copy, Subcommand)]
enum Failure {
    /// Characters counted for bytes; one chunk taken for one frame
    FrameBoundary,
    /// Answers paired by their order instead of their id
    IdMismatch,
    /// Tools before the handshake; `initialized` at the wrong time
    EarlyCall,
    /// A failed tool sent as a protocol error
    ErrorLayering,
    /// A line of log on the server's stdout
    StdoutNoise,
    /// A remote tool with a local tool's name
    NameCollision,
    /// An id on a notification
    NotificationId,
    /// A raw newline inside a message
    RawNewline,
    /// A child left running
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
        (Some(kind), _) => echo::run(be(kind)),
        (None, Some(Failure::All)) => echo::run(show(&out, &ALL)),
        (None, Some(one)) => echo::run(show(&out, slice::from_ref(one))),
        (None, None) => Err(Usage("which failure? `all`, or see --help".into()).into()),
    };
    output::end(&out, result)
}

async fn show(out: &Out, failures: &[Failure]) -> anyhow::Result<()> {
    let whole = async {
        for (number, failure) in (1..).zip(failures) {
            happen(Lab { out: out.clone(), number }, *failure).await?;
        }
        Ok(())
    };
    let bounded = async {
        tokio::time::timeout(LIMIT, whole).await.context("the lab itself hangs")?
    };
    client::until_interrupted(bounded).await
}

async fn happen(lab: Lab, failure: Failure) -> anyhow::Result<()> {
    match failure {
        Failure::FrameBoundary => frame_boundary::happen(&lab).await,
        Failure::IdMismatch => id_mismatch::happen(&lab).await,
        Failure::EarlyCall => early_call::happen(&lab).await,
        Failure::ErrorLayering => error_layering::happen(&lab).await,
        Failure::StdoutNoise => stdout_noise::happen(&lab).await,
        Failure::NameCollision => name_collision::happen(&lab).await,
        Failure::NotificationId => notification_id::happen(&lab).await,
        Failure::RawNewline => raw_newline::happen(&lab).await,
        Failure::OrphanChild => orphan_child::happen(&lab).await,
        Failure::NoTimeout => no_timeout::happen(&lab).await,
        Failure::All => unreachable!("it stands for the others"),
    }
}

/// What this file is when the lab starts it again.
async fn be(kind: Kind) -> anyhow::Result<()> {
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
        Kind::NeverAnswering => no_timeout::server(),
    };
    serve(&server?, FramingMode::Auto, tap).await
}
