//! Every include finds what it names, and every region is shown to somebody.

use crate::{
    pages::{Include, Page, includes, pages},
    regions::{regions, sources},
};
use std::{collections::BTreeSet, fs, path::Path};

/// What is wrong with an include of this place, if anything.
fn fault(include: &Include) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&include.path);
    let Ok(text) = fs::read_to_string(path) else {
        return Some("there is no such file".into());
    };
    let Some(name) = include.region else {
        let is_rust = include.path.ends_with(".rs");
        return is_rust.then(|| "Rust is included by region, not whole".into());
    };
    if !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Some(format!("`{name}` is no region's name; lines move"));
    }
    match regions(&text) {
        Ok(regions) if regions.contains_key(name) => None,
        Ok(_) => Some(format!("there is no region `{name}` in it")),
        Err(error) => Some(error),
    }
}

#[test]
fn every_include_finds_its_file_and_its_region() {
    let mut wrong = Vec::new();
    for page in pages() {
        for include in includes(&page) {
            if let Some(fault) = fault(&include) {
                let Include { line, path, .. } = include;
                wrong.push(format!("{}:{line}: {path}: {fault}", page.path));
            }
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn every_region_is_shown_on_some_page() {
    let pages = pages();
    let all = pages.iter().flat_map(includes);
    let shown: BTreeSet<_> =
        all.filter_map(|i| Some((i.path, i.region?.to_owned()))).collect();
    let mut idle = Vec::new();
    for file in sources() {
        for name in regions(&file.text).unwrap_or_default().into_keys() {
            if !shown.contains(&(file.path.clone(), name.to_owned())) {
                idle.push(format!("{}: {name}", file.path));
            }
        }
    }
    assert_eq!(Vec::<String>::new(), idle);
}

#[test]
fn a_bad_include_is_found() {
    let fault = |place: &str| {
        let text = format!("{{{{#include ../../{place}}}}}");
        let page = Page { path: "book/src/x.md".into(), text };
        includes(&page).iter().find_map(fault)
    };
    assert_eq!(None, fault("src/jsonrpc.rs:pair"));
    assert_eq!(None, fault("chapters/06-full-demo/transcript.txt"));
    for place in [
        "src/nothing.rs:pair",
        "src/jsonrpc.rs",
        "src/jsonrpc.rs:3:9",
        "src/jsonrpc.rs:10",
        "src/jsonrpc.rs:nothing",
    ] {
        assert!(fault(place).is_some(), "{place}");
    }
}
