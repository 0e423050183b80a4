//! Commands for those who keep the course and those who teach with it.

mod bench;
mod book;
mod files;
mod graders;
mod outcome;
mod pictures;
mod proof;
mod record;
mod run;
mod stubs;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use exercises::course::{EXERCISES, Exercise};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Commands for maintainers and instructors")]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes the learner's modules, `exercises/src`, from the course's own
    Stubs {
        /// Writes nothing; fails if one is stale
        #[arg(long)]
        check: bool,
    },
    /// Proves the graders: the reference, the stubs, the faults, the unusual solutions
    CheckGraders {
        /// `02` or `02_frames`; all, if none is named
        exercises: Vec<String>,
        /// Writes the texts that learners read anew; read the diff
        #[arg(long)]
        update: bool,
    },
    /// Builds the book into `target/book` and checks the pages
    Book,
    /// Draws the book's pictures, `book/src/pictures`, from their texts
    Pictures {
        /// Writes nothing; fails if one is stale
        #[arg(long)]
        check: bool,
    },
    /// Records the runs that the book's frame player shows, `book/src/recordings`
    Record {
        /// Writes nothing; runs all again and fails if more than times differ
        #[arg(long)]
        check: bool,
    },
    /// Forwards bytes between a client and a server and notes them in a file
    #[command(hide = true)]
    Relay {
        account: PathBuf,
        #[arg(last = true, required = true)]
        server: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Stubs { check } => stubs::write(&root(), check)?,
        Command::CheckGraders { exercises, update } => {
            graders::check(&root(), &named(&exercises)?, update)?;
        }
        Command::Book => book::build(&root())?,
        Command::Pictures { check } => pictures::draw(&root(), check)?,
        Command::Record { check } => record::record(&root(), check)?,
        Command::Relay { account, server } => {
            return record::relay::run(&account, &server);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The exercises of these names; all for no name.
fn named(names: &[String]) -> Result<Vec<&'static Exercise>> {
    if names.is_empty() {
        return Ok(EXERCISES.iter().collect());
    }
    let find = |name: &String| {
        Exercise::find(name).with_context(|| format!("there is no exercise `{name}`"))
    };
    names.iter().map(find).collect()
}

/// The repository, in which this command was built.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(PathBuf::from)
        .unwrap_or_default()
}
