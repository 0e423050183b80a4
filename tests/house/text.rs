//! Every file is small enough to be read, and fits the book's page.

use crate::source::{File, files_below};

/// In lines.
const LONGEST_FILE: usize = 300;
/// In characters: the book's column. rustfmt leaves long literals and comments.
const WIDEST_LINE: usize = 88;
/// Where listings come from. Elsewhere a literal frame may be as long as it is.
const LISTED: [&str; 2] = ["src/", "chapters/"];

/// What is too big, with its place.
fn too_big(file: &File) -> Vec<String> {
    let File { path, text } = file;
    let mut found = Vec::new();
    let count = text.lines().count();
    if count > LONGEST_FILE {
        found.push(format!("{path}: {count} lines, at most {LONGEST_FILE}"));
    }
    if LISTED.iter().any(|folder| path.starts_with(folder)) {
        for (line, width) in (1..).zip(text.lines().map(|l| l.chars().count())) {
            if width > WIDEST_LINE {
                found.push(format!("{path}:{line}: {width} characters"));
            }
        }
    }
    found
}

#[test]
fn every_rust_file_is_short_and_every_listed_line_narrow() {
    let found: Vec<_> = files_below("").iter().flat_map(too_big).collect();
    assert!(found.is_empty(), "too big:\n{}", found.join("\n"));
}

#[test]
fn a_long_file_and_a_wide_line_are_found() {
    let file = |text: String| File { path: "src/a.rs".into(), text };
    let wide = too_big(&file(format!("a\n{}", "é".repeat(89))));
    assert_eq!(["src/a.rs:2: 89 characters"], wide[..]);
    let long = too_big(&file("a\n".repeat(301)));
    assert_eq!(["src/a.rs: 301 lines, at most 300"], long[..]);
    let fine = format!("{}\n", "服".repeat(88)).repeat(300);
    assert_eq!(Vec::<String>::new(), too_big(&file(fine)));
}
