//! Runs the tests like libtest does, and says what it skipped, which libtest cannot.

use crate::installed::Packages;
use std::{
    collections::VecDeque,
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    sync::{
        Mutex,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// For one test. A Python server needs seconds to start on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

pub struct Test {
    pub name: String,
    pub needs: Packages,
    pub body: Box<dyn FnOnce() + Send>,
}

impl Test {
    pub fn new(
        name: String,
        needs: Packages,
        body: impl FnOnce() + Send + 'static,
    ) -> Self {
        Self { name, needs, body: Box::new(body) }
    }
}

#[derive(PartialEq, Eq)]
enum Result {
    Passed,
    Failed,
    Skipped(Packages),
}

/// Runs what the command line selects, as `cargo test [FILTER] [-- --list …]` does.
pub fn run(mut tests: Vec<Test>) -> ExitCode {
    let options = Options::read();
    tests.retain(|test| options.selects(&test.name));
    if options.list {
        tests.iter().for_each(|test| println!("{}: test", test.name));
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests with official peers", tests.len());
    let waiting = Mutex::new(VecDeque::from(tests));
    let results = Mutex::new(Vec::new());
    let next = || waiting.lock().expect("no panic").pop_front();
    thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                while let Some(test) = next() {
                    let result = run_one(test);
                    results.lock().expect("no panic").push(result);
                }
            });
        }
    });
    summary(&results.into_inner().expect("no panic"))
}

fn run_one(Test { name, needs, body }: Test) -> Result {
    if let Some(reason) = needs.missing() {
        // CI sets it after it has installed them.
        if env::var_os("MCP_PEERS").is_some_and(|value| value != "0") {
            println!("test {name} ... FAILED: MCP_PEERS is set, and {reason}");
            return Result::Failed;
        }
        println!("test {name} ... skipped");
        return Result::Skipped(needs);
    }
    let (done, wait) = mpsc::channel();
    let test = thread::Builder::new().name(name.clone()).spawn(move || {
        // The hook has printed the reason when this returns.
        let _ = done.send(catch_unwind(AssertUnwindSafe(body)).is_ok());
    });
    test.expect("a thread");
    match wait.recv_timeout(LIMIT) {
        Ok(true) => {
            println!("test {name} ... ok");
            return Result::Passed;
        }
        Ok(false) | Err(RecvTimeoutError::Disconnected) => {
            println!("test {name} ... FAILED");
        }
        Err(RecvTimeoutError::Timeout) => {
            println!("test {name} ... FAILED: not done after {LIMIT:?}");
        }
    }
    Result::Failed
}

fn summary(results: &[Result]) -> ExitCode {
    let count = |wanted: Result| results.iter().filter(|it| **it == wanted).count();
    let skipped = Packages::ALL.map(|packages| count(Result::Skipped(packages)));
    let (passed, failed) = (count(Result::Passed), count(Result::Failed));
    let word = if failed == 0 { "ok" } else { "FAILED" };
    let all_skipped: usize = skipped.iter().sum();
    println!(
        "\ntest result: {word}. {passed} passed; {failed} failed; {all_skipped} skipped"
    );
    for (packages, _) in Packages::ALL.iter().zip(skipped).filter(|it| it.1 > 0) {
        if let Some(reason) = packages.missing() {
            println!("skipped: {reason}. To get it: peers/install");
        }
    }
    println!();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The part of libtest's command line that is of use here; the rest is accepted.
struct Options {
    list: bool,
    exact: bool,
    filters: Vec<String>,
    skips: Vec<String>,
    threads: usize,
}

impl Options {
    fn read() -> Self {
        let threads = thread::available_parallelism().map_or(2, usize::from);
        let (filters, skips) = (Vec::new(), Vec::new());
        let mut options = Self { list: false, exact: false, filters, skips, threads };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--list" => options.list = true,
                "--exact" => options.exact = true,
                "--skip" => options.skips.extend(words.next()),
                "--test-threads" => {
                    let number = words.next().and_then(|word| word.parse().ok());
                    options.threads = number.unwrap_or(threads);
                }
                "--format" | "--color" | "--logfile" | "-Z" => drop(words.next()),
                flag if flag.starts_with('-') => {}
                _ => options.filters.push(word),
            }
        }
        options
    }

    fn selects(&self, name: &str) -> bool {
        let fits = |filter: &String| match self.exact {
            true => name == filter,
            false => name.contains(filter.as_str()),
        };
        (self.filters.is_empty() || self.filters.iter().any(fits))
            && !self.skips.iter().any(fits)
    }
}
