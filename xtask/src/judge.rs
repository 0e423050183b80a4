//! Grading one exercise of one submission.
//!
//! Each test runs in its own process: a loop, a crash or an early exit costs only the
//! tests that reach it. After it the same process runs a last test, which is appended
//! to the grader and has a random name: a process that does not get there has proved
//! nothing, whatever it printed.

use crate::{
    bench::Bench,
    files,
    outcome::{self, Test},
    run::{Ended, Limits, Ran, run},
    sandbox::{Grant, Sandbox},
    state::Problem,
};
use anyhow::{Result, ensure};
use exercises::course::Exercise;
use std::{
    collections::BTreeMap,
    hash::{BuildHasher, RandomState},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The state without a problem.
pub const GRADED: &str = "graded";
const MIB: u64 = 1 << 20;
/// A test takes at most two seconds, and then ends by itself.
const ONE_TEST: Duration = Duration::from_secs(5);
/// In bytes, of stdout and of stderr.
const OUTPUT: usize = 1 << 20;
/// How the name of the last test begins: libtest runs tests in order of their names.
const LAST: &str = "zz_last_";

pub struct Options {
    pub jobs: usize,
    /// The longest that compiling one exercise may take.
    pub compile: Duration,
    /// The longest that all tests of one exercise may take.
    pub run: Duration,
    pub sandbox: Sandbox,
}

/// The result of one exercise of one submission.
pub struct Cell {
    pub tests: BTreeMap<String, Test>,
    /// `graded`, or the first problem.
    pub state: &'static str,
    /// Each in one line.
    pub notes: Vec<String>,
}

impl Cell {
    pub fn new(names: &[String]) -> Self {
        let tests = names.iter().map(|name| (name.clone(), Test::Lost)).collect();
        Self { tests, state: GRADED, notes: Vec::new() }
    }

    pub fn add(&mut self, Problem { state, note }: Problem) {
        if self.state == GRADED {
            self.state = state;
            self.notes.push(format!("{state}: {note}"));
        }
    }

    pub fn passed(&self) -> usize {
        self.tests.values().filter(|test| **test == Test::Passed).count()
    }

    /// Points are whole numbers, rounded down.
    pub fn points(&self, exercise: &Exercise) -> usize {
        (exercise.points() * self.passed()).checked_div(self.tests.len()).unwrap_or(0)
    }
}

pub struct Judge<'a> {
    pub root: &'a Path,
    pub bench: &'a Bench,
    /// Where the scratch folders are.
    pub folder: &'a Path,
    pub options: &'a Options,
}

/// A compiled grader, in its scratch folder.
pub struct Program {
    scratch: TempDir,
    file: PathBuf,
    last: String,
}

impl Judge<'_> {
    /// Compiles the course's modules, with `modules` in place of some of them, under
    /// the course's grader.
    pub fn compile(
        &self,
        exercise: &Exercise,
        modules: &BTreeMap<&'static str, String>,
    ) -> Result<Result<Program, Problem>> {
        let scratch = tempfile::tempdir_in(self.folder)?;
        let last = format!("{LAST}{:016x}", RandomState::new().hash_one(()));
        let program = Program { file: scratch.path().join("grader"), scratch, last };
        let scratch = program.scratch.path();
        self.bench.lay_out(exercise, scratch)?;
        for (module, text) in modules {
            files::write(&scratch.join("exercises/src").join(module), text)?;
        }
        let main = scratch.join(exercise.brief());
        let last_test = format!("\n#[test]\nfn {}() {{}}\n", program.last);
        files::write(&main, &(files::read(&main)? + &last_test))?;
        self.options.sandbox.give(scratch)?;
        let time = self.options.compile;
        let grant = Grant {
            read: self.bench.readable().map(PathBuf::from).collect(),
            write: vec![scratch.into()],
            memory: 3 << 30,
            processes: 256,
        };
        let compiler = self.bench.compiler();
        let compiler = self.options.sandbox.command(compiler, scratch, &grant);
        let limits = Limits { time, output: OUTPUT };
        let failed =
            self.bench.compile(compiler, exercise, scratch, &program.file, &limits)?;
        Ok(failed.map_or(Ok(program), |why| Err(Problem::of_compiler(why))))
    }

    /// The names of the tests in a program that is trusted.
    pub fn names(&self, program: &Program) -> Result<Vec<String>> {
        let ran = self.run(program, ["--list"], ONE_TEST)?;
        let names = ran.text.lines().filter_map(|line| line.strip_suffix(": test"));
        let names = names.filter(|name| !name.starts_with(LAST));
        let names = Vec::from_iter(names.map(str::to_owned));
        ensure!(!names.is_empty(), "a grader without tests: {}", ran.text);
        Ok(names)
    }

    /// Runs the tests one by one.
    pub fn run_tests(&self, program: &Program, names: &[String]) -> Result<Cell> {
        let end = Instant::now() + self.options.run;
        let mut cell = Cell::new(names);
        for name in names {
            let left = end.saturating_duration_since(Instant::now());
            // libtest runs every test whose name contains a filter.
            let longer = |other: &&String| *other != name && other.contains(&**name);
            let skip = names.iter().filter(longer).flat_map(|other| ["--skip", other]);
            let arguments = [name, LAST, "--test-threads=1"].into_iter().chain(skip);
            let ran = self.run(program, arguments, left.min(ONE_TEST))?;
            let mut all = outcome::read(&ran.text, ran.ended).all;
            let one = all.pop_first().filter(|_| all.is_empty());
            let test = match one.map(|(_, test)| test) {
                Some(Test::Passed) if passed(&ran, name, &program.last) => Test::Passed,
                Some(Test::Failed(text)) => Test::Failed(text),
                _ => {
                    let problem = Problem::of_program(ran.ended, &ran.text);
                    let note = format!("{name}: {}", problem.note);
                    cell.add(Problem { note, ..problem });
                    Test::Lost
                }
            };
            cell.tests.insert(name.clone(), test);
        }
        Ok(cell)
    }

    fn run<'a>(
        &self,
        program: &Program,
        arguments: impl IntoIterator<Item = &'a str>,
        time: Duration,
    ) -> Result<Ran> {
        let grant = Grant {
            read: vec![program.file.clone()],
            write: Vec::new(),
            memory: 512 * MIB,
            processes: 32,
        };
        let (file, scratch) = (&program.file, program.scratch.path());
        let mut command = self.options.sandbox.command(file, scratch, &grant);
        run(command.args(arguments), &Limits { time, output: OUTPUT })
    }
}

/// Whether the harness ran exactly this test and the last one, both passed, and the
/// program came to its regular end.
fn passed(ran: &Ran, name: &str, last: &str) -> bool {
    let begins =
        |line: &&str| line.starts_with("running ") || line.starts_with("test ");
    let lines = Vec::from_iter(ran.text.lines().filter(begins));
    let [count, test, end, sum] = lines[..] else { return false };
    ran.ended == Ended::Exited(0)
        && count == "running 2 tests"
        && test == format!("test {name} ... ok")
        && end == format!("test {last} ... ok")
        && sum.starts_with("test result: ok. 2 passed; 0 failed; 0 ignored;")
}
