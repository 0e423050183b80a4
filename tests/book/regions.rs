//! `ANCHOR` marks in the sources: which regions there are.

use crate::source::{File, files_below};
use std::collections::BTreeMap;

/// Where regions may stand.
const FOLDERS: [&str; 4] = ["src", "chapters", "tests", "examples"];

/// The lines of each region of a file, without marks. Error: what is wrong with a mark.
pub fn regions(text: &str) -> Result<BTreeMap<&str, Vec<&str>>, String> {
    let mut regions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = |what: &str| Err(format!("line {}: {what}", number + 1));
        let comment = line.trim_start();
        if let Some(name) = comment.strip_prefix("// ANCHOR: ") {
            if regions.insert(name, Vec::new()).is_some() {
                return wrong("a second region of this name");
            }
            open.push(name);
        } else if let Some(name) = comment.strip_prefix("// ANCHOR_END: ") {
            let Some(place) = open.iter().position(|open| *open == name) else {
                return wrong("a region ends that has not begun");
            };
            open.remove(place);
        } else if comment.contains("ANCHOR") && comment.starts_with("//") {
            return wrong("a mark that mdBook would not read");
        } else {
            for name in &open {
                regions.entry(name).or_default().push(line);
            }
        }
    }
    match open.first() {
        Some(name) => Err(format!("the region `{name}` does not end")),
        None => Ok(regions),
    }
}

/// All sources that may hold regions.
pub fn sources() -> Vec<File> {
    let there = |folder: &&&str| {
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).exists()
    };
    let mut files: Vec<File> =
        FOLDERS.iter().filter(there).flat_map(|folder| files_below(folder)).collect();
    // These talk about marks.
    files.retain(|file| !file.path.starts_with("tests/book/"));
    files
}

#[test]
fn every_region_ends_holds_something_and_has_a_name() {
    for file in sources() {
        let regions =
            regions(&file.text).unwrap_or_else(|e| panic!("{}: {e}", file.path));
        for (name, lines) in regions {
            let empty = lines.iter().all(|line| line.trim().is_empty());
            assert!(!empty, "{}: the region `{name}` is empty", file.path);
        }
    }
}

#[test]
fn a_bad_mark_is_found() {
    for (what, text) in [
        ("does not end", "// ANCHOR: a\nx\n"),
        ("has not begun", "x\n// ANCHOR_END: a\n"),
        ("second region", "// ANCHOR: a\nx\n// ANCHOR_END: a\n// ANCHOR: a\n"),
        ("would not read", "//ANCHOR: a\n"),
        ("would not read", "// ANCHOR : a\n"),
    ] {
        let error = regions(text).expect_err(what);
        assert!(error.contains(what), "{text:?}: {error}");
    }
    let nested =
        "// ANCHOR: a\n1\n    // ANCHOR: b\n2\n// ANCHOR_END: a\n3\n// ANCHOR_END: b\n";
    let expected = BTreeMap::from([("a", vec!["1", "2"]), ("b", vec!["2", "3"])]);
    assert_eq!(Ok(expected), regions(nested));
}
