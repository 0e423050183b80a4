//! The learner's modules, made from the course's own: the same files, without the bodies
//! of the functions to write.

use crate::{files, say::say};
use anyhow::{Context, Result, ensure};
use exercises::{
    course::{EXERCISES, Exercise, Task},
    standing::mark,
};
use std::{collections::BTreeMap, fs, path::Path};

#[cfg(test)]
mod tests;

/// A stub's functions do not use what the written ones will use.
const WARNING_FREE: &str = "#![allow(unused)]";

/// The stubs of an exercise by module, in which the first `written` tasks are solved;
/// `sources` is the course's `src/`.
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

/// Writes the stubs into `exercises/src`; with `check` fails if one is stale.
pub fn write(root: &Path, check: bool) -> Result<()> {
    let folder = root.join("exercises/src");
    let mut stubs = BTreeMap::new();
    for exercise in EXERCISES {
        stubs.extend(of(exercise, 0, &root.join("src"))?);
    }
    let mut stale = Vec::new();
    for (module, text) in &stubs {
        let path = folder.join(module);
        if fs::read_to_string(&path).is_ok_and(|kept| kept == *text) {
            continue;
        }
        stale.push(module.clone());
        if !check {
            files::write(&path, text)?;
        }
    }
    for module in files::below(&folder)? {
        ensure!(stubs.contains_key(&module), "no exercise has exercises/src/{module}");
    }
    ensure!(
        !check || stale.is_empty(),
        "stale in exercises/src: {}; `cargo xtask stubs` rewrites them",
        stale.join(", ")
    );
    match stale.len() {
        0 => say(format_args!("{} stubs are up to date", stubs.len())),
        changed => say(format_args!("{changed} of {} stubs written", stubs.len())),
    }
}

/// A file without the marks of its regions.
pub fn unmarked(text: &str) -> String {
    let is_mark = |line: &&str| line.trim_start().starts_with("// ANCHOR");
    let lines = text.lines().filter(|line| !is_mark(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// A module without the solutions of the tasks `open`, and without marks.
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

/// Empties every function of a region. rustfmt indents the closing brace of a body like
/// its `fn`, so no parser is needed.
fn strip(lines: &mut Vec<String>, region: &str, task: &Task) -> Result<()> {
    let mut at = place(lines, &format!("// ANCHOR: {region}"))?;
    let mut end = place(lines, &format!("// ANCHOR_END: {region}"))?;
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
            .with_context(|| format!("no body of `{head}`"))?;
        let brace = format!("{}}}", " ".repeat(indent));
        let close = (body..end)
            .find(|at| lines[*at] == brace)
            .with_context(|| format!("no end of `{head}`"))?;
        let is_mark = |line: &String| line.trim_start().starts_with("todo!(\"task ");
        let emptied_before = lines[body + 1..close].iter().any(is_mark);
        ensure!(!emptied_before, "another task has emptied `{head}`");
        let todo = format!("{}{}", " ".repeat(indent + 4), mark(task));
        lines.splice(body + 1..close, [todo]);
        end = end + body + 2 - close;
        at = body + 2;
        emptied += 1;
    }
    ensure!(emptied > 0, "no function in it");
    Ok(())
}

/// The position of a mark that occurs exactly once.
fn place(lines: &[String], mark: &str) -> Result<usize> {
    let mut places = (0..lines.len()).filter(|at| lines[*at].trim_start() == mark);
    let place = places.next().with_context(|| format!("no `{mark}`"))?;
    ensure!(places.next().is_none(), "more than one `{mark}`");
    Ok(place)
}

/// Whether a line begins a function: `fn`, with or without qualifiers.
fn is_function(line: &str) -> bool {
    const QUALIFIERS: [&str; 6] =
        ["pub", "pub(super)", "pub(crate)", "const", "async", ""];
    line.split(' ').find(|word| !QUALIFIERS.contains(word)) == Some("fn")
}
