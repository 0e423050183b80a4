//! The learner's modules, made from the course's own: the same files, with nothing in
//! the functions that are to be written.

use crate::{files, say::say};
use anyhow::{Context, Result, bail, ensure};
use exercises::{
    course::{EXERCISES, Exercise, Task},
    standing::mark,
};
use std::{collections::BTreeMap, fs, path::Path};

#[cfg(test)]
mod tests;

/// A stub's functions do not use what they will use once they are written.
const WARNING_FREE: &str = "#![allow(unused)]";

/// The stubs of an exercise by module, with nothing written but its first `written`
/// tasks; `sources` is the course's `src/`.
pub fn of(
    exercise: &Exercise,
    written: usize,
    sources: &Path,
) -> Result<BTreeMap<String, String>> {
    let open = exercise.tasks.get(written..).unwrap_or_default();
    let stub_of = |module: &&str| {
        let text = files::read(&sources.join(module))?;
        let stub = stub(&text, open, module)
            .with_context(|| format!("cannot make a stub of {module}"))?;
        Ok(((*module).into(), stub))
    };
    exercise.modules.iter().map(stub_of).collect()
}

/// Writes the stubs into `exercises/src`; with `check` only says which are stale.
pub fn write(root: &Path, check: bool) -> Result<()> {
    let folder = root.join("exercises/src");
    let mut stubs = BTreeMap::new();
    for exercise in EXERCISES {
        stubs.extend(of(exercise, 0, &root.join("src"))?);
    }
    let mut stale = Vec::new();
    for (module, text) in &stubs {
        let path = folder.join(module);
        if fs::read_to_string(&path).is_ok_and(|there| there == *text) {
            continue;
        }
        stale.push(module.clone());
        if !check {
            files::write(&path, text)?;
        }
    }
    let there = files::below(&folder)?;
    if let Some(stray) = there.iter().find(|module| !stubs.contains_key(*module)) {
        bail!("exercises/src/{stray} belongs to no exercise");
    }
    ensure!(
        !check || stale.is_empty(),
        "stale in exercises/src: {}; `cargo xtask stubs` writes them anew",
        stale.join(", ")
    );
    match stale.len() {
        0 => say(format_args!("{} stubs are up to date", stubs.len())),
        changed => say(format_args!("{changed} of {} stubs written", stubs.len())),
    }
}

/// One file without marks.
pub fn unmarked(text: &str) -> String {
    let is_mark = |line: &&str| line.trim_start().starts_with("// ANCHOR");
    let lines = text.lines().filter(|line| !is_mark(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// One module without the solutions of the tasks `open`, and without marks.
fn stub(text: &str, open: &[Task], module: &str) -> Result<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for task in open {
        for (_, region) in task.regions.iter().filter(|(place, _)| *place == module) {
            strip(&mut lines, region, task)
                .with_context(|| format!("region `{region}`"))?;
        }
    }
    let head = lines.iter().take_while(|line| line.starts_with("//!")).count();
    lines.insert(head, String::new());
    lines.insert(head + 1, WARNING_FREE.into());
    Ok(unmarked(&lines.join("\n")))
}

/// Empties every function of a region. rustfmt closes a body with a brace that stands
/// as far in as its `fn`, so no parser is needed.
fn strip(lines: &mut Vec<String>, region: &str, task: &Task) -> Result<()> {
    let (start, mut end) = (
        place(lines, "ANCHOR", region, "begin")?,
        place(lines, "ANCHOR_END", region, "end")?,
    );
    ensure!(start < end, "it ends before it begins");
    let mut at = start;
    let mut emptied = 0;
    while at < end {
        if !is_function(&lines[at]) {
            at += 1;
            continue;
        }
        let indent = lines[at].len() - lines[at].trim_start().len();
        let opens = |line: &String| line.ends_with('{');
        let head = lines[at].trim_start().to_owned();
        let body = (at..end)
            .find(|at| opens(&lines[*at]))
            .with_context(|| format!("no body below `{head}`"))?;
        let brace = format!("{}}}", " ".repeat(indent));
        let close = (body..end)
            .find(|at| lines[*at] == brace)
            .with_context(|| format!("no end of `{head}`"))?;
        let is_mark = |line: &String| line.trim_start().starts_with("todo!(\"task ");
        let emptied_before = lines[body + 1..close].iter().any(is_mark);
        ensure!(!emptied_before, "another task has emptied `{head}`");
        let nothing = format!("{}{}", " ".repeat(indent + 4), mark(task));
        lines.splice(body + 1..close, [nothing]);
        end -= close - body - 1;
        end += 1;
        at = body + 2;
        emptied += 1;
    }
    ensure!(emptied > 0, "it holds no function");
    Ok(())
}

/// Where the mark stands that opens or closes a region; it stands there once.
fn place(lines: &[String], mark: &str, region: &str, does: &str) -> Result<usize> {
    let line = format!("// {mark}: {region}");
    let mut places = (0..lines.len()).filter(|at| lines[*at].trim_start() == line);
    let place = places.next().with_context(|| format!("it does not {does}"))?;
    ensure!(places.next().is_none(), "it {does}s twice");
    Ok(place)
}

/// Whether a line begins a function: `fn`, after whatever may stand before it.
fn is_function(line: &str) -> bool {
    const BEFORE: [&str; 6] = ["pub", "pub(super)", "pub(crate)", "const", "async", ""];
    line.split(' ').find(|word| !BEFORE.contains(word)) == Some("fn")
}
