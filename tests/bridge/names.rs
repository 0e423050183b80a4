//! The name that a model calls a remote tool by.

use mcp_from_scratch::bridge::exposed_name;
use std::collections::HashSet;

fn exposed(prefix: &str, name: &str) -> String {
    exposed_name(prefix, name).expect("a usable name")
}

#[test]
fn a_name_that_models_take_is_kept() {
    for name in ["echo", "read-file", "Read_File", "a__b", "0", "-", &"x".repeat(64)] {
        assert_eq!(name, exposed("", name));
    }
    assert_eq!("mcp__demo__echo", exposed("mcp__demo__", "echo"));
    assert_eq!("server__mcp__a__b", exposed("server__", "mcp__a__b"));
}

#[test]
fn characters_that_models_refuse_become_underscores_one_for_one() {
    for (expected, name) in [
        ("admin_tools_list", "admin.tools.list"),
        ("a_b", "a/b"),
        ("has_space", "has space"),
        ("_", " "),
    ] {
        assert_eq!(expected, exposed("", name), "{name:?}");
    }
    assert_eq!("my_server_echo", exposed("my server.", "echo"));
}

#[test]
fn what_is_not_ascii_gets_a_hash_so_that_names_stay_apart() {
    for (start, name) in [
        ("___", "имя"),
        ("_ay", "рay"), // a Cyrillic look-alike shows
        ("a_b", "a\u{202e}b"),
    ] {
        assert_eq!(Some(start), exposed("", name).rsplit_once('_').map(|(s, _)| s));
    }
    assert_ne!(exposed("", "查询"), exposed("", "天气"));
}

#[test]
fn what_is_too_long_is_cut_at_64_and_ends_in_a_hash_of_the_whole() {
    for name in ["x".repeat(65), "x".repeat(128), "é".repeat(128), "x".repeat(5000)] {
        let cut = exposed("", &name);
        assert_eq!(64, cut.len(), "{name}");
        let (start, hash) = cut.split_at(55);
        let first: String = name.chars().take(55).collect();
        assert_eq!(first.replace('é', "_"), start);
        assert!(hash.starts_with('_'), "{cut}");
        assert!(hash[1..].bytes().all(|b| b.is_ascii_hexdigit()), "{cut}");
    }
    // FNV-1a of the whole, worked out elsewhere: the name is the same tomorrow.
    assert_eq!(format!("{}_b42b1787", "x".repeat(55)), exposed("", &"x".repeat(65)));
}

#[test]
fn a_prefix_that_pushes_a_name_past_64_cuts_it_too() {
    let name = "x".repeat(60);
    assert_eq!(64, exposed("abcd", &name).len());
    assert_eq!(format!("abcd{name}"), exposed("abcd", &name));
    let cut = exposed("mcp__demo__", &name);
    assert_eq!(64, cut.len());
    assert!(cut.starts_with("mcp__demo__xxx"), "{cut}");
}

#[test]
fn names_that_differ_only_behind_the_cut_stay_distinct() {
    let names = (0..1000).map(|n| exposed("", &format!("{}{n}", "x".repeat(100))));
    assert_eq!(1000, names.collect::<HashSet<_>>().len());
    let one = exposed("mcp__a__", &"x".repeat(100));
    assert_ne!(one, exposed("mcp__b__", &"x".repeat(100)));
    // The hash is of the name as it came, not of what the underscores left.
    let long = "x".repeat(100);
    let (dot, slash) = (format!("{long}."), format!("{long}/"));
    assert_ne!(exposed("", &dot), exposed("", &slash));
}

#[test]
fn an_empty_name_is_refused_with_or_without_a_prefix() {
    for prefix in ["", "mcp__demo__"] {
        assert_eq!(Err("its name is empty".into()), exposed_name(prefix, ""));
    }
}

#[test]
fn a_name_with_control_characters_is_refused_and_shown_escaped() {
    for (shown, name) in [
        ("name\\n", "name\n"),
        ("\\r", "\r"),
        ("a\\u{0}b", "a\0b"),
        ("\\u{1b}[2J", "\u{1b}[2J"),
        ("a\\u{85}", "a\u{85}"),
    ] {
        let reason = format!("control characters in its name: {shown}");
        assert_eq!(Err(reason), exposed_name("", name), "{name:?}");
    }
}
