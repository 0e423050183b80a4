//! The table in `README.md`, and the tests that it names.
//!
//! `UPDATE_CASES=1 cargo test --test cases` rewrites it from the data file.

use crate::{
    common::difference,
    data::{Case, cases},
    source::{File, files_below},
};
use std::{collections::BTreeMap, fs, path::Path, sync::LazyLock};

const FILE: &str = "tests/cases/README.md";
const BEGIN: &str = "<!-- The rest is written by a test, from cases.jsonl. -->\n";

const GROUPS: [(char, &str); 9] = [
    ('F', "Framing: Content-Length"),
    ('N', "Framing: lines"),
    ('J', "JSON-RPC messages"),
    ('L', "Life cycle and processes"),
    ('T', "Tools"),
    ('S', "Security: files, terminal, environment"),
    ('B', "Bridge, proxy, approval"),
    ('W', "Windows"),
    ('H', "HTTP"),
];

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Whether there is one test of this name, `name` or `file::name`, here or among the
/// graders.
pub fn find(test: &str) -> Result<(), String> {
    let (module, name) = test.split_once("::").unwrap_or(("", test));
    let (head, file) = (format!("fn {name}("), format!("/{module}.rs"));
    let is_test = |text: &str| {
        let (before, _) = text.split_once(&head)?;
        let attributes = before.rsplit("\n\n").next().unwrap_or_default();
        Some(attributes.contains("#[test]") || attributes.contains("#[tokio::test"))
    };
    static SOURCES: LazyLock<[Vec<File>; 2]> =
        LazyLock::new(|| ["tests", "exercises/tests"].map(files_below));
    let sources = SOURCES.iter().flatten();
    let sources = sources.filter(|it| module.is_empty() || it.path.ends_with(&file));
    let found: Vec<_> = sources.filter_map(|file| is_test(&file.text)).collect();
    match found[..] {
        [true] => Ok(()),
        [] => Err(format!("{test} is not there")),
        [false] => Err(format!("{test} is not a test")),
        _ => Err(format!("more than one function is called {test}")),
    }
}

fn table() -> String {
    let cases = cases();
    let mut text = format!("{BEGIN}\n{}\n", counts(&cases));
    for (letter, title) in GROUPS {
        text += &format!("\n## {title}\n\n");
        text += "| case | rule | tested by |\n| --- | --- | --- |\n";
        let group = cases.iter().filter(|case| case.id.starts_with(letter));
        group.for_each(|case| text += &row(case));
    }
    text
}

fn row(case: &Case) -> String {
    let runs = case.runs();
    let mut by: Vec<_> = runs.iter().map(|(kind, n)| format!("{n} × {kind}")).collect();
    by.extend(case.tests.iter().map(|test| format!("`{test}`")));
    by.extend(case.comes_with.iter().map(|part| format!("*comes with {part}*")));
    format!("| {} | {} | {} |\n", case.id, case.holds, by.join(", "))
}

fn counts(cases: &[Case]) -> String {
    let with_runs = cases.iter().filter(|case| !case.runs().is_empty()).count();
    let decided = cases.iter().filter(|case| case.is_decided()).count();
    let partly = cases.iter().filter(|c| c.is_decided() && c.comes_with.is_some());
    let mut kinds = BTreeMap::<&str, (usize, usize)>::new();
    for (kind, runs) in cases.iter().flat_map(Case::runs) {
        let count = kinds.entry(kind).or_default();
        *count = (count.0 + 1, count.1 + runs);
    }
    let kinds = kinds.iter().map(|(kind, (n, runs))| format!("{kind} {n} ({runs})"));
    format!(
        "{} cases: {with_runs} with runs, {} with other tests only, {} for later parts of \
         the project,\nwhich also complete {} of the others. \
         Cases (runs) of each kind:\n{}.",
        cases.len(),
        decided - with_runs,
        cases.len() - decided,
        partly.count(),
        kinds.collect::<Vec<_>>().join(", "),
    )
}

#[test]
fn the_table_says_what_the_data_file_says() {
    let text = fs::read_to_string(path(FILE)).expect("the table").replace("\r\n", "\n");
    let (head, old) = text.split_once(BEGIN).expect("the mark");
    let (old, new) = (format!("{BEGIN}{old}"), table());
    if std::env::var_os("UPDATE_CASES").is_some_and(|value| value == "1") {
        fs::write(path(FILE), head.to_owned() + &new).expect("it can be written");
        return;
    }
    if let Some(difference) = difference(&old, &new) {
        panic!("{FILE} is old\n{difference}UPDATE_CASES=1 cargo test --test cases");
    }
}

#[test]
fn every_case_belongs_to_a_group_and_stands_once_in_order() {
    let cases = cases();
    assert!(cases.iter().all(|c| GROUPS.iter().any(|(l, _)| c.id.starts_with(*l))));
    assert!(cases.windows(2).all(|two| two[0].id < two[1].id));
}

#[test]
fn a_missing_test_is_found() {
    assert_eq!(Ok(()), find("every_case_belongs_to_a_group_and_stands_once_in_order"));
    for wrong in ["", "every_case_belongs", "difference"] {
        assert!(find(wrong).is_err(), "{wrong}");
    }
}
