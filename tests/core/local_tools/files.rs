//! The two file tools and what else may lie in their directory.

use super::{House, text};
use mcp_from_scratch::tool::ToolResult;
use std::fs;

#[test]
fn a_note_is_written_replaced_and_deleted() {
    let house = House::new();
    assert_eq!(ToolResult::text("wrote a.md (6 bytes)"), house.write("a.md", "你好"));
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md: 你好"], house.tree()[..]);
    assert_eq!(ToolResult::text("wrote a.md (1 bytes)"), house.write("a.md", "x"));
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md: x"], house.tree()[..]);
    assert_eq!(ToolResult::text("deleted a.md"), house.delete("a.md"));
    assert_eq!(["diary.md: mine", "notes/"], house.tree()[..]);
}

#[test]
fn the_directory_is_made_for_the_first_note_and_not_before() {
    let house = House::new();
    fs::remove_dir(house.notes()).expect("empty");
    house.assert_failed("cannot delete a.md: entity not found", &house.delete("a.md"));
    assert!(!house.notes().exists());
    assert_eq!(ToolResult::text("wrote a.md (1 bytes)"), house.write("a.md", "x"));
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md: x"], house.tree()[..]);
}

#[test]
fn unusual_plain_names_are_names() {
    for name in ["a b.md", "笔记.md", "~", "%2e%2e", "a..b", "-rf", "name."] {
        let house = House::new();
        assert!(!house.write(name, "x").is_error, "{name}");
        let line = format!("notes/{name}: x");
        assert_eq!(["diary.md: mine", "notes/", &line], house.tree()[..]);
        assert!(!house.delete(name).is_error, "{name}");
    }
}

/// A program that has the old file open, or a link to it, keeps the old note whole.
#[test]
fn a_note_is_replaced_and_not_written_over() {
    let house = House::new();
    house.write("a.md", "old");
    let linked = house.root.path().join("linked");
    fs::hard_link(house.notes().join("a.md"), &linked).expect("a link");
    house.write("a.md", "new");
    assert_eq!("old", fs::read_to_string(linked).expect("a file"));
    assert_eq!("new", fs::read_to_string(house.notes().join("a.md")).expect("a file"));
}

#[test]
fn a_note_that_cannot_be_replaced_stays_whole_and_leaves_nothing_beside() {
    let house = House::new();
    fs::create_dir(house.notes().join("a.md")).expect("a directory");
    let outcome = house.write("a.md", "x");
    house.assert_failed("cannot write a.md: is a directory", &outcome);
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md/"], house.tree()[..]);
    let outcome = house.delete("a.md");
    house.assert_failed("cannot delete a.md: is a directory", &outcome);
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md/"], house.tree()[..]);
}

#[test]
fn an_old_half_written_note_is_replaced() {
    let house = House::new();
    fs::write(house.notes().join(".a.md.new"), "half").expect("a file");
    assert!(!house.write("a.md", "whole").is_error);
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md: whole"], house.tree()[..]);
}

#[test]
fn an_obstacle_beside_a_note_leaves_the_note_as_it_is() {
    let house = House::new();
    house.write("a.md", "old");
    fs::create_dir(house.notes().join(".a.md.new")).expect("a directory");
    assert!(house.write("a.md", "new").is_error);
    let tree = ["diary.md: mine", "notes/", "notes/.a.md.new/", "notes/a.md: old"];
    assert_eq!(tree, house.tree()[..]);
}

#[test]
fn a_directory_that_is_a_file_is_a_failure_without_a_path() {
    let house = House::new();
    fs::remove_dir(house.notes()).expect("empty");
    fs::write(house.notes(), "in the way").expect("a file");
    for outcome in [house.write("a.md", "x"), house.delete("a.md")] {
        let said = text(&outcome).to_owned();
        house.assert_failed(&said, &outcome);
        assert!(!said.contains("notes"), "{said}");
    }
    assert_eq!(["diary.md: mine", "notes: in the way"], house.tree()[..]);
}

#[cfg(unix)]
#[test]
fn a_link_beside_a_note_is_not_written_through() {
    let house = House::new();
    let beside = house.notes().join(".a.md.new");
    std::os::unix::fs::symlink("../diary.md", beside).expect("a link");
    assert!(!house.write("a.md", "x").is_error);
    assert_eq!(["diary.md: mine", "notes/", "notes/a.md: x"], house.tree()[..]);
}

#[test]
fn a_name_that_the_system_finds_too_long_is_a_failure() {
    let house = House::new();
    let long = "x".repeat(300);
    assert!(house.write(&long, "x").is_error);
    assert!(house.delete(&long).is_error);
    assert_eq!(["diary.md: mine", "notes/"], house.tree()[..]);
}

/// Spellings beside those of case S04: devices, streams, hidden files, what prints as
/// something that it is not.
#[test]
fn a_name_that_is_not_a_plain_file_name_touches_nothing() {
    let house = House::new();
    let before = house.tree();
    for name in [
        "a.md/",
        "/",
        "\\",
        "\\\\server\\share",
        "a.md:stream",
        "~/diary.md",
        "...",
        ".hidden",
        "\0",
        "a\n.md",
        "a\u{85}.md",
        "a\u{1b}[2J.md",
        "exe\u{202e}dm.md",
        "a\u{200b}.md",
        "\u{feff}a.md",
        "a\u{e0061}.md",
    ] {
        let expected = "argument `name` must be a plain file name, without a path";
        house.assert_failed(expected, &house.write(name, "x"));
        house.assert_failed(expected, &house.delete(name));
        assert_eq!(before, house.tree(), "{name:?}");
    }
}
