//! What a module of a submission may not say: it would hand in the course's own
//! library, or leave the pure world of values that the exercises live in.
//!
//! The module is read as tokens, so comments, strings and names such as a method
//! `process` or a variable `path` do not matter. This is the first of two fences; the
//! other one is `jail.rs`.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::{collections::BTreeSet, str::FromStr};

/// One thing found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub line: usize,
    pub what: String,
}

/// What of `std` works on values only; all else is refused.
const VALUES: &[&str] = &[
    "any",
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

/// What the root of a grader may have taken in and a module may not take from there.
const OUTSIDE: &[&str] =
    &["env", "fs", "net", "os", "panic", "process", "std", "thread"];

/// The tokens of a module; or where it is no Rust, and why.
pub fn tokens_of(text: &str) -> Result<Vec<Token>, Finding> {
    // The compiler drops a line `#!/…`; what reads tokens here would not.
    if text.trim_start_matches('\u{feff}').starts_with("#!")
        && !text.trim_start_matches('\u{feff}')[2..].starts_with('[')
    {
        return Err(Finding { line: 1, what: "a line that begins with #!".into() });
    }
    match TokenStream::from_str(text) {
        Ok(stream) => Ok(flat(stream)),
        Err(error) => {
            let line = error.span().start().line;
            Err(Finding { line, what: error.to_string() })
        }
    }
}

/// A word, a sign, a literal or a bracket; `::` is one sign.
#[derive(Debug)]
pub struct Token {
    text: String,
    line: usize,
    is_word: bool,
    /// Where the attribute begins that it stands in.
    attribute: Option<usize>,
}

/// All tokens in a row. A stack in place of recursion: a submission may nest as deep as
/// it likes.
fn flat(stream: TokenStream) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut open = vec![(stream.into_iter(), None::<(&str, usize)>, None)];
    while let Some((inner, close, attribute)) = open.last_mut() {
        let attribute = *attribute;
        let mut push = |text: String, line, is_word| {
            tokens.push(Token { text, line, is_word, attribute });
        };
        match inner.next() {
            None => {
                if let Some((close, line)) = *close {
                    push(close.into(), line, false);
                }
                open.pop();
            }
            Some(TokenTree::Ident(word)) => {
                let line = word.span().start().line;
                push(word.to_string().trim_start_matches("r#").into(), line, true);
            }
            Some(TokenTree::Literal(literal)) => {
                push(literal.to_string(), literal.span().start().line, false);
            }
            Some(TokenTree::Punct(sign)) => {
                let line = sign.span().start().line;
                let joint = sign.spacing() == Spacing::Joint;
                push(sign.as_char().to_string(), line, false);
                if joint && sign.as_char() == ':' {
                    // The second colon follows at once.
                    if let Some(last) = tokens.last_mut() {
                        last.text = "::".into();
                    }
                    open.last_mut().and_then(|(inner, ..)| inner.next());
                }
            }
            Some(TokenTree::Group(group)) => {
                let (start, end) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                push(start.into(), group.span_open().start().line, false);
                let at = tokens.len() - 1;
                let before = |n: usize| at.checked_sub(n).map(|at| &*tokens[at].text);
                let begins = before(1) == Some("#")
                    || (before(1) == Some("!") && before(2) == Some("#"));
                let inside = if start == "[" && begins { Some(at) } else { attribute };
                let line = group.span_close().start().line;
                open.push((group.stream().into_iter(), Some((end, line)), inside));
            }
        }
    }
    tokens
}

/// Everything in a module that is not for an exercise.
pub fn findings(tokens: &[Token]) -> BTreeSet<Finding> {
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let whats = match token.is_word {
            true => of_word(tokens, at),
            false => of_sign(tokens, at),
        };
        found.extend(whats.into_iter().map(|what| Finding { line: token.line, what }));
    }
    found
}

fn text(tokens: &[Token], at: Option<usize>) -> &str {
    at.and_then(|at| tokens.get(at)).map_or("", |token| &token.text)
}

fn of_word(tokens: &[Token], at: usize) -> Vec<String> {
    let word = &*tokens[at].text;
    let (before, after) = (text(tokens, at.checked_sub(1)), text(tokens, Some(at + 1)));
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
        "PartialEq" | "Eq" if after == "for" => {
            says(&format!("impl {word}, a comparison of its own"))
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

/// serde reads paths from strings in its attributes.
fn of_sign(tokens: &[Token], at: usize) -> Vec<String> {
    let Token { text: sign, attribute, .. } = &tokens[at];
    let Some(start) = *attribute else { return Vec::new() };
    if sign == "$" && start + 1 == at {
        return vec!["an attribute made by a macro".into()];
    }
    let inside = |token: &&Token| token.attribute == Some(start);
    let mut attribute = tokens[start + 1..].iter().take_while(inside);
    if !attribute.any(|token| token.is_word && token.text == "serde") {
        return Vec::new();
    }
    if sign == "$" || (sign.contains('"') && sign.contains('\\')) {
        return vec!["a path in #[serde] that cannot be read".into()];
    }
    let Some((_, string)) = sign.split_once('"') else { return Vec::new() };
    let path = string.trim_end_matches('#').trim_end_matches('"');
    let Ok(stream) = TokenStream::from_str(path) else { return Vec::new() };
    findings(&flat(stream)).into_iter().map(|finding| finding.what).collect()
}

/// The first words of a path, or of each path of a group; `*` and `self` as they are.
fn heads(tokens: &[Token], at: usize) -> Vec<String> {
    let Some(first) = tokens.get(at) else { return Vec::new() };
    if first.text != "{" {
        return vec![first.text.clone()];
    }
    let (mut heads, mut depth, mut begins) = (Vec::new(), 1, true);
    for token in &tokens[at + 1..] {
        match &*token.text {
            "}" => depth -= 1,
            "{" if !begins => depth += 1,
            "," if depth == 1 => {
                begins = true;
                continue;
            }
            word if begins => heads.push(word.to_owned()),
            _ => {}
        }
        begins = false;
        if depth == 0 {
            break;
        }
    }
    heads
}

#[cfg(test)]
mod tests;
