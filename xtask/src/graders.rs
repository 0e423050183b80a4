//! The proof that the graders are right: the course's modules pass, the stubs fail every
//! test, each fault fails exactly the tests that it names, and a right solution of
//! another kind passes. What a learner reads on failure is compared with
//! `exercises/proof/NN.messages.txt`, one record for each test.

use crate::{
    bench::Bench,
    files,
    outcome::{Test, Tests},
    parallel::in_parallel,
    proof::{Expected, Solution, solutions},
    say::say,
};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::Exercise;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    thread,
};

#[cfg(test)]
mod tests;

/// Checks the graders of `exercises`. With `update` the messages are written, otherwise
/// they are compared.
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
        let tests = bench.judge(exercise, &solution.changed).context(name.clone())?;
        let verdict = accept(&tests, solution).context(name.clone());
        let failed = tests.failed().count();
        let line =
            if verdict.is_ok() { format!("fails {failed}") } else { "WRONG".into() };
        say(format_args!("  {name:<44} {line} of {}", tests.all.len()))?;
        verdict.map(|()| tests)
    });
    let mut wrong = Vec::new();
    let mut judged = Vec::new();
    for ((exercise, solution), result) in work.iter().zip(results) {
        match result {
            Ok(tests) => judged.push((*exercise, solution, tests)),
            Err(error) => wrong.push(format!("{error:#}")),
        }
    }
    for exercise in exercises {
        let of_exercise = judged.iter().filter(|(of, ..)| of.number == exercise.number);
        let runs =
            Vec::from_iter(of_exercise.map(|(_, solution, tests)| (*solution, tests)));
        let compared = complete(&runs)
            .and_then(|()| compare(root, exercise, &messages(&runs), update))
            .with_context(|| format!("exercise {}", exercise.number));
        wrong.extend(compared.err().map(|error| format!("{error:#}")));
    }
    if wrong.is_empty() {
        return say(format_args!("{} solutions were judged as expected", work.len()));
    }
    bail!("{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"))
}

/// Whether the result of judging `solution` is the expected one.
fn accept(tests: &Tests, solution: &Solution) -> Result<()> {
    let all: BTreeSet<&str> = tests.all.keys().map(String::as_str).collect();
    ensure!(!all.is_empty(), "no test ran: {:?}", tests.ended);
    let failed: BTreeSet<&str> = tests.failed().map(|(name, _)| name).collect();
    let expected: BTreeSet<&str> = match &solution.expected {
        Expected::AllPass => BTreeSet::new(),
        Expected::AllFail => all,
        Expected::Pass(tasks) => {
            let done = |name: &&str| tasks.iter().any(|task| name.starts_with(task));
            failed.iter().copied().filter(|name| !done(name)).collect()
        }
        Expected::Fail(tests) => tests.iter().map(String::as_str).collect(),
    };
    ensure!(failed == expected, "expected to fail: {expected:#?}\nfailed: {failed:#?}");
    if let Expected::AllFail = solution.expected {
        for (name, test) in tests.failed() {
            let task = name.split("::").next().unwrap_or_default();
            let begin = format!("{}, ", task.replace('t', "task ").replace('_', "."));
            let names_it = |text: &str| {
                text.starts_with(&begin) && text.contains("the stub of task ")
            };
            ensure!(
                matches!(test, Test::Failed(text) if names_it(text)),
                "{name} does not name its task and the stub that it reached: {test:?}"
            );
        }
    }
    Ok(())
}

/// Every run has the same tests, and every test is failed by a fault.
fn complete(runs: &[(&Solution, &Tests)]) -> Result<()> {
    let Some((_, reference)) = runs.first() else { return Ok(()) };
    let mut unproven: BTreeSet<&String> = reference.all.keys().collect();
    for (solution, tests) in runs {
        let same = tests.all.keys().eq(reference.all.keys());
        ensure!(same, "{}: other tests ran than with the reference", solution.name);
        if let Expected::Fail(fails) = &solution.expected {
            unproven.retain(|name| !fails.contains(*name));
        }
    }
    ensure!(unproven.is_empty(), "no fault fails {unproven:#?}");
    Ok(())
}

/// What a learner reads when a test fails: from the first fault that fails it.
fn messages(runs: &[(&Solution, &Tests)]) -> String {
    let mut records = BTreeMap::new();
    for (solution, tests) in runs {
        let Expected::Fail(_) = solution.expected else { continue };
        for (name, test) in tests.failed() {
            let Test::Failed(text) = test else { continue };
            let record = format!("# {name} ({})\n{}", solution.name, record(text));
            records.entry(name.to_owned()).or_insert(record);
        }
    }
    Vec::from_iter(records.into_values()).join("\n")
}

fn compare(root: &Path, exercise: &Exercise, text: &str, update: bool) -> Result<()> {
    let file = root.join(format!("exercises/proof/{}.messages.txt", exercise.number));
    if update {
        return files::write(&file, text);
    }
    let kept = files::read(&file)?;
    let differs = kept.lines().zip(text.lines()).find(|(kept, text)| kept != text);
    ensure!(
        kept == text,
        "the messages have changed (`cargo xtask check-graders --update` writes them), \
         first here: {differs:?}"
    );
    Ok(())
}

/// A message without what depends on the task alone: its title, where to read, hints.
fn record(text: &str) -> String {
    let lines = text.lines().filter(|line| {
        let labels = ["task ", "  read  ", "  hints  "];
        !line.is_empty() && !labels.iter().any(|label| line.starts_with(label))
    });
    without_line_numbers(&lines.flat_map(|line| [line, "\n"]).collect::<String>())
}

/// `frame.rs:12` becomes `frame.rs`, so that an edit above does not change a message.
fn without_line_numbers(text: &str) -> String {
    let mut parts = text.split(".rs:");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(".rs");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    plain
}
