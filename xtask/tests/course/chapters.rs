//! What a failing test tells the learner to read is there.

use super::{read, root};
use exercises::course::{EXERCISES, Exercise};
use std::fs;

/// The chapter of an exercise: the page of the same number.
fn chapter(exercise: &Exercise) -> String {
    let pages = fs::read_dir(root().join("book/src")).expect("the book");
    let mut names = pages.flatten().map(|page| page.file_name().into_string());
    let start = format!("{}-", exercise.number);
    let is_it = |name: &String| name.starts_with(&start) && name.ends_with(".md");
    let name = names.find_map(|name| name.ok().filter(is_it)).expect("a chapter");
    read(&format!("book/src/{name}"))
}

/// The sections of tasks that are no headings of a chapter.
fn missing(chapter: &str, sections: &[&str]) -> Vec<String> {
    let headings: Vec<_> = chapter
        .lines()
        .filter(|line| line.starts_with("##"))
        .map(|line| line.trim_start_matches('#').trim())
        .collect();
    let is_missing = |section: &&&str| !headings.contains(section);
    sections.iter().filter(is_missing).map(|section| section.to_string()).collect()
}

#[test]
fn every_section_that_a_task_names_is_in_its_chapter() {
    for exercise in EXERCISES {
        let sections: Vec<_> = exercise.tasks.iter().map(|task| task.section).collect();
        let missing = missing(&chapter(exercise), &sections);
        assert_eq!(Vec::<String>::new(), missing, "{}", exercise.number);
    }
}

#[test]
fn a_section_that_is_not_there_is_found() {
    let page = "# Title\n\n## One\n\n### Two\n\nThree\n";
    assert_eq!(["Three", "Four"], missing(page, &["One", "Three", "Two", "Four"])[..]);
}
