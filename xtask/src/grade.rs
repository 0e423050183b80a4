//! Judging many submissions: each exercise of each one in a folder of its own, so that
//! a broken or hostile one costs its own row only.

use crate::{
    bench::Bench,
    interrupt, jail,
    judge::{Cell, Judging},
    outcome::Test,
    parallel::in_parallel,
    state::State,
    strays,
    submission::{Handed, Submission},
};
use anyhow::{Context, Result, bail};
use exercises::{course::Exercise, visible};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

pub struct Options {
    pub jobs: usize,
    pub compile: Duration,
    pub run: Duration,
}

/// What came of it: a row for each submission, a cell for each exercise.
pub struct Report {
    pub exercises: Vec<&'static Exercise>,
    pub rows: Vec<(String, Vec<Cell>)>,
    /// What this machine cannot enforce.
    pub missing: Vec<String>,
}

pub fn grade(
    root: &Path,
    folders: &[PathBuf],
    exercises: &[&'static Exercise],
    options: &Options,
) -> Result<Report> {
    strays::adopt()?;
    let missing = jail::missing()?;
    eprintln!("building the libraries");
    let bench = Bench::prepare(root)?;
    let folder = interrupt::folder()?;
    let judging = Judging { bench: &bench, folder: folder.path(), options };
    eprintln!("judging the course's own solutions");
    let own = in_parallel(options.jobs, exercises, |worker, exercise| {
        let cell = judging.judge(exercise, &BTreeMap::new(), worker)?;
        let failed = cell.tests.iter().find(|(_, test)| **test != Test::Passed);
        if cell.tests.is_empty() || failed.is_some() {
            bail!(
                "exercise {}: the course's own solution does not pass here, {}: {} {:?}",
                exercise.number,
                cell.state.name(),
                cell.notes.join("; "),
                failed,
            );
        }
        Ok(Vec::from_iter(cell.tests.into_keys()))
    });
    let own = own.into_iter().collect::<Result<Vec<_>>>()?;
    let submissions = named_apart(folders);
    let work = Vec::from_iter(submissions.iter().flat_map(|submission| {
        exercises.iter().zip(&own).map(move |(e, tests)| (submission, *e, tests))
    }));
    let cells =
        in_parallel(options.jobs, &work, |worker, (submission, exercise, tests)| {
            let name = visible(submission.name.as_bytes());
            let cell =
                one(&judging, submission, exercise, tests, &root.join("src"), worker)
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
    Ok(Report { exercises: exercises.into(), rows, missing })
}

/// One cell of the table.
fn one(
    judging: &Judging,
    submission: &Submission,
    exercise: &Exercise,
    tests: &[String],
    course: &Path,
    worker: usize,
) -> Result<Cell> {
    let nothing = |state, notes| {
        let all = tests.iter().map(|name| (name.clone(), Test::Lost));
        Cell { tests: all.collect(), state, notes }
    };
    let (modules, notes) = match submission.modules(exercise, course)? {
        Handed::In { modules, notes } => (modules, notes),
        Handed::Missing(what) => return Ok(nothing(State::Missing, vec![what])),
        Handed::Refused(what) => return Ok(nothing(State::Refused, what)),
        Handed::NoRust(what) => return Ok(nothing(State::DoesNotCompile, vec![what])),
    };
    let mut cell = judging.judge(exercise, &modules, worker)?;
    if cell.tests.is_empty() {
        cell = nothing(cell.state, cell.notes);
    }
    cell.notes.extend(notes);
    Ok(cell)
}

/// Two folders of one name are called by their paths.
fn named_apart(folders: &[PathBuf]) -> Vec<Submission> {
    let mut all = Vec::from_iter(folders.iter().map(|folder| Submission::open(folder)));
    let names = Vec::from_iter(all.iter().map(|submission| submission.name.clone()));
    for (submission, folder) in all.iter_mut().zip(folders) {
        if names.iter().filter(|name| **name == submission.name).count() > 1 {
            submission.name = folder.display().to_string();
        }
    }
    all
}
