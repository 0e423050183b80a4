//! Judging one exercise of one submission, within limits.
//!
//! Each test is run in a process of its own: a loop, a crash or an early exit costs the
//! tests that meet it. What a test program prints is believed only where it says the
//! name that the test was given for this one run, and only if the program came whole to
//! its end.

use crate::{
    bench::Bench,
    files,
    grade::Options,
    jail::Policy,
    outcome::{self, NotCompiled, Test, names_in},
    run::{Ended, Limits, Ran, run},
    state::{State, how, of_compiler, of_program},
};
use anyhow::{Context, Result, ensure};
use exercises::course::Exercise;
use std::{
    collections::BTreeMap,
    fs,
    hash::{BuildHasher, RandomState},
    num::NonZero,
    os::unix::fs::chown,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

const MIB: u64 = 1 << 20;
/// What the compiler and the linker may use.
const COMPILER_MEMORY: u64 = 3 << 30;
/// What one test may use: the largest of ours uses a hundredth.
const TEST_MEMORY: u64 = 512 * MIB;
/// One test needs two seconds at most, and then ends itself.
const ONE_TEST: Duration = Duration::from_secs(5);
/// In bytes, of stdout and of stderr.
const OUTPUT: usize = 1 << 20;
/// What a compiler and a linker need of the system.
const SYSTEM: [&str; 7] = [
    "/usr",
    "/bin",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/dev/urandom",
];
/// What a test needs of it: no program but itself.
const LIBRARIES: [&str; 6] =
    ["/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/dev/urandom", "/proc"];

/// What came of one exercise of one submission.
pub struct Cell {
    pub tests: BTreeMap<String, Test>,
    pub state: State,
    /// Each in one line.
    pub notes: Vec<String>,
}

impl Cell {
    pub fn passed(&self) -> usize {
        self.tests.values().filter(|test| **test == Test::Passed).count()
    }

    /// Points are whole: a part of one counts for nothing.
    pub fn points(&self, exercise: &Exercise) -> usize {
        (exercise.points() * self.passed()).checked_div(self.tests.len()).unwrap_or(0)
    }
}

pub struct Judging<'a> {
    pub bench: &'a Bench,
    /// Where the scratch folders are.
    pub folder: &'a Path,
    pub options: &'a Options,
}

impl Judging<'_> {
    /// Judges the course's modules with `modules` in place of some of them. No two
    /// workers judge at once under one number.
    pub fn judge(
        &self,
        exercise: &Exercise,
        modules: &BTreeMap<&'static str, String>,
        worker: usize,
    ) -> Result<Cell> {
        let scratch = tempfile::tempdir_in(self.folder)
            .context("cannot make a scratch folder")?;
        let scratch = scratch.path();
        self.bench.lay_out(exercise, scratch)?;
        for (module, text) in modules {
            files::write(&scratch.join("exercises/src").join(module), text)?;
        }
        let grader = Grader::mark(&self.bench.grader(exercise)?)?;
        files::write(&scratch.join(exercise.brief()), &grader.text)?;
        let program = scratch.join("grader");
        if let Some(why) = self.compile(exercise, scratch, &program)? {
            let (state, note) = of_compiler(why);
            return Ok(Cell { tests: BTreeMap::new(), state, notes: vec![note] });
        }
        self.run_all(&grader, scratch, &program, worker)
    }

    fn compile(
        &self,
        exercise: &Exercise,
        scratch: &Path,
        program: &Path,
    ) -> Result<Option<NotCompiled>> {
        let temporary = scratch.join("tmp");
        fs::create_dir(&temporary).context("cannot make a folder")?;
        let system = SYSTEM.iter().map(PathBuf::from);
        let policy = Policy {
            read: system.chain(self.bench.readable().map(PathBuf::from)).collect(),
            write: vec![scratch.into()],
            memory: COMPILER_MEMORY,
            file: 256 * MIB,
            threads: 256,
            processes: true, // it starts the linker
            cpu: Some(all_cores_for(self.options.compile)),
            user: None,
        };
        let command = policy.command(self.bench.compiler(), &temporary)?;
        let limits = Limits { time: self.options.compile, output: OUTPUT };
        self.bench.compile(command, exercise, scratch, program, &limits)
    }

    /// Runs the tests one by one.
    fn run_all(
        &self,
        grader: &Grader,
        scratch: &Path,
        program: &Path,
        worker: usize,
    ) -> Result<Cell> {
        let mut policy = Policy {
            read: LIBRARIES.iter().map(PathBuf::from).chain([program.into()]).collect(),
            write: Vec::new(),
            memory: TEST_MEMORY,
            file: 0,
            threads: 64,
            processes: grader.starts_itself,
            cpu: Some(all_cores_for(ONE_TEST)),
            user: None,
        };
        if rustix::process::geteuid().is_root() {
            let user = unprivileged(worker);
            chown(scratch, Some(user), Some(user)).context("cannot give it away")?;
            policy.user = Some(user);
        }
        let end = Instant::now() + self.options.run;
        let mut cell =
            Cell { tests: BTreeMap::new(), state: State::Judged, notes: Vec::new() };
        for name in &grader.names {
            let left = end.saturating_duration_since(Instant::now());
            let time = left.min(ONE_TEST);
            let limits = Limits { time, output: OUTPUT };
            let mut command = policy.command(program, scratch)?;
            command.current_dir(scratch).args(["--test-threads=2", "--exact"]);
            command.arg(grader.marked(name));
            let ran = run(&mut command, &limits)?;
            let tests = outcome::read(&ran.text, ran.ended);
            let only = tests.all.len() == 1;
            let test = tests.all.get(&grader.marked(name)).filter(|_| only).cloned();
            let test = test.filter(|test| *test != Test::Passed || proves(&ran));
            let test = test.unwrap_or(Test::Lost);
            if test == Test::Lost {
                let state = of_program(ran.ended, &ran.text);
                if cell.state < state || cell.notes.is_empty() {
                    let how = how(ran.ended, &ran.text);
                    cell.notes = vec![format!("{name}: {how}")];
                }
                cell.state = cell.state.max(state);
            }
            cell.tests.insert(name.clone(), test);
        }
        Ok(cell)
    }
}

/// A submission can print a line that says of a test what it likes. What it cannot do is
/// end the program as one whose only test has passed.
fn proves(ran: &Ran) -> bool {
    let mut sums = ran.text.lines().filter(|line| line.starts_with("test result: "));
    let passed = sums
        .next_back()
        .is_some_and(|sum| sum.starts_with("test result: ok. 1 passed;"));
    passed && ran.ended == Ended::Exited(0)
}

/// The most that can be used up in this time, in seconds.
fn all_cores_for(time: Duration) -> u64 {
    let cores = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    time.as_secs().saturating_add(1).saturating_mul(cores)
}

/// A user that nobody is: each worker's own, since the kernel counts threads by user.
fn unprivileged(worker: usize) -> u32 {
    let worker = u32::try_from(worker % 16).unwrap_or_default();
    50_000 + (std::process::id() % 600) * 16 + worker
}

/// The course's test with names that no submission can know beforehand.
struct Grader {
    text: String,
    names: Vec<String>,
    mark: String,
    /// Whether a test runs the program again, for a test that it names.
    starts_itself: bool,
}

impl Grader {
    fn mark(text: &str) -> Result<Self> {
        let mark = format!("{:016x}", RandomState::new().hash_one(()));
        let names = Vec::from_iter(names_in(text));
        ensure!(!names.is_empty(), "a grader without tests");
        let starts_itself =
            names.iter().any(|name| text.contains(&format!("\"{name}\"")));
        let mut marked = text.to_owned();
        for name in &names {
            for end in ["(", "\""] {
                let marks = format!("{name}_{mark}{end}");
                marked = marked.replace(&format!("{name}{end}"), &marks);
            }
        }
        Ok(Self { text: marked, names, mark, starts_itself })
    }

    fn marked(&self, name: &str) -> String {
        format!("{name}_{}", self.mark)
    }
}

#[cfg(test)]
#[test]
fn a_line_that_says_passed_proves_nothing_without_the_exit_code_and_the_sum() {
    let proves = |code, text: &str| {
        let text = format!("test t1 ... ok\n{text}\n");
        proves(&Ran { text, ended: Ended::Exited(code) })
    };
    assert!(proves(0, "test result: ok. 1 passed; 0 failed; 0 ignored"));
    assert!(!proves(101, "test result: ok. 1 passed; 0 failed; 0 ignored"));
    assert!(!proves(
        101,
        "xtest t1 ... FAILED\ntest result: FAILED. 0 passed; 1 failed"
    ));
    assert!(!proves(0, "test result: ok. 0 passed; 0 failed; 0 ignored"));
    assert!(!proves(0, ""));
}
