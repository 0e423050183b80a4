//! The pure core: no input or output, no task, no clock.

use crate::{
    imports::modules_used,
    source::{File, files_below, paths, tokens},
};

/// Each with the files below it.
const PURE: [&str; 11] = [
    "transcript",
    "jsonrpc",
    "frame",
    "protocol",
    "tool",
    "server/catalog",
    "server/session",
    "lifecycle",
    "pending",
    "registry",
    "bridge/names",
];

const OUTSIDE: [&str; 7] = [
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::os",
    "std::process",
    "std::thread",
];

fn is_pure(path: &str) -> bool {
    PURE.iter().any(|module| {
        let rest = path.strip_prefix("src/").and_then(|path| path.strip_prefix(module));
        rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    })
}

/// What a pure file must not use.
fn impure(file: &File) -> Vec<String> {
    let is_outside = |path: &String| {
        OUTSIDE.iter().any(|root| {
            let rest = path.strip_prefix(root);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        })
    };
    let mut found = paths(&file.text, "std");
    found.retain(is_outside);
    let tokens = tokens(&file.text);
    let clock = tokens.windows(3).filter(|words| **words == ["Instant", "::", "now"]);
    found.extend(clock.map(|words| words.concat()));
    let words =
        tokens.iter().filter(|word| ["tokio", "SystemTime"].contains(&&***word));
    found.extend(words.cloned());
    let modules = modules_used(&file.text, "crate").into_iter();
    let others = modules.filter(|module| !PURE.contains(&module.as_str()));
    found.extend(others.map(|module| format!("crate::{module}")));
    found.into_iter().map(|what| format!("{} uses {what}", file.path)).collect()
}

#[test]
fn the_pure_core_is_pure() {
    let files = files_below("src");
    for module in PURE {
        let path = format!("src/{module}.rs");
        assert!(files.iter().any(|file| file.path == path), "{path}");
    }
    let wrong: Vec<_> =
        files.iter().filter(|file| is_pure(&file.path)).flat_map(impure).collect();
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn whatever_is_impure_is_found() {
    for (what, text) in [
        ("std::io::Read", "use std::{fmt, io::{Read}};"),
        ("std::process", "use std::process::{self};"),
        ("std::thread::sleep", "fn f() { std::thread::sleep(x) }"),
        ("Instant::now", "fn f() { let now = std::time::Instant::now(); }"),
        ("tokio", "use tokio::time::sleep;"),
        ("crate::transport", "use crate::transport::Tap;"),
    ] {
        let found = impure(&File { path: "a.rs".into(), text: text.into() });
        assert_eq!([format!("a.rs uses {what}")], found[..], "{text}");
    }
    let fine = "use std::{fmt::Write, time::Instant};\nuse crate::jsonrpc::Id;\n\
                /// `tokio::spawn`, std::fs\nfn f() { std::iter::once(\"tokio\"); }";
    let file = File { path: "a.rs".into(), text: fine.into() };
    assert_eq!(Vec::<String>::new(), impure(&file));
}
