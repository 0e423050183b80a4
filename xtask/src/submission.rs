//! What is taken from a submission: the modules that an exercise asks for, as text.
//! Nothing else in it is read, and nothing in it is run where it lies.

use crate::{
    files,
    state::{Problem, State},
    stubs,
};
use anyhow::Result;
use exercises::course::Exercise;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// A hundred times as long as the course's longest module.
const LONGEST: u64 = 1 << 20;

/// Words that no solution needs. Code that contains one can deceive the tests.
const SUSPICIOUS: [&str; 14] = [
    "mcp_from_scratch",
    "unsafe",
    "extern",
    "no_mangle",
    "global_allocator",
    "#[path",
    "include!",
    "include_",
    "process::",
    "env::",
    "fs::",
    "net::",
    "stdout",
    "/proc",
];

pub struct Submission {
    /// What the report calls it.
    pub name: String,
    root: PathBuf,
    /// Where its modules are, from `root`.
    sources: Option<&'static str>,
}

/// The modules of one exercise, and remarks of one line each.
#[derive(Default)]
pub struct Modules {
    pub texts: BTreeMap<&'static str, String>,
    pub notes: Vec<String>,
}

impl Submission {
    /// A fork of the course has its modules in `exercises/src` (its `src` is the
    /// course's own library), a project that `start` made in `src`.
    pub fn open(root: &Path) -> Self {
        let places = ["exercises/src", "src"];
        let sources = places.into_iter().find(|place| root.join(place).is_dir());
        let whole = fs::canonicalize(root).unwrap_or_else(|_| root.into());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy();
        Self { name: name.into_owned(), root: root.into(), sources }
    }

    /// Reads the modules with a task. The others are given: the course's own are used.
    /// `course` is the course's `src`.
    pub fn modules(
        &self,
        exercise: &Exercise,
        course: &Path,
    ) -> Result<Result<Modules, Problem>> {
        let Some(sources) = self.sources else {
            let note = "neither exercises/src nor src exists";
            return Ok(Err(Problem::new(State::Missing, note)));
        };
        let given = stubs::of(exercise, 0, course)?;
        let mut modules = Modules::default();
        for module in exercise.modules {
            let shown = format!("{sources}/{module}");
            let ours = files::read(&course.join(module))?;
            match (regular_file(&self.root, &shown), exercise.asks_for(module)) {
                (Ok(text), true) => {
                    modules.notes.extend(suspicious(&shown, &text, &ours));
                    modules.texts.insert(module, text);
                }
                (Err(problem), true) => return Ok(Err(problem)),
                (Ok(text), false)
                    if given.get(*module) != Some(&text)
                        && stubs::unmarked(&ours) != text =>
                {
                    let note = "is not part of the exercise; the course's own was used";
                    modules.notes.push(format!("{shown} {note}"));
                }
                _ => {}
            }
        }
        Ok(Ok(modules))
    }
}

/// Where a module has a suspicious word that ours does not have; the first place of
/// each. Comments are skipped.
fn suspicious(shown: &str, text: &str, ours: &str) -> Vec<String> {
    let place = |word: &&str| {
        let mut lines = text.lines().enumerate();
        let is_code = |line: &str| !line.trim_start().starts_with("//");
        let (at, _) = lines.find(|(_, line)| is_code(line) && line.contains(*word))?;
        Some(format!("read {shown}:{}: it contains `{word}`", at + 1))
    };
    let words = SUSPICIOUS.iter().filter(|word| !ours.contains(**word));
    words.filter_map(place).collect()
}

/// The text of a file. No part of its path, from `root` on, may be a link.
fn regular_file(root: &Path, path: &str) -> Result<String, Problem> {
    let missing = |_| Problem::new(State::Missing, format!("{path} is missing"));
    let refused = |why| Problem::new(State::Refused, format!("{path}: {why}"));
    let unreadable = |_| refused("cannot be read");
    let mut place = root.to_owned();
    for part in path.split('/') {
        place.push(part);
        if fs::symlink_metadata(&place).map_err(missing)?.is_symlink() {
            return Err(refused("is a symbolic link"));
        }
    }
    if !fs::metadata(&place).map_err(missing)?.is_file() {
        return Err(refused("is not a regular file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(&place).map_err(unreadable)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST {
        return Err(refused("is longer than 1 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| refused("is not UTF-8"))
}
