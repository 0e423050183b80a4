//! What is taken from a submission: the modules that an exercise asks for, as text.
//! Nothing else in it is read, and nothing in it is run where it lies.

use crate::{files, state::Problem};
use anyhow::Result;
use exercises::course::Exercise;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    path::Path,
};

/// A hundred times as long as the course's longest module.
const LONGEST: u64 = 1 << 20;

/// Words that no solution needs. Code that contains one can deceive the tests.
const SUSPICIOUS: &str = "mcp_from_scratch unsafe extern no_mangle global_allocator \
    #[path include! include_ process:: env:: fs:: net:: stdout /proc";

/// The modules of one exercise, and remarks of one line each.
#[derive(Default)]
pub struct Modules {
    pub texts: BTreeMap<&'static str, String>,
    pub notes: Vec<String>,
}

/// Reads the modules with a task from the submission at `root`. The others are given:
/// the course's own are used. `course` is the course's `src`.
pub fn modules(
    root: &Path,
    exercise: &Exercise,
    course: &Path,
) -> Result<Result<Modules, Problem>> {
    // A fork of the course has them in `exercises/src` (its `src` is the course's own
    // library), a project that `start` made in `src`.
    let places = ["exercises/src", "src"];
    let Some(sources) = places.iter().find(|place| root.join(place).is_dir()) else {
        return Ok(Err(Problem::new(
            "missing",
            "neither exercises/src nor src exists",
        )));
    };
    let mut modules = Modules::default();
    for module in exercise.modules.iter().filter(|module| exercise.asks_for(module)) {
        let shown = format!("{sources}/{module}");
        let text = match regular_file(root, &shown) {
            Ok(text) => text,
            Err(problem) => return Ok(Err(problem)),
        };
        let ours = files::read(&course.join(module))?;
        modules.notes.extend(suspicious(&shown, &text, &ours));
        modules.texts.insert(module, text);
    }
    Ok(Ok(modules))
}

/// Where a module has a suspicious word that ours does not have; the first place of
/// each. Comments are skipped.
fn suspicious(shown: &str, text: &str, ours: &str) -> Vec<String> {
    let place = |word: &str| {
        let mut lines = text.lines().enumerate();
        let is_code = |line: &str| !line.trim_start().starts_with("//");
        let (at, _) = lines.find(|(_, line)| is_code(line) && line.contains(word))?;
        Some(format!("read {shown}:{}: it contains `{word}`", at + 1))
    };
    let words = SUSPICIOUS.split(' ').filter(|word| !ours.contains(word));
    words.filter_map(place).collect()
}

/// The text of a file. No part of its path, from `root` on, may be a link.
fn regular_file(root: &Path, path: &str) -> Result<String, Problem> {
    let missing = |_| Problem::new("missing", format!("{path} is missing"));
    let refused = |why| Problem::new("refused", format!("{path}: {why}"));
    let unreadable = |_| refused("cannot be read");
    let place = root.join(path);
    let real = fs::canonicalize(&place).map_err(missing)?;
    if fs::canonicalize(root).map_err(missing)?.join(path) != real {
        return Err(refused("is behind a symbolic link"));
    }
    if !real.is_file() {
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
