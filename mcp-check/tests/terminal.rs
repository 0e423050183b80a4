//! Colour is for a terminal.
#![cfg(unix)]

mod common;

use common::FAULTY;
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

/// Judges a right server with a terminal as stdout: what stands on the terminal, and
/// what came over stderr, which is a pipe.
fn judged(options: &[&str]) -> (String, String) {
    let side = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&side).expect("granted");
    unlockpt(&side).expect("unlocked");
    let path = ptsname(&side, Vec::new()).expect("a name");
    let flags = OFlags::RDWR | OFlags::NOCTTY;
    let end = rustix::fs::open(path, flags, Mode::empty()).expect("opened");
    let screen = thread::spawn(move || {
        let mut bytes = Vec::new();
        // Linux ends it with an error, EIO.
        let _ = File::from(side).read_to_end(&mut bytes);
        bytes
    });
    let output = Command::new(env!("CARGO_BIN_EXE_mcp-check"))
        .args(options)
        .args(["--", FAULTY, "server", "none", "newline"])
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
    let (screen, stderr) = judged(&[]);
    assert!(screen.starts_with("\u{1b}[32mok  \u{1b}[0m handshake "), "{screen}");
    assert_eq!("", stderr);
}

#[test]
fn lines_that_go_elsewhere_are_plain_even_if_stdout_is_a_terminal() {
    let (screen, stderr) = judged(&["--json"]);
    assert!(screen.starts_with("{\"stage\":3,"), "{screen}");
    assert!(stderr.starts_with("ok   handshake "), "{stderr}");
    assert!(!stderr.contains('\u{1b}'), "{stderr}");
}
