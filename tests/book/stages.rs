//! The book's list of stages is the course's.

use crate::{
    pages::pages,
    source::read,
    targets::{rows, targets},
};

#[test]
fn the_start_pages_list_every_stage_in_order() {
    for page in ["book/src/start.md", "book/src/start.zh.md"] {
        assert_eq!(targets(&read("Cargo.toml")), rows(&read(page)), "{page}");
    }
}

#[test]
fn every_stage_has_a_chapter_of_its_name() {
    let pages = pages();
    let summary = read("book/src/SUMMARY.md");
    for stage in targets(&read("Cargo.toml")) {
        let path = format!("book/src/{stage}.md");
        assert!(pages.iter().any(|page| page.path == path), "no page {path}");
        assert!(summary.contains(&format!("({stage}.md)")), "{stage} in SUMMARY.md");
    }
}

/// Minutes to read and for the exercise, by stage, as the start page has them.
fn minutes() -> Vec<(String, Vec<String>)> {
    let page = read("book/src/start.md");
    let numbers = |row: &str| {
        let cells = row.split('|').filter_map(|cell| cell.trim().strip_suffix(" min"));
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let rows = page.lines().filter(|line| line.starts_with("| [`"));
    rows.map(|row| (row.split('`').nth(1).unwrap_or_default().into(), numbers(row)))
        .collect()
}

#[test]
fn every_page_gives_the_same_minutes() {
    let (chinese, teaching) =
        (read("book/src/start.zh.md"), read("book/src/teaching.md"));
    assert_eq!(targets(&read("Cargo.toml")).len(), minutes().len());
    for (stage, minutes) in minutes() {
        let chapter = read(&format!("book/src/{stage}.md"));
        let reading = &minutes[0];
        assert!(chapter.contains(&format!("*{reading} minutes to read, ")), "{stage}");
        let mut cells = format!("| {reading} | ");
        if let Some(exercise) = minutes.get(1) {
            let for_it = format!("{exercise} for the exercise.");
            assert!(chapter.contains(&for_it), "{stage}: {for_it}");
            cells += &format!("{exercise} | ");
        }
        let number =
            stage.trim_start_matches('0').split('-').next().unwrap_or_default();
        let rows =
            teaching.lines().filter(|line| line.starts_with(&format!("| {number} ")));
        assert!(rows.clone().any(|row| row.contains(&cells)), "{number}: {cells}");
        let here = chinese.lines().find(|line| line.contains(&format!("`{stage}`")));
        assert!(
            here.is_some_and(|row| row.contains(cells.trim_end())),
            "{stage}: {cells}"
        );
    }
}
