//! Grading that is ended from outside leaves nothing behind.
#![cfg(target_os = "linux")]

mod common;

use common::{processes, read, root, sandbox, write, xtask};
use exercises::course::EXERCISES;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The compilers that work below a folder.
fn compilers(folder: &Path) -> Vec<u32> {
    let folder = folder.display().to_string();
    let is_rustc = |id: &u32| {
        let name = fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
        name.trim() == "rustc"
    };
    processes(&folder).into_iter().filter(is_rustc).collect()
}

#[track_caller]
fn until(what: &str, so: impl Fn() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(300), "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The folder of the solution that is being graded: a temporary folder in another one.
fn scratch(temporary: &Path) -> Option<PathBuf> {
    let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
    let mut inner = entries(temporary).flat_map(|folder| entries(&folder.path()));
    inner.next().map(|entry| entry.path())
}

/// Grades a module that the compiler never finishes, and sends a signal meanwhile.
fn ended_by(signal: Signal, temporary: &Path) -> ExitStatus {
    let folder = tempfile::tempdir().expect("a folder");
    let endless = "#[allow(long_running_const_eval)] const L: () = loop {};";
    for name in EXERCISES[0].modules {
        let text = read(root().join("src").join(name));
        write(folder.path().join("src").join(name), format!("{text}\n{endless}\n"));
    }
    let mut grade = xtask();
    grade
        .args(["grade", "--exercise", "1", "--compile-seconds", "900"])
        .args(["--jobs", "1"])
        .arg(folder.path());
    grade.env("TMPDIR", temporary).stderr(Stdio::null()).stdout(Stdio::null());
    let mut child = grade.spawn().expect("xtask");
    // The course's own solution comes first.
    until("a folder is made", || scratch(temporary).is_some());
    let own = scratch(temporary).expect("a folder");
    until("the endless compiler works", || {
        let next = scratch(temporary).filter(|next| *next != own);
        next.is_some_and(|next| !compilers(&next).is_empty())
    });
    let id = Pid::from_raw(i32::try_from(child.id()).expect("an id")).expect("an id");
    kill_process(id, signal).expect("a signal");
    let status = child.wait().expect("an end");
    until("no compiler works", || compilers(temporary).is_empty());
    status
}

#[test]
fn a_signal_ends_the_compiler_and_leaves_no_folder() {
    if !sandbox() {
        return;
    }
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let temporary = tempfile::tempdir().expect("a folder");
        let status = ended_by(signal, temporary.path());
        assert_eq!(Some(code), status.code());
        let left = fs::read_dir(temporary.path()).expect("a folder").count();
        assert_eq!(0, left, "{signal:?}");
    }
}

/// No program can catch this signal.
#[test]
fn a_compiler_does_not_outlive_a_grading_that_was_killed() {
    if !sandbox() {
        return;
    }
    let temporary = tempfile::tempdir().expect("a folder");
    ended_by(Signal::KILL, temporary.path());
}
