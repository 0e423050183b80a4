//! The book's pages, their blocks, and what they include.

use crate::source;
use std::{fs, path::Path};

/// One Markdown page, by its path from the repository's root.
pub struct Page {
    pub path: String,
    pub text: String,
}

/// A fenced block.
#[derive(Debug, PartialEq)]
pub struct Block<'a> {
    /// The word after the fence, such as `rust`.
    pub kind: &'a str,
    /// The number of the fence's line, from 1.
    pub line: usize,
    pub lines: Vec<&'a str>,
}

/// `{{#include PATH:REGION}}`.
#[derive(Debug, PartialEq)]
pub struct Include<'a> {
    pub line: usize,
    /// From the repository's root.
    pub path: String,
    /// All after the first colon.
    pub region: Option<&'a str>,
}

const BOOK: &str = "book/src";

/// All pages, sorted.
pub fn pages() -> Vec<Page> {
    let mut pages = Vec::new();
    let mut open = vec![BOOK.to_owned()];
    while let Some(folder) = open.pop() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder);
        for entry in fs::read_dir(path).expect("a folder of the book") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            let path = format!("{folder}/{name}");
            if entry.path().is_dir() {
                open.push(path);
            } else if name.ends_with(".md") {
                pages.push(Page { text: source::read(&path), path });
            }
        }
    }
    assert!(pages.len() > 2, "the book has pages");
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    pages
}

/// The fenced blocks of a page.
pub fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if open => open = false,
            Some(kind) => {
                open = true;
                blocks.push(Block { kind, line: number + 1, lines: Vec::new() });
            }
            None if open => blocks.last_mut().expect("it is open").lines.push(line),
            None => {}
        }
    }
    assert!(!open, "a block does not end");
    blocks
}

/// What a page includes, each by its path from the repository's root.
pub fn includes(page: &Page) -> Vec<Include<'_>> {
    let folder = Path::new(&page.path).parent().expect("a page is in the book");
    let lines = page.text.lines().enumerate();
    let found = lines.flat_map(|(number, line)| {
        let after = line.split("{{#").skip(1);
        after.map(move |text| {
            let (verb, rest) = text.split_once(' ').expect("a verb and its object");
            assert_eq!("include", verb, "{}:{}", page.path, number + 1);
            let (place, _) = rest.split_once("}}").expect("it ends on its line");
            let (path, region) = match place.trim().split_once(':') {
                Some((path, region)) => (path, Some(region)),
                None => (place.trim(), None),
            };
            let path = resolve(&folder.join(path));
            Include { line: number + 1, path, region }
        })
    });
    found.collect()
}

/// A path without `..`.
fn resolve(path: &Path) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.iter().map(|part| part.to_str().expect("UTF-8")) {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn blocks_and_includes_are_found() {
    let page = Page {
        path: "book/src/a/b.md".into(),
        text: "x\n```rust\n{{#include ../../../src/a.rs:one}}\n```\n```text\n\n```\n"
            .into(),
    };
    let rust = Block {
        kind: "rust",
        line: 2,
        lines: vec!["{{#include ../../../src/a.rs:one}}"],
    };
    let text = Block { kind: "text", line: 5, lines: vec![""] };
    assert_eq!([rust, text], blocks(&page.text)[..]);
    let include = Include { line: 3, path: "src/a.rs".into(), region: Some("one") };
    assert_eq!([include], includes(&page)[..]);
}
