//! Commands for maintainers and instructors.

mod bench;
mod book;
mod files;
mod grade;
mod graders;
mod interrupt;
mod judge;
mod mutants;
mod outcome;
mod parallel;
mod proof;
mod record;
mod report;
mod run;
mod sandbox;
mod say;
mod start;
mod state;
mod stubs;
mod submission;

use anyhow::Result;
use clap::{Parser, Subcommand, value_parser};
use exercises::course::{EXERCISES, Exercise};
use files::Opened;
use sandbox::Sandbox;
use say::say;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
    time::Duration,
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
        #[arg(value_parser = exercise)]
        exercises: Vec<&'static Exercise>,
        /// Rewrites the recorded messages; read the diff
        #[arg(long)]
        update: bool,
    },
    /// Changes the modules of the exercises, with cargo-mutants, and runs the graders
    ///
    /// Fails if a change that no grader sees has no reason in
    /// `exercises/proof/survivors.toml`. Takes long: an hour for all, on two cores.
    Mutants {
        /// `02` or `02_frames`; all, if none is named
        #[arg(value_parser = exercise)]
        exercises: Vec<&'static Exercise>,
        /// How many are tried at a time
        #[arg(long, value_name = "N", default_value_t = 1,
              value_parser = value_parser!(u8).range(1..=16))]
        jobs: u8,
    },
    /// Writes a separate project for a learner: stubs, graders, stages
    ///
    /// The project is a separate package. Its `src/` is the course's library, in which
    /// the functions of the exercises are left to write; no solution is in it.
    Start {
        /// The folder to make; it must not exist, or be empty
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// The first exercise to write; those before it are solved, with 7 all are
        #[arg(long, value_name = "N", default_value_t = 1,
              value_parser = value_parser!(u8).range(1..=7))]
        from: u8,
    },
    /// Grades submissions: a table of tests passed and points
    ///
    /// A submission is a fork of the course or a project made by `start`. Only the
    /// modules with tasks are taken from it. They are compiled and run in bubblewrap:
    /// without network, without your files, within limits of time, memory, processes
    /// and output.
    ///
    /// Exit code: 0 if all were graded, whatever their results; 1 if grading itself
    /// failed or a file cannot be written; 2 if the command line was wrong; 130 after
    /// Ctrl-C.
    Grade {
        /// Submissions
        #[arg(value_name = "DIR", required = true, value_parser = folder)]
        folders: Vec<PathBuf>,
        /// Grades only this exercise: `02` or `02_frames`; may be repeated
        #[arg(long = "exercise", value_name = "N", num_args = 1, value_parser = exercise)]
        exercises: Vec<&'static Exercise>,
        /// Also writes a line for each submission and exercise
        #[arg(long, value_name = "FILE")]
        csv: Option<PathBuf>,
        /// Also writes the result and message of each test, as JUnit XML
        #[arg(long, value_name = "FILE")]
        junit: Option<PathBuf>,
        /// How many are graded at a time [default: one for each core]
        #[arg(long, value_name = "N", value_parser = value_parser!(u8).range(1..=16))]
        jobs: Option<u8>,
        /// The longest that compiling one exercise may take
        #[arg(long, value_name = "SECONDS", default_value_t = 120)]
        compile_seconds: u64,
        /// The longest that all tests of one exercise may take
        #[arg(long, value_name = "SECONDS", default_value_t = 120)]
        run_seconds: u64,
        /// Runs the submissions with all your rights; only for code that you trust
        #[arg(long)]
        no_sandbox: bool,
    },
    /// Builds the book into `target/book` and checks the pages
    Book,
    /// Records the runs that the book's frame player shows, `book/src/recordings`
    Record {
        /// Writes nothing; runs all again and fails if more than times differ
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            let signal = interrupt::received();
            signal.map_or(ExitCode::FAILURE, |signal| ExitCode::from(128 + signal))
        }
    }
}

fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Stubs { check } => stubs::write(&root(), check)?,
        Command::CheckGraders { exercises, update } => {
            graders::check(&root(), &or_all(exercises), update)?;
        }
        Command::Mutants { exercises, jobs } => {
            mutants::check(&root(), &or_all(exercises), jobs)?;
        }
        Command::Start { folder, from } => start::start(&root(), &folder, from)?,
        Command::Grade {
            folders,
            exercises,
            csv,
            junit,
            jobs,
            compile_seconds,
            run_seconds,
            no_sandbox,
        } => {
            let opened = |path: Option<PathBuf>| path.as_deref().map(Opened::open);
            let (csv, junit) = (opened(csv).transpose()?, opened(junit).transpose()?);
            let cores = thread::available_parallelism().map_or(1, usize::from);
            let off = no_sandbox.then_some(Sandbox::Off);
            let options = judge::Options {
                jobs: jobs.map_or(cores, usize::from),
                compile: Duration::from_secs(compile_seconds),
                run: Duration::from_secs(run_seconds),
                sandbox: off.map_or_else(Sandbox::bubblewrap, Ok)?,
            };
            let report = grade::grade(&root(), &folders, &or_all(exercises), &options)?;
            let printed = say(report.text());
            let csv = csv.map(|file| file.write(&report.csv()?)).transpose();
            let junit = junit.map(|file| file.write(&report.junit()?)).transpose();
            printed.and(csv).and(junit)?;
        }
        Command::Book => book::build(&root())?,
        Command::Record { check } => record::record(&root(), check)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// All that have something to write, if none is named.
fn or_all(mut exercises: Vec<&'static Exercise>) -> Vec<&'static Exercise> {
    if exercises.is_empty() {
        exercises = EXERCISES.iter().filter(|e| !e.tasks.is_empty()).collect();
    }
    exercises.sort_by_key(|exercise| exercise.number);
    exercises.dedup_by_key(|exercise| exercise.number);
    exercises
}

fn exercise(name: &str) -> Result<&'static Exercise, String> {
    Exercise::find(name).ok_or_else(|| "no such exercise".into())
}

fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = PathBuf::from(name);
    if folder.is_dir() { Ok(folder) } else { Err("no such folder".into()) }
}

/// The repository, in which this command was built.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(PathBuf::from)
        .unwrap_or_default()
}
