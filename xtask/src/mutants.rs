//! Which changes of the course's modules the graders do not see: cargo-mutants makes
//! the changes, and every one that survives needs a reason.

use crate::files;
use anyhow::{Context, Result, bail, ensure};
use exercises::course::Exercise;
use serde::Deserialize;
use std::{collections::BTreeMap, path::Path, process::Command};

/// Kept in `exercises/proof/survivors.toml`.
const SURVIVORS: &str = "exercises/proof/survivors.toml";

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
    /// Why no test of a grader needs to see it.
    reason: String,
}

/// Mutates the modules of some exercises and runs their graders; fails if a mutant
/// survives without a reason.
pub fn check(root: &Path, exercises: &[&Exercise], jobs: u8) -> Result<()> {
    let text = files::read(&root.join(SURVIVORS))?;
    let Survivors { survivor } = toml::from_str(&text).context(SURVIVORS)?;
    let known: BTreeMap<_, _> =
        survivor.into_iter().map(|known| (known.mutant, known.reason)).collect();
    let mut unexplained = Vec::new();
    for exercise in exercises {
        let missed = missed(root, exercise, jobs)?;
        println!("{}: {} mutants survive", exercise.target, missed.len());
        for mutant in missed {
            match known.get(&mutant) {
                Some(reason) => println!("  {mutant}\n    because {reason}"),
                None => unexplained.push(mutant),
            }
        }
    }
    ensure!(
        unexplained.is_empty(),
        "these survive without a reason in {SURVIVORS}:\n{}",
        unexplained.join("\n")
    );
    Ok(())
}

/// The mutants of one exercise's modules that its grader does not see.
fn missed(root: &Path, exercise: &Exercise, jobs: u8) -> Result<Vec<String>> {
    let output = root.join("target/mutants").join(exercise.number);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["mutants", "--package", "mcp-from-scratch"]);
    for module in exercise.modules.iter().filter(|module| exercise.asks_for(module)) {
        cargo.arg("--file").arg(format!("src/{module}"));
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
        Some(101) => bail!("is cargo-mutants installed? `cargo install cargo-mutants`"),
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
