//! Rust sources as the checks see them: files, code without comments, used paths.

use std::{fs, path::Path};

/// One file, by its path from the package's root.
pub struct File {
    pub path: String,
    pub text: String,
}

pub fn read(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All `.rs` files below a directory of the package, sorted.
pub fn files_below(directory: &str) -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut files, mut open) = (Vec::new(), vec![root.join(directory)]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of the package") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let shown = path.strip_prefix(root).expect("below the root");
                let shown = shown.to_str().expect("UTF-8").replace('\\', "/");
                files.push(File { text: read(&shown), path: shown });
            }
        }
    }
    assert!(!files.is_empty(), "nothing below {directory}");
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The code without comments, and with every string literal empty. The sources have no
/// block comments.
pub fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let in_word = code.ends_with(|c: char| c.is_alphanumeric() && c != 'b');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(length) = string_length(rest).filter(|_| !in_word) {
            code.push_str("\"\"");
            length
        } else if rest.starts_with("'\"'") {
            3 // the character opens no string
        } else {
            code.push(first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    code
}

/// The length of the string literal that `text` begins with, if it does.
fn string_length(text: &str) -> Option<usize> {
    let hashes =
        text.strip_prefix('r').map(|raw| raw.len() - raw.trim_start_matches('#').len());
    if let Some(hashes) = hashes {
        let inside = text[1 + hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(2 + hashes + inside.find(&end)? + end.len());
    }
    let mut escaped = false;
    let end = text.strip_prefix('"')?.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    });
    Some(end? + 2)
}

/// Every path in the code that starts with `root::`, with groups written out:
/// `std::{fs, io::{self, Read}}` is `std::fs`, `std::io`, `std::io::Read`.
pub fn paths(code: &str, root: &str) -> Vec<String> {
    let tokens = tokens(code);
    let mut paths = Vec::new();
    for at in 0..tokens.len() {
        let starts = at == 0 || !["::", "."].contains(&tokens[at - 1]);
        if starts && tokens[at] == root && tokens.get(at + 1) == Some(&"::") {
            tree(&tokens, at + 2, root, &mut paths);
        }
    }
    paths
}

/// Words and `::`; all other signs one by one, blanks dropped.
pub fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    tokens
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
fn comments_and_strings_are_no_code() {
    let text = r##"a // b "c
"d // e\" f\\" g '"' h r#"i "j" k"# l br"\" m var"n"
/// o
"##;
    assert_eq!("a \n\"\" g  h \"\" l b\"\" m var\"n\"\n\n", code(text));
}

#[test]
fn groups_are_written_out() {
    let code =
        "use std::{\n fs as f, io::{self, Read},\n}; std::env::var(a) + x::std::a";
    let expected = ["std::fs", "std::io", "std::io::Read", "std::env::var"];
    assert_eq!(expected, paths(code, "std")[..]);
}

#[test]
fn every_file_of_the_house_is_found() {
    let paths: Vec<_> = files_below("src").into_iter().map(|file| file.path).collect();
    for path in ["src/lib.rs", "src/frame.rs", "src/server/session.rs"] {
        assert!(paths.iter().any(|found| found == path), "{path}: {paths:?}");
    }
}

/// Otherwise [`code`] would have to know them.
#[test]
fn the_sources_have_no_block_comments() {
    for file in files_below("src").iter().chain(&files_below("chapters")) {
        assert!(!code(&file.text).contains("/*"), "{}", file.path);
    }
}
