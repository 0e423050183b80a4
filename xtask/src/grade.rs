//! Grading many submissions: each exercise of each one in its own folder and sandbox, so
//! that a broken or hostile one costs its own row only.

use crate::{
    bench::Bench,
    interrupt,
    judge::{Cell, Judge, Options},
    outcome::Test,
    parallel::in_parallel,
    sandbox::Sandbox,
    submission::Submission,
};
use anyhow::{Context, Result, ensure};
use exercises::{course::Exercise, visible};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// The results: a row for each submission, a cell for each exercise.
pub struct Report {
    pub exercises: Vec<&'static Exercise>,
    pub rows: Vec<(String, Vec<Cell>)>,
    pub warning: Option<&'static str>,
}

const NO_SANDBOX: &str = "no sandbox: the code of the submissions ran with all your \
                          rights; it could read and change your files, and use the \
                          network";

pub fn grade(
    root: &Path,
    folders: &[PathBuf],
    exercises: &[&'static Exercise],
    options: &Options,
) -> Result<Report> {
    let warning = (options.sandbox == Sandbox::Off).then_some(NO_SANDBOX);
    if let Some(warning) = warning {
        eprintln!("WARNING: {warning}");
    }
    interrupt::catch_signals()?;
    eprintln!("building the libraries");
    let bench = Bench::prepare(root)?;
    let folder = Folder::new()?;
    let judge = Judge { root, bench: &bench, folder: &folder.0, options };
    eprintln!("grading the course's own solutions");
    let tests = in_parallel(options.jobs, exercises, |_, exercise| {
        tests_of(&judge, exercise)
            .with_context(|| format!("exercise {}", exercise.number))
    });
    let tests = tests.into_iter().collect::<Result<Vec<_>>>()?;
    let submissions = with_distinct_names(folders);
    let work = Vec::from_iter(submissions.iter().flat_map(|submission| {
        exercises.iter().zip(&tests).map(move |(e, tests)| (submission, *e, tests))
    }));
    let cells = in_parallel(options.jobs, &work, |_, (submission, exercise, tests)| {
        let name = visible(submission.name.as_bytes());
        let cell = one(&judge, submission, exercise, tests)
            .with_context(|| format!("{name} {}", exercise.number))?;
        let (passed, all) = (cell.passed(), cell.tests.len());
        let state = cell.state.name();
        eprintln!("  {name} {}: {passed}/{all}, {state}", exercise.number);
        Ok(cell)
    });
    let mut cells = cells.into_iter().collect::<Result<Vec<_>>>()?.into_iter();
    let row = |submission: &Submission| {
        (submission.name.clone(), cells.by_ref().take(exercises.len()).collect())
    };
    let rows = submissions.iter().map(row).collect();
    Ok(Report { exercises: exercises.into(), rows, warning })
}

/// The tests of an exercise. All of them must pass for the course's own solution, or
/// this machine cannot grade.
fn tests_of(judge: &Judge, exercise: &Exercise) -> Result<Vec<String>> {
    const WHY: &str = "the course's own solution does not pass here";
    let program = judge.compile(exercise, &BTreeMap::new())?;
    let program =
        program.map_err(|problem| anyhow::anyhow!("{WHY}: {}", problem.note))?;
    let names = judge.names(&program)?;
    let cell = judge.run_tests(&program, &names)?;
    let failed = cell.tests.iter().find(|(_, test)| **test != Test::Passed);
    ensure!(failed.is_none(), "{WHY}: {} {failed:?}", cell.notes.join("; "));
    Ok(names)
}

/// One cell of the table.
fn one(
    judge: &Judge,
    submission: &Submission,
    exercise: &Exercise,
    tests: &[String],
) -> Result<Cell> {
    let modules = match submission.modules(exercise, &judge.root.join("src"))? {
        Ok(modules) => modules,
        Err(problem) => return Ok(Cell::without_tests(tests, problem)),
    };
    let mut cell = match judge.compile(exercise, &modules.texts)? {
        Ok(program) => judge.run_tests(&program, tests)?,
        Err(problem) => Cell::without_tests(tests, problem),
    };
    cell.notes.extend(modules.notes);
    Ok(cell)
}

/// Folders with the same name are called by their paths.
fn with_distinct_names(folders: &[PathBuf]) -> Vec<Submission> {
    let mut all = Vec::from_iter(folders.iter().map(|folder| Submission::open(folder)));
    let names = Vec::from_iter(all.iter().map(|submission| submission.name.clone()));
    for (submission, folder) in all.iter_mut().zip(folders) {
        if names.iter().filter(|name| **name == submission.name).count() > 1 {
            submission.name = folder.display().to_string();
        }
    }
    all
}

/// A temporary folder that holds all others.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        Ok(Self(folder.keep()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A compiler that is being killed may still write for a moment.
        for _ in 0..100 {
            if fs::remove_dir_all(&self.0).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        eprintln!("warning: cannot remove {}", self.0.display());
    }
}
