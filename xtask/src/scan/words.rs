//! What a word of a module means where it stands.

use super::{Token, text};

/// What of `std` works on values only; all else is refused.
const VALUES: &[&str] = &[
    "array",
    "ascii",
    "assert",
    "assert_eq",
    "assert_ne",
    "borrow",
    "bool",
    "boxed",
    "cell",
    "char",
    "clone",
    "cmp",
    "collections",
    "concat",
    "convert",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "default",
    "eprint",
    "eprintln",
    "error",
    "f32",
    "f64",
    "fmt",
    "format",
    "format_args",
    "future",
    "hash",
    "hint",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "io",
    "isize",
    "iter",
    "marker",
    "matches",
    "mem",
    "num",
    "ops",
    "option",
    "pin",
    "prelude",
    "primitive",
    "print",
    "println",
    "ptr",
    "range",
    "rc",
    "result",
    "slice",
    "str",
    "string",
    "stringify",
    "sync",
    "task",
    "time",
    "todo",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
    "unimplemented",
    "unreachable",
    "usize",
    "vec",
    "write",
    "writeln",
];

/// The macros that a grader relies on.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "json",
    "matches",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// What the root of a grader may have taken in and a module may not take from there.
const OUTSIDE: &[&str] =
    &["env", "fs", "net", "os", "panic", "process", "std", "thread"];

pub fn of_word(tokens: &[Token], at: usize) -> Vec<String> {
    let word = &*tokens[at].text;
    let (before, after) = (before(tokens, at), text(tokens, Some(at + 1)));
    if before == "'" || before == "." {
        return Vec::new(); // a lifetime, a field, a method
    }
    let is_macro = after == "!" && text(tokens, Some(at + 2)) != "=";
    let renamed = after == "as" && ["::", "{", ","].contains(&before);
    let says = |what: &str| vec![what.to_owned()];
    match word {
        "mcp_from_scratch" => says("mcp_from_scratch, the course's own library"),
        "unsafe" | "extern" | "include_str" | "include_bytes" | "global_asm"
        | "naked_asm" | "option_env" => says(word),
        "include" | "asm" | "env" if is_macro || renamed => says(&format!("{word}!")),
        word if word.starts_with("__private") => says(word),
        "exercises" if ["::", "as"].contains(&after) => says("exercises, the grader"),
        "path" if tokens[at].attribute.is_some() && after == "=" => says("#[path]"),
        "PartialEq" if is_own_comparison(tokens, at) => {
            says("impl PartialEq, a comparison of its own")
        }
        "Eq" if after == "for" => says("impl Eq, a comparison of its own"),
        // The name of a test is in the names of its closures.
        "type_name_of_val" => says(word),
        "type_name" if after == "::" => says(word),
        "macro_export" | "macro_use" => says(word),
        "macro_rules" if is_macro && text(tokens, Some(at + 2)) == "$" => {
            says("a macro named by a macro")
        }
        word if MACROS.contains(&word) && (before == "as" || defines(tokens, at)) => {
            says(&format!("{word}!, a macro of its own"))
        }
        "std" | "core" if after == "::" => {
            let refused = |head: &String| !VALUES.contains(&&**head);
            let heads = heads(tokens, at + 2).into_iter().filter(refused);
            heads.map(|head| format!("{word}::{head}")).collect()
        }
        "std" => says("std without a path"),
        "tokio" if after == "::" => {
            heads(tokens, at + 2).iter().map(|head| format!("tokio::{head}")).collect()
        }
        "tokio" if before == "::" || ["as", ";", ",", "}"].contains(&after) => {
            says("tokio without a path")
        }
        "crate" | "super" if after == "::" => {
            let outside = |head: &String| OUTSIDE.contains(&&**head);
            let heads = heads(tokens, at + 2).into_iter().filter(outside);
            heads.map(|head| format!("{word}::{head}")).collect()
        }
        // A macro whose name is handed in could be any of those above.
        _ if before == "$" && is_macro => says("a macro called by a name handed in"),
        _ => Vec::new(),
    }
}

/// The text of the token before this one.
fn before(tokens: &[Token], at: usize) -> &str {
    text(tokens, at.checked_sub(1))
}

fn defines(tokens: &[Token], at: usize) -> bool {
    at >= 2 && before(tokens, at) == "!" && tokens[at - 2].text == "macro_rules"
}

/// `PartialEq` may be derived, taken in, called, and asked for by a bound.
fn is_own_comparison(tokens: &[Token], at: usize) -> bool {
    const LONGEST: usize = 16;
    let after = text(tokens, Some(at + 1));
    if tokens[at].attribute.is_some() || after == "::" {
        return false;
    }
    let mut first = at;
    while first + LONGEST > at && before(tokens, first) == "::" {
        let is_word = first >= 2 && tokens[first - 2].is_word;
        first -= if is_word { 2 } else { 1 };
    }
    let before = before(tokens, first);
    let taken_in =
        ["use", "{", ","].contains(&before) && [";", ",", "}"].contains(&after);
    let asked_for = [":", "+", "as"].contains(&before) && after != "for";
    !taken_in && !asked_for
}

/// Whether what a macro puts in for this `$` stands where an `impl` names its trait.
pub fn is_trait_of_an_impl(tokens: &[Token], at: usize) -> bool {
    let generics = before(tokens, at) == ">"
        && !["=", "-"].contains(&before(tokens, at.saturating_sub(1)));
    before(tokens, at) == "impl" || generics || text(tokens, Some(at + 2)) == "for"
}

/// The first words of a path, or of each path of a group; `*` and `self` as they are.
/// What is in brackets in a group is passed over: no token is read twice.
fn heads(tokens: &[Token], at: usize) -> Vec<String> {
    let Some(first) = tokens.get(at) else { return Vec::new() };
    if first.text != "{" {
        return vec![first.text.clone()];
    }
    let (mut heads, mut begins, mut at, end) = (Vec::new(), true, at + 1, first.close);
    while at < end {
        let token = &tokens[at];
        if begins {
            heads.push(token.text.clone());
        }
        begins = token.text == ",";
        at = at.max(token.close) + 1;
    }
    heads
}
