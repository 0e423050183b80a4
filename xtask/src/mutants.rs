//! Which changes of the course's modules the graders do not see: cargo-mutants makes
//! the changes, and every one that survives needs a reason.

use crate::{files, say::say};
use anyhow::{Context, Result, bail, ensure};
use exercises::course::Exercise;
use serde::Deserialize;
use std::{path::Path, process::Command};

#[cfg(test)]
mod tests;

/// Kept in `exercises/proof/survivors.toml`.
const SURVIVORS: &str = "exercises/proof/survivors.toml";
/// The release whose names of mutants are kept there.
const INSTALL: &str = "`cargo install cargo-mutants --locked --version 27.1.0`";

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
    /// Why no test of a grader needs to see it; not empty.
    reason: String,
}

/// Mutates the modules of some exercises and runs their graders; fails if a mutant
/// survives without a reason, or if a reason is given for one that does not.
pub fn check(root: &Path, exercises: &[&Exercise], jobs: u8) -> Result<()> {
    let text = files::read(&root.join(SURVIVORS))?;
    let Survivors { survivor: known } = toml::from_str(&text).context(SURVIVORS)?;
    let (mut modules, mut survived) = (Vec::new(), Vec::new());
    for exercise in exercises {
        modules.extend(mutated(exercise));
        let missed = missed(root, exercise, jobs)?;
        say(format_args!("{}: {} mutants survive", exercise.target, missed.len()))?;
        for mutant in &missed {
            if let Some(reason) = reason(&known, mutant) {
                say(format_args!("  {mutant}\n    because {reason}"))?;
            }
        }
        survived.extend(missed);
    }
    let wrong = compare(&known, &modules, &survived);
    ensure!(wrong.is_empty(), "{SURVIVORS} is not right:\n{}", wrong.join("\n"));
    Ok(())
}

/// The modules of an exercise that hold something to write, by their files.
fn mutated(exercise: &Exercise) -> impl Iterator<Item = String> {
    let modules = exercise.modules.iter().filter(|module| exercise.asks_for(module));
    modules.map(|module| format!("src/{module}"))
}

/// Why a mutant may survive. Blanks are no reason.
fn reason<'a>(known: &'a [Survivor], mutant: &str) -> Option<&'a str> {
    let of_mutant = known.iter().filter(|known| known.mutant == mutant);
    let mut reasons = of_mutant.map(|known| known.reason.trim());
    reasons.find(|reason| !reason.is_empty())
}

/// What is wrong with the reasons, a line each, after the mutants of `modules` were
/// tried. What is said of other modules is not judged.
fn compare(known: &[Survivor], modules: &[String], survived: &[String]) -> Vec<String> {
    let unexplained = survived.iter().filter(|mutant| reason(known, mutant).is_none());
    let unexplained = unexplained.map(|mutant| format!("no reason: {mutant}"));
    let of_modules = known.iter().map(|known| &known.mutant).filter(|mutant| {
        let module = mutant.split_once(':').map_or(mutant.as_str(), |parts| parts.0);
        modules.iter().any(|tried| tried == module)
    });
    let stale = of_modules.filter(|mutant| !survived.contains(mutant));
    let stale = stale.map(|mutant| format!("does not survive any more: {mutant}"));
    unexplained.chain(stale).collect()
}

/// The mutants of one exercise's modules that its grader does not see.
fn missed(root: &Path, exercise: &Exercise, jobs: u8) -> Result<Vec<String>> {
    let output = root.join("target/mutants").join(exercise.number);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["mutants", "--package", "mcp-from-scratch"]);
    for module in mutated(exercise) {
        cargo.arg("--file").arg(module);
    }
    let status = cargo
        .args(["--test-package", "exercises", "--features", "exercises/reference"])
        .args(["--jobs", &jobs.to_string(), "--colors", "never"])
        .arg("--output")
        .arg(&output)
        .args(["--", "--test", exercise.target])
        .status()
        .context("cannot start cargo")?;
    // 2: some were missed; 3: some ran into the time limit, which counts as seen.
    match status.code() {
        Some(0 | 2 | 3) => {}
        Some(101) => bail!("is cargo-mutants installed? {INSTALL}"),
        _ => bail!("cargo mutants: {status}"),
    }
    let missed = files::read(&output.join("mutants.out/missed.txt"))?;
    Ok(missed.lines().map(without_place).collect())
}

/// `src/frame.rs:12:5: replace …` without the numbers, which every edit above changes.
fn without_place(line: &str) -> String {
    match line.splitn(4, ':').collect::<Vec<_>>()[..] {
        [file, _, _, what] => format!("{file}:{what}"),
        _ => line.to_owned(),
    }
}
