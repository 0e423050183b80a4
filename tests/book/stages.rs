//! The book's list of stages is the course's.

use crate::{pages::pages, source::read};

fn targets() -> Vec<String> {
    let manifest = read("Cargo.toml");
    let bins = manifest.split("\n[").filter(|section| section.starts_with("[bin]]"));
    let name = |bin: &str| {
        let line = bin.lines().find_map(|line| line.strip_prefix("name = \""))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    bins.filter_map(name).collect()
}

/// The stage that each row of a page's tables names first.
fn rows(page: &str) -> Vec<String> {
    let row = |line: &str| {
        let first = line.strip_prefix('|')?.split('|').next()?;
        let name = first.split('`').nth(1)?;
        let number = name.split('-').next()?;
        let is_stage = number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit());
        is_stage.then(|| name.to_owned())
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn the_start_pages_list_every_stage_in_order() {
    for page in ["book/src/start.md", "book/src/start.zh.md"] {
        assert_eq!(targets(), rows(&read(page)), "{page}");
    }
}

#[test]
fn every_stage_has_a_chapter_of_its_name() {
    let pages = pages();
    let summary = read("book/src/SUMMARY.md");
    for stage in targets() {
        let path = format!("book/src/{stage}.md");
        assert!(pages.iter().any(|page| page.path == path), "no page {path}");
        assert!(summary.contains(&format!("({stage}.md)")), "{stage} in SUMMARY.md");
    }
}
