//! The solutions, right and wrong, that prove the graders.

use crate::{files, stubs};
use anyhow::{Context, Result, ensure};
use exercises::course::{Exercise, Task};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// A solution, and the expected result of judging it.
pub struct Solution {
    /// `reference`, `stubs`, `up-to-1.2`, `fault NAME`, `unusual-NAME`.
    pub name: String,
    /// By module; the other modules are the course's.
    pub changed: BTreeMap<String, String>,
    pub expected: Expected,
}

pub enum Expected {
    AllPass,
    /// Every test fails, and each reports the stub that it reached.
    AllFail,
    /// The tests of these tasks pass. Others may or may not.
    Pass(BTreeSet<String>),
    /// Exactly these tests fail.
    Fail(BTreeSet<String>),
}

/// `exercises/proof/NN.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    fault: Vec<Fault>,
}

/// A wrong solution: the course's modules with a few changes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    name: String,
    /// What it does wrong.
    what: String,
    /// The tests that fail.
    fails: BTreeSet<String>,
    edit: Vec<Edit>,
}

/// One change to a module of the course.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    module: String,
    /// Occurs exactly once.
    find: String,
    replace: String,
}

/// All solutions of one exercise: the course's modules, the stubs, the steps between
/// them, the faults and the unusual solutions.
pub fn solutions(root: &Path, exercise: &Exercise) -> Result<Vec<Solution>> {
    let sources = root.join("src");
    let solution =
        |name: String, changed, expected| Solution { name, changed, expected };
    let stubs = |written| stubs::of(exercise, written, &sources);
    let mut all = vec![
        solution("reference".into(), BTreeMap::new(), Expected::AllPass),
        solution("stubs".into(), stubs(0)?, Expected::AllFail),
    ];
    // A learner who follows the order sees each task's tests pass once it is written.
    for written in 1..exercise.tasks.len() {
        let done = &exercise.tasks[..written];
        let passed = done.iter().map(prefix).collect();
        let name = format!("up-to-{}", exercise.tasks[written - 1].number);
        all.push(solution(name, stubs(written)?, Expected::Pass(passed)));
    }
    let proof = root.join("exercises/proof");
    let file = proof.join(format!("{}.toml", exercise.number));
    let Proof { fault } = toml::from_str(&files::read(&file)?)
        .with_context(|| file.display().to_string())?;
    for Fault { name, what, fails, edit } in fault {
        let fault = format!("fault {name}");
        ensure!(!what.is_empty() && !fails.is_empty(), "{fault} is not described");
        let changed = apply(edit, &sources).with_context(|| fault.clone())?;
        all.push(solution(fault, changed, Expected::Fail(fails)));
    }
    let folder = proof.join(exercise.number);
    let mut unusual: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for file in files::below(&folder)? {
        let text = files::read(&folder.join(&file))?;
        let (name, module) =
            file.split_once('/').context("a file outside a solution")?;
        unusual.entry(name.into()).or_default().insert(module.into(), text);
    }
    let unusual = unusual.into_iter();
    all.extend(unusual.map(|(name, text)| solution(name, text, Expected::AllPass)));
    Ok(all)
}

/// `t1_2::`, with which the names of a task's tests begin.
fn prefix(task: &Task) -> String {
    format!("t{}::", task.number.replace('.', "_"))
}

fn apply(edits: Vec<Edit>, sources: &Path) -> Result<BTreeMap<String, String>> {
    let mut changed = BTreeMap::new();
    for Edit { module, find, replace } in edits {
        let text = match changed.remove(&module) {
            Some(text) => text,
            None => files::read(&sources.join(&module))?,
        };
        let found = text.matches(&find).count();
        ensure!(found == 1, "`{find}` occurs {found} times in {module}, expected 1");
        changed.insert(module, text.replace(&find, &replace));
    }
    Ok(changed)
}
