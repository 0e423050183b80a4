//! The index of names is the library's.

use crate::source::read;
use std::collections::BTreeSet;

/// Public modules, in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let lib = read("src/lib.rs");
    let name =
        |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.into());
    lib.lines().filter_map(name).collect()
}

/// What a module makes public: its own items, and those that it passes on.
fn public(module: &str) -> BTreeSet<String> {
    let text = read(&format!("src/{module}.rs"));
    let mut names = BTreeSet::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("pub ")) {
        let line = line.strip_prefix("async ").unwrap_or(line);
        let (kind, rest) = line.split_once(' ').expect("a kind and a name");
        if kind == "use" {
            let (_, list) = rest.rsplit_once("::").expect("a path");
            let list = list.trim_matches(['{', '}', ';']);
            names
                .extend(list.split(", ").map(|name| name.trim_matches('}').to_owned()));
        } else {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            names.insert(rest[..end.unwrap_or(rest.len())].to_owned());
        }
    }
    names
}

/// Each row's module and names.
fn rows(page: &str) -> Vec<(String, BTreeSet<String>)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.strip_prefix("| [")?.split(" | ").collect();
        let [_, module, names] = cells[..] else { return None };
        let quoted = |cell: &str| {
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
        };
        Some((quoted(module).pop()?, quoted(names).into_iter().collect()))
    };
    page.lines().filter_map(row).collect()
}

#[test]
fn the_index_has_every_public_name_of_every_module() {
    let expected: Vec<_> =
        modules().into_iter().map(|module| (module.clone(), public(&module))).collect();
    assert_eq!(expected, rows(&read("book/src/names.md")));
}
