//! What is taken from a submission: the modules that an exercise asks for, as text.
//! Nothing else of it is read, and nothing of it is run where it lies.

use crate::{
    files,
    scan::{self, Finding},
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

/// No module of the course has a hundredth of it.
const LONGEST: u64 = 1 << 20;

pub struct Submission {
    /// What it is called in the report.
    pub name: String,
    root: PathBuf,
    /// Where its modules are, from `root`.
    sources: Option<&'static str>,
}

/// The modules of one exercise; or why they are not judged.
pub enum Handed {
    In { modules: BTreeMap<&'static str, String>, notes: Vec<String> },
    Missing(String),
    Refused(Vec<String>),
    NoRust(String),
}

impl Submission {
    /// A fork of the course keeps them in `exercises/src` (its `src` is the course's own
    /// library), a project of the learner's own in `src`.
    pub fn open(root: &Path) -> Self {
        let places = ["exercises/src", "src"];
        let sources = places.into_iter().find(|place| root.join(place).is_dir());
        let whole = fs::canonicalize(root).unwrap_or_else(|_| root.into());
        let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy();
        Self { name: name.into_owned(), root: root.into(), sources }
    }

    /// Reads the modules with a task; the others are given, and ours. `course` is the
    /// course's `src`.
    pub fn modules(&self, exercise: &Exercise, course: &Path) -> Result<Handed> {
        let Some(sources) = self.sources else {
            return Ok(Handed::Missing("no exercises/src and no src".into()));
        };
        let given = stubs::of(exercise, 0, course)?;
        let (mut modules, mut notes) = (BTreeMap::new(), Vec::new());
        for module in exercise.modules {
            let shown = format!("{sources}/{module}");
            let read = regular_file(&self.root, &shown);
            let ours = files::read(&course.join(module))?;
            if !exercise.asks_for(module) {
                let solved = stubs::unmarked(&ours);
                let known = [given.get(*module), Some(&solved)];
                if read.is_ok_and(|text| !known.contains(&Some(&text))) {
                    notes.push(format!("{shown} is given; the course's own was used"));
                }
                continue;
            }
            let text = match read {
                Ok(text) => text,
                Err(Unreadable::Missing) => {
                    return Ok(Handed::Missing(format!("{shown} is missing")));
                }
                Err(Unreadable::Refused(why)) => {
                    return Ok(Handed::Refused(vec![format!("{shown}: {why}")]));
                }
            };
            match outside(&text, &ours) {
                Ok(found) if found.is_empty() => {}
                Ok(found) => {
                    return Ok(Handed::Refused(told(&shown, &found)));
                }
                Err(Finding { line, what }) => {
                    return Ok(Handed::NoRust(format!("{shown}:{line}: {what}")));
                }
            }
            modules.insert(*module, text);
        }
        Ok(Handed::In { modules, notes })
    }
}

/// The first findings in a module, each in a short line, and how many more there are.
fn told(module: &str, found: &[Finding]) -> Vec<String> {
    let (most, longest) = (20, 200);
    let line = |at: &Finding| {
        let what: String = at.what.chars().take(longest).collect();
        format!("{module}:{}: {what}", at.line)
    };
    let mut lines = Vec::from_iter(found.iter().take(most).map(line));
    if found.len() > most {
        lines.push(format!("and {} more", found.len() - most));
    }
    lines
}

/// What a module says that it may not; what ours says as well, it may.
fn outside(text: &str, ours: &str) -> Result<Vec<Finding>, Finding> {
    let ours = scan::tokens_of(ours).map(|tokens| scan::findings(&tokens));
    let ours = ours.unwrap_or_default();
    let mut found = Vec::from_iter(scan::findings(&scan::tokens_of(text)?));
    found.retain(|finding| !ours.iter().any(|known| known.what == finding.what));
    Ok(found)
}

#[derive(Debug)]
enum Unreadable {
    Missing,
    Refused(&'static str),
}

/// The text of a file to which no link leads, from `root` on.
fn regular_file(root: &Path, path: &str) -> Result<String, Unreadable> {
    let mut place = root.to_owned();
    for part in path.split('/') {
        place.push(part);
        let data = fs::symlink_metadata(&place).map_err(|_| Unreadable::Missing)?;
        if data.is_symlink() {
            return Err(Unreadable::Refused("a link"));
        }
    }
    let data = fs::symlink_metadata(&place).map_err(|_| Unreadable::Missing)?;
    if !data.is_file() {
        return Err(Unreadable::Refused("no regular file"));
    }
    let file = File::open(&place).map_err(|_| Unreadable::Refused("not readable"))?;
    let mut bytes = Vec::new();
    let read = file.take(LONGEST + 1).read_to_end(&mut bytes);
    read.map_err(|_| Unreadable::Refused("not readable"))?;
    if bytes.len() as u64 > LONGEST {
        return Err(Unreadable::Refused("longer than 1 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| Unreadable::Refused("not UTF-8"))
}

#[cfg(test)]
#[test]
fn of_many_findings_the_first_ones_are_told() {
    let found = |line| Finding { line, what: "a".repeat(1000) };
    let lines = told("m.rs", &Vec::from_iter((1..=130_000).map(found)));
    assert_eq!(format!("m.rs:20: {}", "a".repeat(200)), lines[19]);
    assert_eq!(["and 129980 more"], lines[20..]);
    assert_eq!(1, told("m.rs", &[found(1)]).len());
}
