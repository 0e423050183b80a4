//! The pure core: no input or output, no task, no clock.

use crate::source::{File, code, files_below, paths, tokens};

/// Each with the files below it.
const PURE: [&str; 11] = [
    "transcript",
    "jsonrpc",
    "frame",
    "protocol",
    "tool",
    "server/session",
    "lifecycle",
    "pending",
    "registry",
    "bridge/convert",
    "bridge/names",
];

/// What a pure file has no business with.
fn impure(file: &File) -> Vec<String> {
    let code = code(&file.text);
    let outside = [
        "std::env",
        "std::fs",
        "std::io",
        "std::net",
        "std::os",
        "std::process",
        "std::thread",
    ];
    let is_outside = |path: &String| {
        outside.iter().any(|root| {
            path.strip_prefix(root)
                .is_some_and(|rest| matches!(rest.get(..2), None | Some("::")))
        })
    };
    let mut found: Vec<_> =
        paths(&code, "std").into_iter().filter(is_outside).collect();
    let tokens = tokens(&code);
    let clock = tokens.windows(3).filter(|words| **words == ["Instant", "::", "now"]);
    found.extend(clock.map(|words| words.concat()));
    let words = tokens.iter().filter(|word| ["tokio", "SystemTime"].contains(word));
    found.extend(words.map(|word| word.to_string()));
    let impure_module = |path: &String| {
        let name = path.split("::").nth(1).unwrap_or_default();
        !PURE.contains(&name)
    };
    found.extend(paths(&code, "crate").into_iter().filter(impure_module));
    found.into_iter().map(|what| format!("{} uses {what}", file.path)).collect()
}

fn is_pure(path: &str) -> bool {
    PURE.iter().any(|module| {
        let rest = path.strip_prefix("src/").and_then(|path| path.strip_prefix(module));
        rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
    })
}

#[test]
fn the_pure_core_is_pure() {
    let files = files_below("src");
    let wrong: Vec<_> =
        files.iter().filter(|file| is_pure(&file.path)).flat_map(impure).collect();
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn every_module_that_is_to_be_pure_is_there() {
    let files = files_below("src");
    for module in PURE {
        let path = format!("src/{module}.rs");
        assert!(files.iter().any(|file| file.path == path), "{path}");
    }
    assert!(is_pure("src/registry/parameters.rs") && is_pure("src/jsonrpc/parse.rs"));
    assert!(!is_pure("src/frames.rs") && !is_pure("src/server.rs"));
}

#[test]
fn whatever_reaches_outside_is_found() {
    for (what, text) in [
        ("std::fs", "use std::fs;"),
        ("std::io::Read", "use std::{fmt, io::{Read}};"),
        ("std::net::TcpStream", "std::net::TcpStream::connect"),
        ("std::process", "use std::process::{self};"),
        ("std::thread::sleep", "std::thread::sleep(x)"),
        ("tokio", "use tokio::time::sleep;"),
        ("Instant::now", "let now = Instant::now();"),
        ("Instant::now", "let now = std::time::Instant::now();"),
        ("SystemTime", "use std::time::SystemTime;"),
        ("crate::transport::Tap", "use crate::transport::Tap;"),
    ] {
        let file = File { path: "a.rs".into(), text: text.into() };
        let found = impure(&file);
        assert!(
            found[0].starts_with(&format!("a.rs uses {what}")),
            "{text}: {found:?}"
        );
    }
    let fine = "use std::{fmt::Write, time::Instant};\nuse crate::jsonrpc::Id;\n\
                /// `tokio::spawn`, std::fs\nlet s = \"tokio\"; std::iter::once(1)";
    let file = File { path: "a.rs".into(), text: fine.into() };
    assert_eq!(Vec::<String>::new(), impure(&file));
}
