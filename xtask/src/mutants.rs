//! Which changes of the learner's functions the graders do not see: cargo-mutants makes
//! the changes, the bench judges each, and every one that survives needs a reason.

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
    collections::BTreeMap,
    path::Path,
    process::{Command, Stdio},
};

#[cfg(test)]
mod tests;

const SURVIVORS: &str = "exercises/proof/survivors.toml";

/// One change, as `cargo mutants --list --json` has it.
#[derive(Clone, Deserialize)]
struct Mutant {
    /// From the repository's root.
    file: String,
    name: String,
    replacement: String,
    span: Span,
}

/// From the first character to the one after the last, counted from 1.
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
    /// How many of this name survive.
    #[serde(default = "one")]
    count: usize,
    /// Why no grader needs to see it.
    reason: String,
}

fn one() -> usize {
    1
}

/// Judges every change of the functions that some exercises ask for. Fails if one
/// survives without a reason, or a reason is left without its survivor.
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
    ensure!(wrong.is_empty(), "{SURVIVORS} is not right:\n{}", wrong.join("\n"));
    Ok(())
}

/// What is wrong with the list of survivors.
fn compare<'a>(
    known: impl IntoIterator<Item = &'a Survivor>,
    survivors: &[String],
) -> Vec<String> {
    let mut counts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in survivors {
        counts.entry(without_place(name)).or_default().push(name);
    }
    let mut wrong = Vec::new();
    for Survivor { mutant, count, reason } in known {
        let found = counts.remove(mutant).unwrap_or_default().len();
        if found != *count {
            wrong.push(format!("{mutant}: {found} survive and not {count}"));
        }
        if reason.trim().is_empty() {
            wrong.push(format!("{mutant}: without a reason"));
        }
    }
    let rest = counts.into_values().flatten();
    wrong.extend(rest.map(|name| format!("{name}: survives, and is not listed")));
    wrong
}

/// The changes inside the regions of an exercise's tasks.
fn mutants(root: &Path, exercise: &Exercise) -> Result<Vec<Mutant>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["mutants", "--list", "--json"]);
    cargo.args(["--package", "mcp-from-scratch"]).stderr(Stdio::inherit());
    for module in exercise.modules.iter().filter(|module| exercise.asks_for(module)) {
        cargo.arg("--file").arg(format!("src/{module}"));
    }
    let listed = cargo.output().context("cannot start cargo")?;
    if !listed.status.success() {
        bail!("is cargo-mutants there? `cargo install cargo-mutants --locked`");
    }
    let all: Vec<Mutant> =
        serde_json::from_slice(&listed.stdout).context("cargo mutants --list")?;
    let mut asked = Vec::new();
    for module in exercise.modules {
        let text = files::read(&root.join("src").join(module))?;
        let regions = exercise.tasks.iter().flat_map(|task| task.regions);
        let here: Vec<_> = regions.filter(|(place, _)| place == module).collect();
        let mut of_module: Vec<_> = all
            .iter()
            .filter(|mutant| mutant.file == format!("src/{module}"))
            .collect();
        of_module.retain(|mutant| {
            let line = mutant.span.start.line;
            here.iter().any(|(_, region)| is_inside(&text, region, line))
        });
        asked.extend(of_module.into_iter().cloned());
    }
    Ok(asked)
}

/// Whether a line, counted from 1, stands between the marks of a region.
fn is_inside(text: &str, region: &str, line: usize) -> bool {
    let place = |mark: String| text.lines().position(|line| line.trim_start() == mark);
    let start = place(format!("// ANCHOR: {region}"));
    let end = place(format!("// ANCHOR_END: {region}"));
    start.zip(end).is_some_and(|(start, end)| (start + 2..=end).contains(&line))
}

/// Whether every test passes in spite of the change. One that does not compile is none.
fn survives(
    bench: &Bench,
    root: &Path,
    exercise: &Exercise,
    mutant: &Mutant,
) -> Result<bool> {
    let scratch = tempfile::tempdir()?;
    bench.lay_out(exercise, scratch.path())?;
    let module = mutant.file.strip_prefix("src/").context("a file outside src")?;
    let text = files::read(&root.join(&mutant.file))?;
    let changed = apply(&text, mutant)
        .with_context(|| format!("cannot apply {}", mutant.name))?;
    files::write(&scratch.path().join("exercises/src").join(module), &changed)?;
    let tests = match bench.judge(exercise, scratch.path()) {
        Ok(tests) => tests,
        Err(error) if error.is::<NotCompiled>() => return Ok(false),
        Err(error) => return Err(error),
    };
    Ok(!tests.all.is_empty() && tests.all.values().all(|test| *test == Test::Passed))
}

/// The text with the change; `None` if the span lies outside of it.
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

/// `src/frame.rs:12:5: replace …` without the numbers, which every edit above changes.
fn without_place(name: &str) -> String {
    match name.splitn(4, ':').collect::<Vec<_>>()[..] {
        [file, _, _, what] => format!("{file}:{what}"),
        _ => name.to_owned(),
    }
}
