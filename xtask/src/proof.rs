//! The solutions, right and wrong, that the graders are proven with.

use crate::{files, stubs};
use anyhow::{Context, Result, ensure};
use exercises::course::{Exercise, Task};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

#[cfg(test)]
mod tests;

/// A solution, and the result that judging it must have.
pub struct Solution {
    /// `reference`, `stubs`, `up-to-1.2`, `fault-…` or `unusual-…`.
    pub name: String,
    /// Texts by module; the other modules are the course's own.
    pub changed: BTreeMap<String, String>,
    pub expected: Expected,
}

pub enum Expected {
    AllPass,
    /// All tests fail, and each names the task to write.
    AllUnwritten,
    /// The tests of these tasks pass. Others may pass or fail.
    Pass(Vec<String>),
    /// These tests fail, and no others.
    Fail(BTreeSet<String>),
}

/// `exercises/proof/NN.toml`
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    fault: Vec<Fault>,
}

/// A wrong solution.
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
    /// Occurs exactly once in the module.
    find: String,
    replace: String,
}

/// How the names of a task's tests begin: `t1_2`.
pub fn prefix(task: &Task) -> String {
    format!("t{}", task.number.replace('.', "_"))
}

/// All solutions of one exercise: the course's own, the stubs, one for each task in
/// between, and those in `exercises/proof`.
pub fn solutions(root: &Path, exercise: &Exercise) -> Result<Vec<Solution>> {
    let sources = root.join("src");
    let mut all = vec![
        Solution {
            name: "reference".into(),
            changed: BTreeMap::new(),
            expected: Expected::AllPass,
        },
        Solution {
            name: "stubs".into(),
            changed: stubs::of(exercise, 0, &sources)?,
            expected: Expected::AllUnwritten,
        },
    ];
    // A learner who works in the given order sees each task's tests pass at once.
    for written in 1..exercise.tasks.len() {
        let done = &exercise.tasks[..written];
        all.push(Solution {
            name: format!("up-to-{}", exercise.tasks[written - 1].number),
            changed: stubs::of(exercise, written, &sources)?,
            expected: Expected::Pass(done.iter().map(prefix).collect()),
        });
    }
    let folder = root.join("exercises/proof").join(exercise.number);
    let file = folder.with_extension("toml");
    all.extend(
        faults(&files::read(&file)?, &sources)
            .with_context(|| format!("in {}", file.display()))?,
    );
    let mut unusual: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for file in files::below(&folder)? {
        let (name, module) = file.split_once('/').context("a file outside a folder")?;
        let text = files::read(&folder.join(&file))?;
        unusual.entry(name.into()).or_default().insert(module.into(), text);
    }
    all.extend(unusual.into_iter().map(|(name, changed)| Solution {
        name,
        changed,
        expected: Expected::AllPass,
    }));
    Ok(all)
}

fn faults(text: &str, sources: &Path) -> Result<Vec<Solution>> {
    let Faults { fault } = toml::from_str(text)?;
    let solution = |fault: Fault| {
        let name = format!("fault-{}", fault.name);
        let changed = changed(&fault, sources).context(name.clone())?;
        Ok(Solution { name, changed, expected: Expected::Fail(fault.fails) })
    };
    fault.into_iter().map(solution).collect()
}

/// The modules that a fault changes.
fn changed(fault: &Fault, sources: &Path) -> Result<BTreeMap<String, String>> {
    ensure!(!fault.what.is_empty(), "`what` is empty");
    ensure!(!fault.fails.is_empty() && !fault.edit.is_empty(), "it fails no test");
    let mut changed = BTreeMap::new();
    for Edit { module, find, replace } in &fault.edit {
        let text = match changed.remove(module) {
            Some(text) => text,
            None => files::read(&sources.join(module))?,
        };
        let found = text.matches(find).count();
        ensure!(found == 1, "`{find}` occurs {found} times in {module}");
        changed.insert(module.clone(), text.replace(find, replace));
    }
    Ok(changed)
}
