//! Colour is for a terminal.
#![cfg(unix)]

use rustix::{
    fs::{Mode, OFlags},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};
use std::{
    fs::File,
    io::Read,
    process::{Command, Stdio},
    thread,
};

/// Tests a program that exits at once, with a terminal as stdout. Returns what was written
/// to the terminal, and to stderr, which is a pipe.
fn written(options: &[&str]) -> (String, String) {
    let side = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&side).expect("granted");
    unlockpt(&side).expect("unlocked");
    let path = ptsname(&side, Vec::new()).expect("a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let end = rustix::fs::open(path, flags, Mode::empty()).expect("opened");
    let screen = thread::spawn(move || {
        let mut bytes = Vec::new();
        // On Linux it ends with the error EIO.
        let _ = File::from(side).read_to_end(&mut bytes);
        bytes
    });
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-check"))
        .args(options)
        .args(["--", "true"])
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(end)
        .output()
        .expect("the checker starts");
    let screen = screen.join().expect("a screen");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&screen), text(&output.stderr))
}

#[test]
fn lines_on_a_terminal_are_coloured() {
    let (screen, stderr) = written(&[]);
    assert!(screen.starts_with("\u{1b}[31mFAIL\u{1b}[0m handshake "), "{screen}");
    assert_eq!("", stderr);
}

#[test]
fn lines_to_another_stream_are_plain_even_if_stdout_is_a_terminal() {
    let (screen, stderr) = written(&["--json"]);
    assert!(screen.starts_with("{\"stage\":3,"), "{screen}");
    assert!(stderr.starts_with("FAIL handshake "), "{stderr}");
    assert!(!stderr.contains('\u{1b}'), "{stderr}");
}
