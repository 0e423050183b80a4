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

/// A solution, and what must come of judging it.
pub struct Solution {
    /// `stubs`, `up-to-1.2`, `fault-…`, `unusual-…`: also the name of its files.
    pub name: String,
    /// By module; the others are the course's own.
    pub changed: BTreeMap<String, String>,
    pub expected: Expected,
}

pub enum Expected {
    AllPass,
    AllFail,
    /// The tests of these tasks pass. Others may, or may not.
    Pass(BTreeSet<String>),
    /// These tests fail, and each says this.
    Fail(BTreeMap<String, String>),
}

impl Solution {
    pub fn kind(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }
}

/// A wrong solution, as `exercises/proof/NN/fault-….toml` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    /// What it does wrong.
    what: String,
    /// The case or the failure that it is drawn from.
    source: String,
    /// The tests that fail, and words from what each says.
    fails: BTreeMap<String, String>,
    edit: Vec<Edit>,
}

/// One change to a module of the course.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    module: String,
    /// Stands there exactly once.
    find: String,
    replace: String,
}

/// All solutions of one exercise: the course's own, the stubs, what lies between them,
/// and those kept in `exercises/proof`.
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
            expected: Expected::AllFail,
        },
    ];
    // Whoever works in the given order sees each task's tests pass when it is written.
    for written in 1..exercise.tasks.len() {
        let done = &exercise.tasks[..written];
        let prefix = |task: &Task| format!("t{}_", task.number.replace('.', "_"));
        all.push(Solution {
            name: format!("up-to-{}", exercise.tasks[written - 1].number),
            changed: stubs::of(exercise, written, &sources)?,
            expected: Expected::Pass(done.iter().map(prefix).collect()),
        });
    }
    let folder = root.join("exercises/proof").join(exercise.number);
    let mut unusual: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for file in files::below(&folder)? {
        let text = files::read(&folder.join(&file))?;
        if let Some(name) = file.strip_suffix(".toml") {
            let fault = fault(name, &text, &sources).with_context(|| {
                format!("exercises/proof/{}/{file}", exercise.number)
            })?;
            all.push(fault);
        } else if let Some((name, module)) = file.split_once('/') {
            unusual.entry(name.into()).or_default().insert(module.into(), text);
        }
    }
    all.extend(unusual.into_iter().map(|(name, changed)| Solution {
        name,
        changed,
        expected: Expected::AllPass,
    }));
    Ok(all)
}

fn fault(name: &str, text: &str, sources: &Path) -> Result<Solution> {
    let Fault { what, source, fails, edit } = toml::from_str(text)?;
    ensure!(!what.is_empty() && !source.is_empty(), "it does not say what and whence");
    ensure!(!fails.is_empty() && !edit.is_empty(), "it changes or fails nothing");
    let silent = fails.iter().find(|(_, words)| words.is_empty());
    ensure!(
        silent.is_none(),
        "{}: it names no words",
        silent.map_or("", |test| test.0)
    );
    let mut changed = BTreeMap::new();
    for Edit { module, find, replace } in edit {
        let text = match changed.remove(&module) {
            Some(text) => text,
            None => files::read(&sources.join(&module))?,
        };
        let found = text.matches(&find).count();
        ensure!(found == 1, "`{find}` stands {found} times in {module}");
        changed.insert(module, text.replace(&find, &replace));
    }
    Ok(Solution { name: name.into(), changed, expected: Expected::Fail(fails) })
}
