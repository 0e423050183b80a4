//! The book's pictures: text under `book/pictures`, drawn with box characters, becomes
//! SVG under `book/src/pictures`, in the colour of the page around it.
//!
//! A source is a head of `name: value` lines, a line `---`, and the drawing:
//!
//! - `title`: what the picture shows; `description`: the same for those who do not
//!   see it
//! - `client: COLUMN ROW WIDTH HEIGHT` (or `server`, `header`): a rectangle of cells in
//!   that colour; there may be several

mod grid;
mod svg;

use crate::{files, say::say};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// A picture before it is drawn.
struct Source<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    areas: Vec<Area<'a>>,
    drawing: &'a str,
}

/// Cells that have a colour of their own.
struct Area<'a> {
    class: &'a str,
    column: usize,
    row: usize,
    width: usize,
    height: usize,
}

impl Area<'_> {
    fn holds(&self, column: usize, row: usize) -> bool {
        (self.column..self.column + self.width).contains(&column)
            && (self.row..self.row + self.height).contains(&row)
    }
}

/// Draws all pictures; with `check` only says which are stale.
pub fn draw(root: &Path, check: bool) -> Result<()> {
    let (from, to) = (root.join("book/pictures"), root.join("book/src/pictures"));
    let sources = files::below(&from)?;
    let mut stale = Vec::new();
    for file in &sources {
        let name = file.strip_suffix(".txt").context("a picture's source is a .txt")?;
        let text = files::read(&from.join(file))?;
        let source =
            parse(name, &text).with_context(|| format!("cannot read {file}"))?;
        let picture = svg::render(&source);
        let path = to.join(name).with_extension("svg");
        if std::fs::read_to_string(&path).is_ok_and(|there| there == picture) {
            continue;
        }
        stale.push(name);
        if !check {
            files::write(&path, &picture)?;
        }
    }
    for file in files::below(&to)? {
        let source = file.replace(".svg", ".txt");
        ensure!(sources.contains(&source), "book/src/pictures/{file} has no source");
    }
    ensure!(
        !check || stale.is_empty(),
        "stale in book/src/pictures: {}; `cargo xtask pictures` draws them anew",
        stale.join(", ")
    );
    match stale.len() {
        0 => say(format_args!("{} pictures are up to date", sources.len())),
        changed => say(format_args!("{changed} of {} pictures drawn", sources.len())),
    }
}

fn parse<'a>(name: &'a str, text: &'a str) -> Result<Source<'a>> {
    let (head, drawing) = text.split_once("\n---\n").context("no line `---`")?;
    let mut source =
        Source { name, title: "", description: "", areas: Vec::new(), drawing };
    for line in head.lines() {
        let (key, value) = line.split_once(": ").context("expected `name: value`")?;
        match key {
            "title" => source.title = value,
            "description" => source.description = value,
            class => source.areas.push(area(class, value)?),
        }
    }
    ensure!(!source.title.is_empty(), "no title");
    ensure!(!source.description.is_empty(), "no description");
    Ok(source)
}

fn area<'a>(class: &'a str, value: &str) -> Result<Area<'a>> {
    let numbers: Result<Vec<usize>, _> = value.split(' ').map(str::parse).collect();
    let numbers: [usize; 4] = numbers?
        .try_into()
        .ok()
        .with_context(|| format!("{class}: expected four numbers"))?;
    let [column, row, width, height] = numbers;
    Ok(Area { class, column, row, width, height })
}

#[cfg(test)]
mod tests;
