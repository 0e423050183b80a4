//! Mutants of the learner's functions: cargo-mutants lists them, the bench judges each,
//! and every one that survives needs a reason.

use crate::{
    bench::Bench,
    files,
    outcome::{NotCompiled, Test},
    parallel::in_parallel,
    say::say,
};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::Exercise;
use serde::Deserialize;
use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Stdio},
};

#[cfg(test)]
mod tests;

const SURVIVORS: &str = "exercises/proof/survivors.toml";

/// A change, as `cargo mutants --list --json` describes it.
#[derive(Clone, Deserialize)]
struct Mutant {
    /// From the repository's root.
    file: String,
    name: String,
    replacement: String,
    span: Span,
}

/// `end` is after the last character; both are counted from 1.
#[derive(Clone, Copy, Deserialize)]
struct Span {
    start: Place,
    end: Place,
}

#[derive(Clone, Copy, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Survivors {
    survivor: Vec<Survivor>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Survivor {
    /// As cargo-mutants names it, without line and column.
    mutant: String,
    /// Why no grader needs to detect it.
    reason: String,
}

/// Judges every mutant of the functions to write. Fails if one survives without a
/// reason, or if a listed one does not survive.
pub fn check(root: &Path, exercises: &[&Exercise], jobs: u8) -> Result<()> {
    let text = files::read(&root.join(SURVIVORS))?;
    let Survivors { survivor: known } = toml::from_str(&text).context(SURVIVORS)?;
    let bench = Bench::prepare(root)?;
    let mut survivors = Vec::new();
    for exercise in exercises {
        let mutants = mutants(root, exercise)?;
        let verdicts = in_parallel(jobs.into(), &mutants, |mutant| {
            survives(&bench, root, exercise, mutant)
        });
        let verdicts = verdicts.into_iter().collect::<Result<Vec<_>>>()?;
        let alive = mutants.iter().zip(verdicts).filter(|(_, survives)| *survives);
        let alive: Vec<_> = alive.map(|(mutant, _)| mutant.name.clone()).collect();
        let (count, all) = (alive.len(), mutants.len());
        say(format_args!("{}: {count} of {all} mutants survive", exercise.target))?;
        survivors.extend(alive);
    }
    let modules = exercises.iter().flat_map(|exercise| exercise.modules);
    let files: Vec<_> = modules.map(|module| format!("src/{module}: ")).collect();
    let here = |known: &&Survivor| files.iter().any(|f| known.mutant.starts_with(f));
    let wrong = compare(known.iter().filter(here), &survivors);
    ensure!(wrong.is_empty(), "{SURVIVORS} is wrong:\n{}", wrong.join("\n"));
    Ok(())
}

/// The errors in the list of survivors.
fn compare<'a>(
    known: impl IntoIterator<Item = &'a Survivor>,
    survivors: &[String],
) -> Vec<String> {
    let mut left: BTreeSet<_> =
        survivors.iter().map(|name| without_place(name)).collect();
    let mut wrong = Vec::new();
    for Survivor { mutant, reason } in known {
        if !left.remove(mutant) {
            wrong.push(format!("{mutant}: does not survive"));
        }
        if reason.trim().is_empty() {
            wrong.push(format!("{mutant}: no reason"));
        }
    }
    wrong.extend(left.iter().map(|name| format!("{name}: survives and is not listed")));
    wrong
}

/// The mutants inside the regions of an exercise's tasks.
fn mutants(root: &Path, exercise: &Exercise) -> Result<Vec<Mutant>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["mutants", "--list", "--json"]);
    cargo.args(["--package", "mcp-from-scratch"]).stderr(Stdio::inherit());
    for module in exercise.modules.iter().filter(|module| exercise.asks_for(module)) {
        cargo.arg("--file").arg(format!("src/{module}"));
    }
    let listed = cargo.output().context("cannot start cargo")?;
    if !listed.status.success() {
        bail!(
            "cargo-mutants failed; `cargo install cargo-mutants --locked` installs it"
        );
    }
    let mut all: Vec<Mutant> =
        serde_json::from_slice(&listed.stdout).context("cargo mutants --list")?;
    let mut regions = Vec::new();
    for (module, region) in exercise.tasks.iter().flat_map(|task| task.regions) {
        let text = files::read(&root.join("src").join(module))?;
        regions.push((format!("src/{module}"), text, region));
    }
    all.retain(|mutant| {
        regions.iter().any(|(file, text, region)| {
            *file == mutant.file && is_inside(text, region, mutant.span.start.line)
        })
    });
    Ok(all)
}

/// Whether a line, counted from 1, is between the marks of a region.
fn is_inside(text: &str, region: &str, line: usize) -> bool {
    let place = |mark: String| text.lines().position(|line| line.trim_start() == mark);
    let start = place(format!("// ANCHOR: {region}"));
    let end = place(format!("// ANCHOR_END: {region}"));
    start.zip(end).is_some_and(|(start, end)| (start + 2..=end).contains(&line))
}

/// Whether every test passes. A mutant that does not compile does not survive.
fn survives(
    bench: &Bench,
    root: &Path,
    exercise: &Exercise,
    mutant: &Mutant,
) -> Result<bool> {
    let module = mutant.file.strip_prefix("src/").context("a file outside of src")?;
    let text = files::read(&root.join(&mutant.file))?;
    let mutated = apply(&text, mutant)
        .with_context(|| format!("cannot apply {}", mutant.name))?;
    let changed = [(module.to_owned(), mutated)].into();
    let tests = match bench.judge(exercise, &changed) {
        Ok(tests) => tests,
        Err(error) if error.is::<NotCompiled>() => return Ok(false),
        Err(error) => return Err(error),
    };
    Ok(!tests.all.is_empty() && tests.all.values().all(|test| *test == Test::Passed))
}

/// The mutated text; `None` if the span is outside of it.
fn apply(text: &str, mutant: &Mutant) -> Option<String> {
    let offset = |place: Place| {
        let before = text.split_inclusive('\n').take(place.line.checked_sub(1)?);
        let start: usize = before.map(str::len).sum();
        let mut characters = text.get(start..)?.char_indices();
        Some(start + characters.nth(place.column.checked_sub(1)?)?.0)
    };
    let (start, end) = (offset(mutant.span.start)?, offset(mutant.span.end)?);
    Some([text.get(..start)?, &mutant.replacement, text.get(end..)?].concat())
}

/// `src/frame.rs:12:5: replace …` without the numbers, which change with every edit.
fn without_place(name: &str) -> String {
    match name.splitn(4, ':').collect::<Vec<_>>()[..] {
        [file, _, _, what] => format!("{file}:{what}"),
        _ => name.to_owned(),
    }
}
