//! Rust sources as the checks read them: files, tokens, used paths.

use proc_macro2::{TokenStream, TokenTree};
use std::{fs, path::Path};

/// One file, by its path from the repository's root.
pub struct File {
    pub path: String,
    pub text: String,
}

/// What is generated or installed, and not ours.
const OTHERS: [&str; 5] = ["target", "node_modules", "venv", ".git", "__pycache__"];

pub fn read(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All files with this extension below a directory of the repository, sorted; `""` is
/// the whole repository.
pub fn files(directory: &str, extension: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut files, mut open) = (Vec::new(), vec![root.join(directory)]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of the repository") {
            let entry = entry.expect("an entry");
            let (path, name) = (entry.path(), entry.file_name());
            if entry.file_type().expect("a type").is_dir() {
                if !OTHERS.iter().any(|other| name == *other) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                let shown = path.strip_prefix(root).expect("below the root");
                let shown = shown.to_str().expect("UTF-8").replace('\\', "/");
                files.push(File { text: read(&shown), path: shown });
            }
        }
    }
    assert!(!files.is_empty(), "no .{extension} file below {directory}");
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

pub fn files_below(directory: &str) -> Vec<File> {
    files(directory, "rs")
}

/// The tokens of the code, with `::` as one and groups in their delimiters. Comments are
/// left out, a string literal is one token.
pub fn tokens(code: &str) -> Vec<String> {
    let stream: TokenStream = code.parse().expect("Rust");
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    tokens
}

fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    use proc_macro2::Delimiter::{Brace, Bracket, Parenthesis};
    for tree in stream {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Brace => ("{", "}"),
                    Bracket => ("[", "]"),
                    Parenthesis => ("(", ")"),
                    _ => ("", ""),
                };
                tokens.push(open.into());
                flatten(group.stream(), tokens);
                tokens.push(close.into());
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' => {
                match tokens.last_mut() {
                    Some(last) if last == ":" => last.push(':'),
                    _ => tokens.push(":".into()),
                }
            }
            other => tokens.push(other.to_string()),
        }
    }
}

/// Every path in the code that starts with `root::`, with groups written out:
/// `std::{fs, io::{self, Read}}` is `std::fs`, `std::io`, `std::io::Read`.
pub fn paths(code: &str, root: &str) -> Vec<String> {
    let tokens = tokens(code);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let mut paths = Vec::new();
    for at in 0..tokens.len() {
        let starts = at == 0 || !["::", "."].contains(&tokens[at - 1]);
        if starts && tokens[at] == root && tokens.get(at + 1) == Some(&"::") {
            tree(&tokens, at + 2, root, &mut paths);
        }
    }
    paths
}

/// Reads one tree of a path from `at`, and returns where it ends.
fn tree(tokens: &[&str], at: usize, parent: &str, paths: &mut Vec<String>) -> usize {
    match tokens.get(at) {
        Some(&"{") => {
            let mut at = at + 1;
            while tokens.get(at).is_some_and(|token| *token != "}") {
                at = match tokens[at] {
                    "," => at + 1,
                    _ => tree(tokens, at, parent, paths),
                };
            }
            at + 1
        }
        Some(&"self") => {
            paths.push(parent.to_owned());
            at + 1
        }
        Some(word) => {
            let path = format!("{parent}::{word}");
            if tokens.get(at + 1) == Some(&"::") {
                return tree(tokens, at + 2, &path, paths);
            }
            paths.push(path);
            let renamed = tokens.get(at + 1) == Some(&"as");
            at + if renamed { 3 } else { 1 }
        }
        None => at,
    }
}

#[test]
fn groups_are_written_out_and_comments_and_strings_are_not_code() {
    let code = "use std::{\n fs as f, io::{self, Read},\n}; // std::net\n\
                fn f() { let x = \"std::process\"; std::env::var(a) + x::std::a }";
    let expected = ["std::fs", "std::io", "std::io::Read", "std::env::var"];
    assert_eq!(expected, paths(code, "std")[..]);
}
