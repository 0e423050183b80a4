use super::{findings, tokens_of};
use exercises::course::EXERCISES;
use std::{fs, path::Path};

fn found(text: &str) -> Vec<String> {
    let tokens = tokens_of(text).expect("Rust");
    findings(&tokens).into_iter().map(|f| format!("{}: {}", f.line, f.what)).collect()
}

#[test]
fn what_reaches_outside_is_found_at_its_line() {
    for (expected, text) in [
        (
            "1: mcp_from_scratch, the course's own library",
            "pub use mcp_from_scratch::jsonrpc::*;",
        ),
        (
            "2: mcp_from_scratch, the course's own library",
            "\nuse ::r#mcp_from_scratch as a;",
        ),
        ("1: extern", "extern crate std as s;"),
        ("1: unsafe", "fn f() { unsafe {} }"),
        ("1: unsafe", "#[unsafe(no_mangle)] fn f() {}"),
        ("1: include!", "include!(\"../x.rs\");"),
        ("1: include_str", "use core::{fmt, mem}; fn f() { include_str!(\"x\"); }"),
        ("1: include_str", "m!(include_str);"),
        ("1: env!", "const A: &str = env!(\"HOME\");"),
        ("1: #[path]", "#[path = \"x.rs\"] mod x;"),
        ("1: #[path]", "#[cfg_attr(all(), path = \"x.rs\")] mod x;"),
        ("1: std::process", "fn f() { std::process::exit(0) }"),
        (
            "3: std::process",
            "use std::{\n fmt,\n process::{self}};"
                .replace("\n process", "\nprocess")
                .replace("use std", "\n\nuse std")
                .as_str(),
        ),
        ("1: std::fs", "use ::std::{io::{self, Read}, fs as f};"),
        ("1: std::*", "use std::*;"),
        ("1: std::self", "use std::{self as s};"),
        ("1: std without a path", "use std as s;"),
        ("1: std without a path", "m!(std);"),
        ("1: std::$", "macro_rules! m { ($a:ident) => { std::$a::exit(0) } }"),
        ("1: std::thread", "use std::thread::{self, Builder};"),
        ("1: std::panic", "use std::panic::set_hook;"),
        ("1: core::include_bytes", "use core::include_bytes as x;"),
        ("1: tokio::fs", "use tokio::fs;"),
        ("1: tokio without a path", "use tokio as t;"),
        ("1: crate::process", "use crate::process;"),
        ("1: super::std", "use super::{jsonrpc::Id, std};"),
        (
            "1: a macro called by a name handed in",
            "macro_rules! m { ($a:ident) => { $a!(\"x\") } }",
        ),
        (
            "1: an attribute made by a macro",
            "macro_rules! m { ($a:meta) => { #[$a] struct S; } }",
        ),
        ("1: std::process", "#[serde(default = \"std::process::abort\")] struct S;"),
        (
            "1: std::process",
            "#[cfg_attr(all(), serde(default = r#\"std::process::abort\"#))] struct S;",
        ),
        (
            "1: a path in #[serde] that cannot be read",
            "#[serde(default = \"\\x73td::process::abort\")] struct S;",
        ),
        (
            "1: a path in #[serde] that cannot be read",
            "macro_rules! m { ($a:literal) => { #[serde(default = $a)] } }",
        ),
        ("1: impl PartialEq, a comparison of its own", "impl PartialEq for Message {}"),
        (
            "1: impl PartialEq, a comparison of its own",
            "impl PartialEq<Entry> for Entry {}",
        ),
        (
            "1: impl PartialEq, a comparison of its own",
            "impl<T> ::std::cmp::PartialEq<T> for Entry {}",
        ),
        (
            "1: impl PartialEq, a comparison of its own",
            "use std::cmp::PartialEq as Same;",
        ),
        (
            "1: impl PartialEq, a comparison of its own",
            "use std::{cmp::{self as c, PartialEq as Same}};",
        ),
        (
            "1: an impl of a trait that is handed in",
            "macro_rules! m { ($t:path) => { impl $t for Entry {} } }",
        ),
        ("1: std::any", "fn f() { std::any::type_name_of_val(&1); }"),
        ("1: core::any", "use core::{any::{self as a}, mem};"),
        ("1: type_name", "fn f() { a::type_name::<T>(); }"),
        ("1: macro_export", "#[macro_export] macro_rules! m { () => {} }"),
        ("1: macro_use", "#![macro_use] macro_rules! m { () => {} }"),
        (
            "1: matches!, a macro of its own",
            "macro_rules! matches { ($($t:tt)*) => { true } }",
        ),
        ("1: vec!, a macro of its own", "pub(crate) use mine as vec;"),
        (
            "1: a macro named by a macro",
            "macro_rules! m { ($a:ident) => { macro_rules! $a { () => {} } } }",
        ),
        ("1: __private228", "use serde::__private228 as p;"),
        ("1: exercises, the grader", "use exercises::judge;"),
    ] {
        assert!(
            found(text).contains(&expected.to_owned()),
            "{text}: {:?}",
            found(text)
        );
    }
}

#[test]
fn what_only_looks_like_it_is_not_found() {
    let text = r##"
        //! std::process, mcp_from_scratch, unsafe
        /* include!("x") */
        use std::{collections::HashMap, fmt::{self, Write}, sync::Arc, time::Instant};
        use core::mem;
        use crate::{frame::Framing, jsonrpc::Id};
        /// `std::fs::read`
        use std::cmp::{Ordering, PartialEq};
        #[derive(PartialEq, Eq)]
        #[error("unsafe {path}, mcp_from_scratch \"{0}\"")]
        struct Path<'env> { path: &'env str, process: u8, thread: u8, env: bool }
        impl Path<'_> {
            fn process(&self) { self.process(); let path = "std::process::exit(0)"; }
        }
        fn f(env: bool, std_in: u8, asm: u8) { if env != true { x.std; println!("{path}") } }
        #[serde(borrow, default, deserialize_with = "text", rename = "type")]
        struct S;
        const INCLUDE: &[u8] = b"include_str!";
        #[cfg(test)] mod tests { use super::*; }
        fn same<T: Clone + PartialEq<U>, U>(a: T, b: U) -> bool { PartialEq::eq(&a, &b) }
        macro_rules! own { ($a:expr) => { match 1 { _ => $a } } }
        macro_rules! m { ($a:expr, $b:ty) => { $a != <$b>::MAX && $a.process() } }
    "##;
    assert_eq!(Vec::<String>::new(), found(text));
}

#[test]
fn what_is_no_rust_is_refused_with_its_line() {
    let line = |text: &str| tokens_of(text).expect_err("no Rust").line;
    assert_eq!(2, line("fn f() {}\n fn g( { }"));
    assert_eq!(1, line("#!/ \"\nfn f() {}\n//\""));
    assert!(tokens_of("#![allow(unused)]\nfn f() {}").is_ok());
}

#[test]
fn any_depth_is_read() {
    let deep = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(Vec::<String>::new(), found(&deep));
}

/// A reader that goes through a group once for each part of it needs hours here.
#[test]
fn the_time_grows_with_the_length_only() {
    let commas = format!("#[{}] struct S;", ",".repeat(1_000_000));
    assert_eq!(Vec::<String>::new(), found(&commas));
    let groups = format!("use {}{};", "std::{".repeat(150_000), "}".repeat(150_000));
    assert_eq!(vec!["1: std::std"], found(&groups));
}

/// What a learner starts from must not be refused.
#[test]
fn the_modules_of_the_exercises_have_no_finding_that_is_not_tokio() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    for module in EXERCISES.iter().flat_map(|exercise| exercise.modules) {
        let text = fs::read_to_string(sources.join(module)).expect("a module");
        for finding in found(&text) {
            assert!(finding.contains(": tokio::"), "{module}:{finding}");
        }
    }
}
