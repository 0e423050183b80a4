//! Nothing prints, nothing gives up, and every file fits the book.

use crate::source::{File, code, files_below, tokens};

/// In lines.
const LONGEST_FILE: usize = 300;
/// In characters: the book's column.
const WIDEST_LINE: usize = 88;

fn sources() -> Vec<File> {
    let mut files = files_below("src");
    files.extend(files_below("chapters"));
    files
}

/// Macros and calls that have no place in the library and the stages.
fn forbidden(text: &str) -> Vec<String> {
    let code = code(text);
    let tokens = tokens(&code);
    let mut found = Vec::new();
    for window in tokens.windows(2) {
        match window {
            [
                name @ ("print" | "println" | "eprint" | "eprintln" | "dbg" | "todo"
                | "unimplemented"),
                "!",
            ] => found.push(format!("{name}!")),
            [".", "unwrap"] => found.push("unwrap".into()),
            _ => {}
        }
    }
    found
}

/// What does not fit the book's page, by line; line 0 is the whole file.
fn too_big(text: &str) -> Vec<(usize, usize)> {
    let wide = text.lines().enumerate().map(|(n, line)| (n + 1, line.chars().count()));
    let mut found: Vec<_> = wide.filter(|(_, width)| *width > WIDEST_LINE).collect();
    if text.lines().count() > LONGEST_FILE {
        found.push((0, text.lines().count()));
    }
    found
}

/// Standard output belongs to frames, and to what a stage prints through its `Out`.
#[test]
fn nothing_prints_by_itself_and_nothing_is_left_unfinished() {
    for file in sources() {
        assert_eq!(Vec::<String>::new(), forbidden(&file.text), "{}", file.path);
    }
}

#[test]
fn every_file_fits_the_book() {
    let big = |file: &File| {
        let places = too_big(&file.text).into_iter();
        let path = file.path.clone();
        places.map(move |(line, size)| format!("{path}:{line}: {size}"))
    };
    let wrong: Vec<_> = sources().iter().flat_map(big).collect();
    assert_eq!(Vec::<String>::new(), wrong, "(line 0: the number of lines)");
}

#[test]
fn a_print_and_an_unfinished_place_are_found() {
    for (what, text) in [
        ("print!", "print!(\"{x}\")"),
        ("println!", "std::println!()"),
        ("eprint!", "eprint !(\"a\")"),
        ("eprintln!", "f(); eprintln!(\"a\");"),
        ("dbg!", "let x = dbg!(y);"),
        ("todo!", "todo!()"),
        ("unimplemented!", "unimplemented!(\"later\")"),
        ("unwrap", "x\n    .unwrap()"),
    ] {
        assert_eq!([what], forbidden(text)[..], "{text}");
    }
    let fine =
        "/// Unlike `eprintln!`.\nwriteln!(to, \"println!\"); x.unwrap_or(y); unwrap";
    assert_eq!(Vec::<String>::new(), forbidden(fine));
}

#[test]
fn a_wide_line_and_a_long_file_are_found() {
    assert_eq!([(2, 89)], too_big(&format!("a\n{}", "é".repeat(89)))[..]);
    assert_eq!([(0, 301)], too_big(&"a\n".repeat(301))[..]);
    let fine = format!("{}\n", "服".repeat(88)).repeat(300);
    assert_eq!(Vec::<(usize, usize)>::new(), too_big(&fine));
}
