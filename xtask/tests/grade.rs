//! Many submissions in one call, most of them broken or hostile: each costs its own row
//! only.
#![cfg(target_os = "linux")]

mod common;

use common::{output, read, root, stderr, stdout, write, xtask};
use std::{collections::BTreeMap, fs, os::unix::fs::symlink, path::Path};

const MODULES: [&str; 3] = ["jsonrpc.rs", "jsonrpc/members.rs", "jsonrpc/parse.rs"];
/// How many tests exercise 1 has, and its first two tasks.
fn tests(beginnings: &[&str]) -> usize {
    let grader = read(root().join("exercises/tests/01_jsonrpc_codec.rs"));
    let names = grader.lines().filter_map(|line| line.strip_prefix("fn "));
    names.filter(|name| beginnings.iter().any(|start| name.starts_with(start))).count()
}

fn solved(module: &str) -> String {
    read(root().join("src").join(module))
}

/// A project with solved modules in `src`, of which one is changed.
fn project(folder: &Path, module: &str, change: impl Fn(&str) -> String) {
    for name in MODULES {
        let text = solved(name);
        let text = if name == module { change(&text) } else { text };
        write(folder.join("src").join(name), text);
    }
}

/// A change of the first thing that encoding a message does.
fn encoding(code: &str) -> impl Fn(&str) -> String {
    move |text| {
        let head = "pub fn encode(&self) -> Vec<u8> {\n";
        assert!(text.contains(head), "{text}");
        text.replacen(head, &format!("{head}{code}\n"), 1)
    }
}

/// Adds code below everything else.
fn with(code: &str) -> impl Fn(&str) -> String {
    move |text| format!("{text}\n{code}\n")
}

fn same(text: &str) -> String {
    text.into()
}

/// Each by its name; what is expected stands in `EXPECTED`.
fn submissions(folder: &Path) {
    let at = |name: &str| folder.join(name);
    for module in MODULES {
        let stub = read(root().join("exercises/src").join(module));
        write(at("untouched").join("exercises/src").join(module), stub);
        write(at("fork").join("exercises/src").join(module), solved(module));
    }
    // The library of a fork is the course's: it is not what was handed in.
    project(&at("untouched"), "", same);
    write(at("fork/exercises/tests/01_jsonrpc_codec.rs"), "// deleted");
    write(at("fork/exercises/src/jsonrpc/unrepeated.rs"), "of another kind");

    project(&at("reference"), "", same);
    let marker = folder.join("marker").display().to_string();
    let build = format!("fn main() {{ std::fs::write({marker:?}, \"\").unwrap(); }}");
    write(at("reference/build.rs"), build);
    write(
        at("reference/Cargo.toml"),
        "[package]\nname = \"p\"\nbuild = \"build.rs\"\n",
    );
    write(at("reference/.cargo/config.toml"), "[build]\nrustc = \"/bin/false\"\n");

    let stub = read(root().join("exercises/src/jsonrpc/parse.rs"));
    project(&at("partial"), "jsonrpc/parse.rs", |_| stub.clone());
    project(&at("no-compile"), "jsonrpc.rs", with("const X: u8 = \"\";"));
    project(&at("no-rust"), "jsonrpc.rs", with("fn f( {"));
    project(&at("loop"), "jsonrpc.rs", encoding("#[allow(clippy::all)] loop {}"));
    project(&at("const-loop"), "jsonrpc.rs", with("const L: () = loop {};"));
    let doubling =
        "macro_rules! m { ($($t:tt)*) => { m! { $($t)* $($t)* } } } m! { a }";
    project(&at("macro-loop"), "jsonrpc.rs", with(doubling));
    let flood = "use std::io::Write; for _ in 0..1024 { \
                 let _ = std::io::stdout().write_all(&[b'a'; 1 << 20]); }";
    project(&at("flood"), "jsonrpc.rs", encoding(flood));
    let grow = "let mut all = Vec::new(); loop { all.push(vec![0u8; 16 << 20]); \
                if all.len() == usize::MAX { break; } }";
    project(&at("grow"), "jsonrpc.rs", encoding(grow));
    let deep = "fn deep(n: u64) -> u64 { if n == u64::MAX { 0 } else { 1 + deep(n + 1) } } \
                assert!(deep(std::hint::black_box(0)) > 0);";
    project(&at("deep"), "jsonrpc.rs", encoding(deep));
    let forge = "use std::io::Write; let _ = std::io::stdout().write_all(\
                 b\"test t1_1_absent_params_are_left_out ... ok\\n\
                 test result: ok. 1 passed; 0 failed;\\n\"); return Vec::new();";
    project(&at("forge"), "jsonrpc.rs", encoding(forge));

    project(
        &at("fork-bomb"),
        "jsonrpc.rs",
        encoding("std::process::Command::new(\"x\");"),
    );
    project(&at("exit"), "jsonrpc.rs", encoding("std::process::exit(0);"));
    let outside = format!("let _ = std::fs::write({marker:?}, \"\");");
    project(&at("outside"), "jsonrpc.rs", encoding(&outside));
    project(&at("re-export"), "jsonrpc.rs", |_| {
        "pub use mcp_from_scratch::jsonrpc::*;".into()
    });
    project(&at("huge"), "jsonrpc.rs", |_| "/".repeat((1 << 20) + 1));
    project(&at("missing"), "", same);
    fs::remove_file(at("missing/src/jsonrpc/members.rs")).expect("a file");
    project(&at("link"), "", same);
    fs::remove_file(at("link/src/jsonrpc.rs")).expect("a file");
    symlink(root().join("src/jsonrpc.rs"), at("link/src/jsonrpc.rs")).expect("a link");
    project(&at("binary"), "", same);
    write(at("binary/src/jsonrpc.rs"), [0, 159, 146, 150]);
    write(at("nothing/README.md"), "");
}

/// By submission: how many tests pass, the state, and words of a note.
fn expected() -> BTreeMap<&'static str, (usize, &'static str, &'static str)> {
    let all = tests(&["t1_"]);
    // Every test of 1.1 encodes a message.
    let not_encoding = all - tests(&["t1_1_"]);
    let place = "src/jsonrpc.rs:";
    BTreeMap::from([
        ("untouched", (0, "judged", "")),
        ("fork", (all, "judged", "exercises/src/jsonrpc/unrepeated.rs is given")),
        ("reference", (all, "judged", "")),
        ("partial", (tests(&["t1_1", "t1_2"]), "judged", "")),
        ("no-compile", (0, "does not compile", "mismatched types (src/")),
        ("no-rust", (0, "does not compile", place)),
        ("loop", (not_encoding, "judged", "")),
        ("const-loop", (0, "does not compile", "constant evaluation is taking a long")),
        // Or too much memory, whichever comes first.
        ("macro-loop", (0, "too slow", "the compiler")),
        ("flood", (not_encoding, "too much output", "printed more than is kept")),
        ("grow", (not_encoding, "too much memory", "had no memory left")),
        ("deep", (not_encoding, "ended early", "overflowed its stack")),
        ("forge", (not_encoding, "ended early", "without a verdict")),
        ("fork-bomb", (0, "refused", "std::process")),
        ("exit", (0, "refused", "std::process")),
        ("outside", (0, "refused", "std::fs")),
        ("re-export", (0, "refused", "src/jsonrpc.rs:1: mcp_from_scratch")),
        ("huge", (0, "refused", "longer than 1 MiB")),
        ("missing", (0, "missing", "src/jsonrpc/members.rs is missing")),
        ("link", (0, "refused", "src/jsonrpc.rs: a link")),
        ("binary", (0, "refused", "not UTF-8")),
        ("nothing", (0, "missing", "no exercises/src and no src")),
    ])
}

#[test]
fn each_submission_gets_its_own_row_whatever_the_others_do() {
    let folder = tempfile::tempdir().expect("a folder");
    submissions(folder.path());
    let csv = folder.path().join("grades.csv");
    let junit = folder.path().join("grades.xml");
    let expected = expected();
    let mut grade = xtask();
    grade.args(["grade", "--exercise", "1", "--compile-seconds", "40"]);
    grade.arg("--csv").arg(&csv).arg("--junit").arg(&junit);
    grade.args(expected.keys().map(|name| folder.path().join(name)));
    let graded = output(&mut grade);
    assert_eq!(Some(0), graded.status.code(), "{}", stderr(&graded));
    let (told, all) = (stdout(&graded), tests(&["t1_"]));
    let mut rows = vec!["submission,exercise,passed,tests,points,of,state".to_owned()];
    for (name, (passed, state, note)) in &expected {
        let points = 10 * passed / all;
        rows.push(format!("{name},01,{passed},{all},{points},10,{state}"));
        let line = format!("  {name} 01: ");
        let noted = told.lines().find(|told| told.starts_with(&line));
        match note.is_empty() {
            true => assert_eq!(None, noted),
            false => assert!(noted.is_some_and(|n| n.contains(note)), "{name}: {told}"),
        }
    }
    let macro_loop = format!("macro-loop,01,0,{all},0,10,");
    let written = read(&csv).replace(
        &format!("{macro_loop}too much memory"),
        &format!("{macro_loop}too slow"),
    );
    assert_eq!(rows, Vec::from_iter(written.lines().map(str::to_owned)), "{told}");
    assert!(!folder.path().join("marker").exists(), "nothing of a submission has run");
    let junit = read(&junit);
    assert_eq!(expected.len() * all, junit.matches("<testcase ").count());
    assert!(junit.contains("<error>refused: src/jsonrpc.rs: a link</error>"));
}

#[test]
fn a_wrong_command_line_is_exit_code_2() {
    for arguments in [
        &["grade"][..],
        &["grade", "/no/such/folder"],
        &["grade", ".", "--exercise", "9"],
    ] {
        let graded = output(xtask().args(arguments));
        assert_eq!(Some(2), graded.status.code(), "{}", stderr(&graded));
    }
}
