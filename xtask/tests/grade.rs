//! Many submissions in one call, most of them broken or hostile: each costs its own row
//! only.
#![cfg(target_os = "linux")]

mod common;

use common::{output, processes, read, root, sandbox, stderr, stdout, write, xtask};
use exercises::course::EXERCISES;
use std::{
    fs,
    net::TcpListener,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

const MODULES: &[&str] = EXERCISES[0].modules;

/// How many tests the grader of exercise 1 has in the files with such names.
fn tests(beginning: &str) -> usize {
    let files =
        common::below(&root().join("exercises/tests").join(EXERCISES[0].target));
    let has_name = |file: &PathBuf| {
        file.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(beginning))
    };
    let texts = files.into_iter().filter(has_name).map(read);
    texts.map(|text| text.matches("#[test]\n").count()).sum()
}

/// A project with the course's modules in `src`; the first one is changed.
fn project(folder: &Path, change: impl Fn(&str) -> String) {
    for name in MODULES {
        let text = read(root().join("src").join(name));
        let text = if *name == MODULES[0] { change(&text) } else { text };
        write(folder.join("src").join(name), text);
    }
}

/// Code that runs whenever a message is encoded, which every test of task 1.1 does.
fn when_encoding(code: &str, text: &str) -> String {
    let head = "pub fn encode(&self) -> Vec<u8> {\n";
    assert!(text.contains(head), "{text}");
    text.replacen(head, &format!("{head}{code};\n"), 1)
}

/// A name, code, the state, and words of a note.
type Case = (&'static str, String, &'static str, &'static str);

/// Code for [`when_encoding`].
fn hostile(outside: &Path, port: u16, sleep: &str) -> Vec<Case> {
    let (file, secret) = (outside.join("marker"), outside.join("secret"));
    let grow = "let mut all = Vec::new(); loop { all.push(vec![1u8; 16 << 20]); \
                if all.len() == 1 << 20 { break; } }";
    let flood = "use std::io::Write; for _ in 0..1024 { \
                 let _ = std::io::stdout().write_all(&[b'a'; 1 << 20]); }";
    // The harness has printed the beginning of the first line.
    let forge = "use std::io::Write; let _ = std::io::stdout().write_all(b\"ok\\n\
                 test zz_last_0 ... ok\\n\\ntest result: ok. 2 passed; 0 failed; \
                 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\\n\\n\"); \
                 std::process::exit(0)";
    let deep = "fn deep(n: u64) -> u64 { if n == 0 { 0 } else { 1 + deep(n - 1) } } \
                assert!(deep(std::hint::black_box(u64::MAX)) > 0)";
    let bomb = "loop { std::process::Command::new(\"/usr/bin/sleep\")\
                .arg(\"9\").spawn().unwrap(); }";
    let connect =
        format!("std::net::TcpStream::connect((\"127.0.0.1\", {port})).unwrap()");
    let leave = format!(
        "std::process::Command::new(\"setsid\").args([\"sleep\", {sleep:?}])\
         .spawn().unwrap(); panic!()"
    );
    vec![
        ("deep", deep.into(), "ended early", "overflowed its stack"),
        ("exit", "std::process::exit(0)".into(), "ended early", "with exit code 0"),
        ("flood", flood.into(), "too much output", "printed too much"),
        ("forge", forge.into(), "ended early", "read src/jsonrpc.rs:"),
        ("fork-bomb", bomb.into(), "graded", "it contains `process::`"),
        ("grow", grow.into(), "out of memory", "ran out of memory"),
        ("leave", leave, "graded", "it contains `process::`"),
        ("loop", "#[allow(clippy::all)] loop {}".into(), "graded", ""),
        ("network", connect, "graded", "it contains `net::`"),
        ("read", format!("std::fs::read({secret:?}).unwrap()"), "graded", "`fs::`"),
        (
            "write",
            format!("std::fs::write({file:?}, \"\").unwrap()"),
            "graded",
            "`fs::`",
        ),
    ]
}

/// Code below everything else, with which the module does not compile.
fn broken(outside: &Path) -> Vec<Case> {
    let secret = outside.join("secret");
    let include = format!("const S: &str = include_str!({secret:?});");
    let endless = "#[allow(long_running_const_eval)] const L: () = loop {};";
    vec![
        ("endless", endless.into(), "timed out", "the compiler did not end in time"),
        ("include", include, "does not compile", "No such file"),
        ("no-rust", "fn f( {".into(), "does not compile", "(src/jsonrpc.rs:"),
    ]
}

/// Submissions whose modules cannot be read.
fn unreadable(folder: &Path) -> [Case; 4] {
    let module = |name| folder.join(name).join("src/jsonrpc.rs");
    for name in ["binary", "huge", "link", "missing"] {
        project(&folder.join(name), str::to_owned);
    }
    write(module("binary"), [0, 159, 146, 150]);
    write(module("huge"), "/".repeat((1 << 20) + 1));
    fs::remove_file(module("link")).expect("a file");
    symlink(root().join("src/jsonrpc.rs"), module("link")).expect("a link");
    fs::remove_file(module("missing")).expect("a file");
    [
        ("binary", String::new(), "refused", "src/jsonrpc.rs: is not UTF-8"),
        ("huge", String::new(), "refused", "is longer than 1 MiB"),
        ("link", String::new(), "refused", "is behind a symbolic link"),
        ("missing", String::new(), "missing", "src/jsonrpc.rs is missing"),
    ]
}

/// A fork whose own library, grader and build script do not count.
fn fork(folder: &Path) {
    project(folder, |_| "not Rust".into());
    for name in MODULES {
        let text = read(root().join("src").join(name));
        write(folder.join("exercises/src").join(name), text);
    }
    write(folder.join("exercises/tests/01_jsonrpc_codec.rs"), "not Rust");
    write(folder.join("build.rs"), "not Rust");
    write(folder.join(".cargo/config.toml"), "[build]\nrustc = \"/bin/false\"\n");
}

#[test]
fn a_hostile_submission_costs_only_its_own_row() {
    if !sandbox() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let sleep = format!("98765.{}", std::process::id());
    write(folder.join("secret"), "\"a secret\"");
    let (all, not_encoding) = (tests(""), tests("") - tests("t1_1"));
    let mut expected = Vec::new();
    for case in broken(folder) {
        project(&folder.join(case.0), |text| format!("{text}\n{}\n", case.1));
        expected.push((case, 0));
    }
    for case in hostile(folder, port, &sleep) {
        project(&folder.join(case.0), |text| when_encoding(&case.1, text));
        expected.push((case, not_encoding));
    }
    expected.extend(unreadable(folder).map(|case| (case, 0)));
    // A name that must be escaped on a terminal and in a spreadsheet.
    let good = folder.join("=good\u{1b}[31m");
    fork(&good);

    let (csv, junit) = (folder.join("grades.csv"), folder.join("grades.xml"));
    let mut grade = xtask();
    grade.args(["grade", "--exercise", "1", "--compile-seconds", "20"]);
    grade.arg("--csv").arg(&csv).arg("--junit").arg(&junit);
    grade.args(expected.iter().map(|((name, ..), _)| folder.join(name))).arg(good);
    let graded = output(&mut grade);
    assert_eq!(Some(0), graded.status.code(), "{}", stderr(&graded));
    let text = stdout(&graded);
    let mut rows = vec!["submission,exercise,passed,tests,points,of,state".to_owned()];
    for ((name, _, state, note), passed) in &expected {
        let points = 10 * passed / all;
        rows.push(format!("{name},01,{passed},{all},{points},10,{state}"));
        let line = format!("  {name} 01: ");
        let noted =
            text.lines().find(|text| text.starts_with(&line)).unwrap_or_default();
        assert!(noted.contains(note) && noted.is_empty() == note.is_empty(), "{text}");
    }
    rows.push(format!("'=good\\u{{1b}}[31m,01,{all},{all},10,10,graded"));
    assert!(!text.contains('\u{1b}'), "{text}");
    assert_eq!(rows, Vec::from_iter(read(&csv).lines().map(str::to_owned)), "{text}");
    let junit = read(&junit);
    assert_eq!(expected.len() * all + all, junit.matches("<testcase ").count());
    assert!(junit.contains("src/jsonrpc.rs: is behind a symbolic link"), "{junit}");
    assert!(!folder.join("marker").exists(), "a submission wrote outside its folder");
    listener.set_nonblocking(true).expect("a listener");
    assert!(listener.accept().is_err(), "a submission reached the network");
    assert!(processes(&sleep).is_empty(), "a submission left a process");
}

/// Without bubblewrap nothing is built, compiled or run.
#[test]
fn without_a_sandbox_only_the_option_lets_it_continue() {
    let folder = tempfile::tempdir().expect("a folder");
    project(&folder.path().join("ada"), str::to_owned);
    let mut grade = xtask();
    grade.args(["grade", "--exercise", "1"]).arg(folder.path().join("ada"));
    let refused = output(grade.env("PATH", folder.path()));
    assert_eq!((Some(1), String::new()), (refused.status.code(), stdout(&refused)));
    assert!(stderr(&refused).contains("or use --no-sandbox"), "{}", stderr(&refused));
    let mut grade = xtask();
    grade.args(["grade", "--exercise", "1", "--no-sandbox"]);
    let graded = output(grade.arg(folder.path().join("ada")));
    let text = stdout(&graded);
    assert!(text.contains("10/10") && text.contains("WARNING: no sandbox"), "{text}");
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
