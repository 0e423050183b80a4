//! The proof that the graders are right: the course's own modules pass, stubs fail
//! every test, each fault fails the tests that it names, each test fails for some fault,
//! and right solutions of another kind pass.

use crate::{
    bench::Bench,
    files,
    outcome::{Test, Tests},
    parallel::in_parallel,
    proof::{Expected, Solution, prefix, solutions},
    say::say,
};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::Exercise;
use std::{collections::BTreeSet, fmt::Write, fs, path::Path, thread};

#[cfg(test)]
mod tests;

/// Checks the graders of `exercises`; `update` rewrites the recorded messages instead of
/// comparing them.
pub fn check(root: &Path, exercises: &[&Exercise], update: bool) -> Result<()> {
    say("building the libraries")?;
    let bench = Bench::prepare(root)?;
    let mut work = Vec::new();
    for exercise in exercises {
        let solutions = solutions(root, exercise)?;
        work.extend(solutions.into_iter().map(|solution| (*exercise, solution)));
    }
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let results = in_parallel(jobs, &work, |(exercise, solution)| {
        let name = format!("{} {}", exercise.number, solution.name);
        let judged = judge(&bench, exercise, solution);
        let line = judged.as_ref().map_or("WRONG".into(), Tests::to_string);
        say(format_args!("  {name:<44} {line}"))?;
        judged.context(name)
    });
    let mut wrong = Vec::new();
    let mut judged = Vec::new();
    for ((exercise, solution), result) in work.iter().zip(results) {
        match result {
            Ok(tests) => judged.push((exercise.number, solution, tests)),
            Err(error) => wrong.push(format!("{error:#}")),
        }
    }
    if wrong.is_empty() {
        for exercise in exercises {
            let here = judged.iter().filter(|(number, ..)| *number == exercise.number);
            let here =
                Vec::from_iter(here.map(|(_, solution, tests)| (*solution, tests)));
            let file = format!("exercises/proof/{}.messages.txt", exercise.number);
            let checked = messages(&here).and_then(|messages| {
                compare(&messages, &root.join(&file), update).context(file)
            });
            wrong.extend(checked.err().map(|error| format!("{error:#}")));
        }
    }
    ensure!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
    say(format_args!("{} solutions were judged as expected", work.len()))
}

/// Runs the tests on one solution, and checks the results.
fn judge(bench: &Bench, exercise: &Exercise, solution: &Solution) -> Result<Tests> {
    let scratch = tempfile::tempdir()?;
    bench.lay_out(exercise, scratch.path())?;
    for (module, text) in &solution.changed {
        files::write(&scratch.path().join("exercises/src").join(module), text)?;
    }
    let tests = bench.judge(exercise, scratch.path())?;
    accept(exercise, solution, &tests)?;
    Ok(tests)
}

/// Fails unless the results are those that the solution must have.
fn accept(exercise: &Exercise, solution: &Solution, tests: &Tests) -> Result<()> {
    let failed: BTreeSet<&str> = tests.failed().map(|(name, _)| name).collect();
    let expected: BTreeSet<&str> = match &solution.expected {
        Expected::AllPass => BTreeSet::new(),
        Expected::AllUnwritten => tests.all.keys().map(String::as_str).collect(),
        Expected::Pass(tasks) => {
            let is_done =
                |name: &&&str| tasks.iter().any(|task| name.starts_with(task));
            failed.iter().filter(|name| !is_done(name)).copied().collect()
        }
        Expected::Fail(tests) => tests.iter().map(String::as_str).collect(),
    };
    ensure!(
        failed == expected,
        "expected to fail: {expected:#?}\nfailed: {failed:#?}\n{:#?}",
        tests.all
    );
    for (name, test) in tests.failed() {
        let lost = || format!("{name} did not end: {:?}", tests.ended);
        match (&solution.expected, test) {
            (Expected::Pass(_), _) => {}
            (_, Test::Passed | Test::Lost) => bail!(lost()),
            (Expected::AllUnwritten, Test::Failed(text)) => {
                let named = names_the_task(exercise, name, text);
                ensure!(named, "{name} does not name the task to write:\n{text}");
            }
            (_, Test::Failed(_)) => {}
        }
    }
    Ok(())
}

/// Whether the message of a test on the stubs names its own task, and that this task or
/// one before it is not written.
fn names_the_task(exercise: &Exercise, name: &str, text: &str) -> bool {
    let stub = ["nothing yet, at exercises/src/", "the stub of task "];
    exercise.tasks.iter().any(|task| {
        name.starts_with(&prefix(task))
            && text.starts_with(&format!("task {}, {}\n", task.number, task.title))
    }) && stub.iter().any(|words| text.contains(words))
}

/// What a learner reads: one message for each test, of the first fault that fails it.
fn messages(judged: &[(&Solution, &Tests)]) -> Result<String> {
    let mut all = String::new();
    let names = judged.first().map(|(_, tests)| tests.all.keys());
    for name in names.into_iter().flatten() {
        let message = judged.iter().find_map(|(solution, tests)| {
            match (&solution.expected, &tests.all[name]) {
                (Expected::Fail(_), Test::Failed(text)) => Some((&solution.name, text)),
                _ => None,
            }
        });
        let (fault, text) =
            message.with_context(|| format!("no fault makes {name} fail"))?;
        let text = without_line_numbers(text);
        let _ = writeln!(all, "=== {name} ({fault})\n{text}\n");
    }
    Ok(all)
}

fn compare(messages: &str, file: &Path, update: bool) -> Result<()> {
    if update {
        return files::write(file, messages);
    }
    let recorded = fs::read_to_string(file).unwrap_or_default();
    let mut known = recorded.split("=== ");
    let changed: String = messages
        .split("=== ")
        .filter(|message| known.next() != Some(message))
        .collect();
    ensure!(
        recorded == messages,
        "messages differ from the recorded ones; `cargo xtask check-graders --update` \
         rewrites them:\n{changed}"
    );
    Ok(())
}

/// `frame.rs:12` becomes `frame.rs`, so that an edit above it changes no message.
fn without_line_numbers(text: &str) -> String {
    let mut parts = text.split(".rs:");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(".rs");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    plain
}
