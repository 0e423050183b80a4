//! The proof that the graders are right: the course's own modules pass, stubs fail
//! every test, each seeded fault fails the tests that it names with the words that it
//! names, and a right solution of another kind passes.

use crate::{
    bench::Bench,
    files,
    outcome::{Test, Tests, names_in},
    parallel::in_parallel,
    proof::{Expected, Solution, solutions},
    say::say,
};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::Exercise;
use std::{collections::BTreeSet, fmt::Write, fs, path::Path, thread};

#[cfg(test)]
mod tests;

/// What a proof consists of at least.
const FAULTS: usize = 5;
const UNUSUAL: usize = 1;

/// Checks the graders of `exercises`; with `update` the texts that learners read are
/// written anew in place of being compared.
pub fn check(root: &Path, exercises: &[&Exercise], update: bool) -> Result<()> {
    say("building the libraries")?;
    let bench = Bench::prepare(root)?;
    let mut work = Vec::new();
    for exercise in exercises {
        let solutions = solutions(root, exercise)?;
        work.extend(solutions.into_iter().map(|solution| (*exercise, solution)));
    }
    let jobs = thread::available_parallelism().map_or(1, usize::from);
    let answers = in_parallel(jobs, &work, |(exercise, solution)| {
        let name = format!("{} {}", exercise.number, solution.name);
        let proved = prove(&bench, root, exercise, solution, update);
        let line = proved.as_deref().unwrap_or("WRONG");
        say(format_args!("  {name:<44} {line}"))?;
        proved.map(drop).context(name)
    });
    let wrong = answers.into_iter().filter_map(Result::err);
    let mut wrong = Vec::from_iter(wrong.map(|error| format!("{error:#}")));
    for exercise in exercises {
        let count = |kind: &str| {
            let of_kind = |(of, solution): &&(&Exercise, Solution)| {
                of.number == exercise.number && solution.kind() == kind
            };
            work.iter().filter(of_kind).count()
        };
        let (faults, unusual) = (count("fault"), count("unusual"));
        if faults < FAULTS || unusual < UNUSUAL {
            wrong.push(format!(
                "{}: {faults} faults and {unusual} unusual solutions are too few: a proof \
                 has at least {FAULTS} and {UNUSUAL}",
                exercise.number
            ));
        }
    }
    if wrong.is_empty() {
        return say(format_args!(
            "{} solutions were judged as they should be",
            work.len()
        ));
    }
    bail!("{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"))
}

/// Judges one solution; returns what to say of it.
fn prove(
    bench: &Bench,
    root: &Path,
    exercise: &Exercise,
    solution: &Solution,
    update: bool,
) -> Result<String> {
    let scratch = tempfile::tempdir()?;
    bench.lay_out(exercise, scratch.path())?;
    for (module, text) in &solution.changed {
        files::write(&scratch.path().join("exercises/src").join(module), text)?;
    }
    let tests = bench.judge(exercise, scratch.path())?;
    let written = names_in(&files::read(&root.join(exercise.brief()))?);
    let fixture = format!("exercises/proof/{}/{}.txt", exercise.number, solution.name);
    accept(&tests, &written, solution, &root.join(fixture), update)
}

/// Whether judging `solution` came out as it should; returns what to say of it.
/// `written`: the tests that there are.
fn accept(
    tests: &Tests,
    written: &BTreeSet<String>,
    solution: &Solution,
    fixture: &Path,
    update: bool,
) -> Result<String> {
    let ran: BTreeSet<&str> = tests.all.keys().map(String::as_str).collect();
    ensure!(
        !written.is_empty()
            && written.iter().map(String::as_str).eq(ran.iter().copied()),
        "the tests that ran are not those that are written: {ran:?}, {:?}",
        tests.ended
    );
    let failed: BTreeSet<&str> = tests.failed().map(|(name, _)| name).collect();
    let should: BTreeSet<&str> = match &solution.expected {
        Expected::AllPass => BTreeSet::new(),
        Expected::AllFail => ran.clone(),
        Expected::Pass(tasks) => {
            let done = |name: &&str| tasks.iter().any(|task| name.starts_with(task));
            failed.iter().copied().filter(|name| !done(name)).collect()
        }
        Expected::Fail(tests) => tests.keys().map(String::as_str).collect(),
    };
    ensure!(
        failed == should,
        "expected to fail: {should:#?}\nfailed: {failed:#?}\n{}",
        words(tests)
    );
    if let Expected::Fail(named) = &solution.expected {
        for (name, words) in named {
            let Some(Test::Failed(text)) = tests.all.get(name) else {
                bail!("{name} has not failed but was lost: {:?}", tests.ended);
            };
            ensure!(text.contains(words), "{name} does not say “{words}”:\n{text}");
        }
    }
    if matches!(solution.expected, Expected::AllFail | Expected::Fail(_)) {
        compare(&words(tests), fixture, update)?;
    }
    Ok(match failed.len() {
        0 => format!("passes all {}", ran.len()),
        some => format!("fails {some} of {}", ran.len()),
    })
}

/// What a learner reads is a fixture, but for line numbers.
fn compare(words: &str, fixture: &Path, update: bool) -> Result<()> {
    if update {
        return files::write(fixture, words);
    }
    let kept = fs::read_to_string(fixture).unwrap_or_default();
    ensure!(
        kept == words,
        "what the learner reads has changed (`cargo xtask check-graders --update` \
         writes it anew): {}\n{words}",
        fixture.display()
    );
    Ok(())
}

fn words(tests: &Tests) -> String {
    let mut all = String::new();
    for (name, test) in tests.failed() {
        let said = match test {
            Test::Failed(text) => text,
            _ => "(it did not end)",
        };
        let _ = writeln!(all, "{name}\n\n{}\n", without_line_numbers(said));
    }
    all
}

/// `frame.rs:12` becomes `frame.rs`, so that an edit above does not change a fixture.
fn without_line_numbers(text: &str) -> String {
    let mut parts = text.split(".rs:");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(".rs");
        plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    plain
}
