//! The stages: binary targets, folders and the table in the README are one list.

use crate::source::read;
use std::{fs, path::Path};

/// The names of `[[bin]]` targets whose path is their chapter's main.
pub fn targets(cargo_toml: &str) -> Vec<String> {
    let sections = cargo_toml.split("\n[").filter(|s| s.starts_with("[bin]]"));
    let value = |section: &str, key: &str| {
        let start = format!("{key} = \"");
        let line = section.lines().find_map(|line| line.strip_prefix(&start))?;
        Some(line.trim_end_matches('"').to_owned())
    };
    let mut names = Vec::new();
    for section in sections {
        let name = value(section, "name").expect("a target has a name");
        let path = value(section, "path").expect("a target has a path");
        assert_eq!(format!("chapters/{name}/main.rs"), path);
        names.push(name);
    }
    names
}

/// The stage that each row of a table names first: `NN-name` in backticks.
pub fn rows(readme: &str) -> Vec<String> {
    let is_stage = |word: &&str| {
        let number = word.split('-').next().unwrap_or_default();
        number.len() == 2
            && number.bytes().all(|b| b.is_ascii_digit())
            && word.len() > 3
    };
    let row = |line: &str| {
        let first = line.split('|').nth(1)?;
        first.split('`').skip(1).step_by(2).find(is_stage).map(str::to_owned)
    };
    readme.lines().filter(|line| line.starts_with('|')).filter_map(row).collect()
}

fn folders() -> Vec<String> {
    let chapters = Path::new(env!("CARGO_MANIFEST_DIR")).join("chapters");
    let entries =
        fs::read_dir(chapters).expect("chapters").map(|e| e.expect("an entry"));
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<_> =
        folders.map(|entry| entry.file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn every_folder_of_a_chapter_is_a_binary_in_its_order() {
    assert_eq!(folders(), targets(&read("Cargo.toml")));
}

#[test]
fn both_readmes_list_every_stage() {
    for readme in ["README.md", "README.zh-CN.md"] {
        assert_eq!(folders(), rows(&read(readme)), "{readme}");
    }
}

#[test]
fn targets_are_read_from_the_manifest() {
    let manifest = "[package]\nname = \"p\"\n\n[[bin]]\nname = \"01-a\"\npath = \"chapters/01-a/main.rs\"\n\n[[bin]]\nname = \"02-b\"\npath = \"chapters/02-b/main.rs\"\n\n[[bench]]\nname = \"c\"\n";
    assert_eq!(["01-a", "02-b"], targets(manifest)[..]);
}

#[test]
fn stages_are_read_from_the_rows_of_a_table() {
    let readme = "`00-no-row`\n| stage | adds |\n| --- | --- |\n| `01-a` | like `03-c` |\n| [`02-b`](x) | `--flag` |\n| `word` | |\n";
    assert_eq!(["01-a", "02-b"], rows(readme)[..]);
}
