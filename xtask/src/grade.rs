//! Grading many submissions: each exercise of each one in its own folder and sandbox.
//! A broken or hostile one costs its own row only.

use crate::{
    bench::Bench,
    interrupt,
    judge::{Cell, Judge, Options},
    outcome::Test,
    parallel::in_parallel,
    sandbox::Sandbox,
    submission,
};
use anyhow::{Context, Result, anyhow, ensure};
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

pub fn grade(
    root: &Path,
    folders: &[PathBuf],
    exercises: &[&'static Exercise],
    options: &Options,
) -> Result<Report> {
    let warning = (options.sandbox == Sandbox::Off)
        .then_some("no sandbox: the submissions ran with all your rights");
    if let Some(warning) = warning {
        eprintln!("WARNING: {warning}");
    }
    interrupt::catch_signals()?;
    eprintln!("building the libraries");
    let bench = Bench::prepare(root)?;
    let folder = Folder(tempfile::tempdir().context("cannot make a folder")?.keep());
    let judge = Judge { root, bench: &bench, folder: &folder.0, options };
    eprintln!("grading the course's own solutions");
    let tests = in_parallel(options.jobs, exercises, |exercise| {
        tests_of(&judge, exercise)
            .with_context(|| format!("exercise {}", exercise.number))
    });
    let tests = tests.into_iter().collect::<Result<Vec<_>>>()?;
    let submissions: Vec<(String, &PathBuf)> =
        folders.iter().map(|folder| (name(folder, folders), folder)).collect();
    let work = Vec::from_iter(submissions.iter().flat_map(|submission| {
        exercises.iter().zip(&tests).map(move |(e, tests)| (submission, *e, tests))
    }));
    let cells =
        in_parallel(options.jobs, &work, |((name, folder), exercise, tests)| {
            let (name, number) = (visible(name.as_bytes()), exercise.number);
            let cell = one(&judge, folder, exercise, tests)
                .with_context(|| format!("{name} {number}"))?;
            let (passed, all, state) = (cell.passed(), cell.tests.len(), cell.state);
            eprintln!("  {name} {number}: {passed}/{all}, {state}");
            Ok(cell)
        });
    let mut cells = cells.into_iter().collect::<Result<Vec<_>>>()?.into_iter();
    let row = |(name, _)| (name, cells.by_ref().take(exercises.len()).collect());
    let rows = submissions.into_iter().map(row).collect();
    Ok(Report { exercises: exercises.into(), rows, warning })
}

/// The tests of an exercise. All of them must pass for the course's own solution, or
/// this machine cannot grade.
fn tests_of(judge: &Judge, exercise: &Exercise) -> Result<Vec<String>> {
    const WHY: &str = "the course's own solution does not pass here";
    let program = judge.compile(exercise, &BTreeMap::new())?;
    let program = program.map_err(|problem| anyhow!("{WHY}: {}", problem.note))?;
    let names = judge.names(&program)?;
    let cell = judge.run_tests(&program, &names)?;
    let failed = cell.tests.iter().find(|(_, test)| **test != Test::Passed);
    ensure!(failed.is_none(), "{WHY}: {} {failed:?}", cell.notes.join("; "));
    Ok(names)
}

/// One cell of the table.
fn one(
    judge: &Judge,
    folder: &Path,
    exercise: &Exercise,
    tests: &[String],
) -> Result<Cell> {
    let mut cell = Cell::new(tests);
    match submission::modules(folder, exercise, &judge.root.join("src"))? {
        Err(problem) => cell.add(problem),
        Ok(modules) => {
            match judge.compile(exercise, &modules.texts)? {
                Err(problem) => cell.add(problem),
                Ok(program) => cell = judge.run_tests(&program, tests)?,
            }
            cell.notes.extend(modules.notes);
        }
    }
    Ok(cell)
}

/// A folder's name; its path, if another one has the same name.
fn name(folder: &Path, folders: &[PathBuf]) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    let same = folders.iter().filter(|other| other.file_name() == Some(name)).count();
    if same > 1 { folder.as_os_str() } else { name }.to_string_lossy().into_owned()
}

/// A temporary folder that holds all others.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A compiler that is being killed may still write for a moment.
        for _ in 0..100 {
            if fs::remove_dir_all(&self.0).is_ok() {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}
