//! Whether what a page includes is there. mdBook leaves a missing anchor's place empty
//! and says nothing.

use crate::files;
use anyhow::Result;
use std::path::Path;

const OPENING: &str = "{{#include ";

/// All includes under the folder of pages that lead nowhere, a line each.
pub fn check(pages: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for name in files::below(pages)? {
        if !name.ends_with(".md") {
            continue;
        }
        let page = pages.join(&name);
        let folder = page.parent().unwrap_or(pages);
        for target in includes(&files::read(&page)?) {
            if let Some(why) = problem(folder, target) {
                problems.push(format!("{name}: `{target}` {why}"));
            }
        }
    }
    Ok(problems)
}

/// What a page includes, in order; a backslash before it makes it text.
fn includes(text: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(OPENING) {
        let is_text = rest[..at].ends_with('\\');
        rest = &rest[at + OPENING.len()..];
        let end = rest.find("}}").unwrap_or(rest.len());
        if !is_text {
            targets.push(rest[..end].trim());
        }
    }
    targets
}

fn problem(folder: &Path, target: &str) -> Option<String> {
    let (path, part) = match target.split_once(':') {
        Some((path, part)) => (path, Some(part)),
        None => (target, None),
    };
    let Ok(text) = std::fs::read_to_string(folder.join(path)) else {
        return Some("is no file".into());
    };
    let part = part?;
    if part.starts_with(|c: char| c == ':' || c.is_ascii_digit()) {
        return out_of_range(part, text.lines().count());
    }
    for mark in ["ANCHOR", "ANCHOR_END"] {
        let mark = format!("{mark}: {part}");
        if !text.lines().any(|line| line.trim_end().ends_with(&mark)) {
            return Some(format!("has no `{mark}`"));
        }
    }
    None
}

/// `3`, `3:9`, `3:` or `:9`.
fn out_of_range(part: &str, lines: usize) -> Option<String> {
    let numbers = part.split(':').filter(|number| !number.is_empty());
    let is_beyond = |number: &str| number.parse().is_ok_and(|line: usize| line > lines);
    let beyond = numbers.into_iter().any(is_beyond);
    beyond.then(|| format!("goes beyond line {lines}, the last"))
}
