//! What every stage's tests ask of it.
//!
//! `UPDATE_TRANSCRIPTS=1 cargo test` rewrites the transcripts from what the stages
//! print; read the difference before you commit it.

#![allow(dead_code)] // Each test target uses a part of this.

pub mod limit;
#[cfg(target_os = "linux")]
pub mod marks;
pub mod messages;
pub mod notes;
pub mod plan;
#[cfg(target_os = "linux")]
pub mod processes;
pub mod scripted;
pub mod serving;
pub mod wire;

use assert_cmd::Command;
use predicates::prelude::*;
use std::{
    fs,
    panic::resume_unwind,
    path::Path,
    process::{Command as Process, Output, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// How long anything may take that should come at once.
pub const LIMIT: Duration = Duration::from_secs(10);

/// `body` on a separate thread: one that never ends fails its own test only.
#[track_caller]
pub fn within<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, ended) = channel::<()>();
    let thread = thread::spawn(move || {
        let _done = done; // dropped at the end, and by a panic
        body()
    });
    if ended.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
        panic!("it took longer than {LIMIT:?}");
    }
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// Runs the stage and compares its whole standard output with the transcript, a path
/// from the package's root.
#[track_caller]
pub fn assert_transcript(mut stage: Command, transcript: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(transcript);
    let run = stage.assert().success().stderr("");
    let printed = String::from_utf8(run.get_output().stdout.clone()).expect("UTF-8");
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some_and(|value| value == "1") {
        fs::write(&file, printed).expect("the transcript can be written");
        return;
    }
    let expected = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{transcript}: {error}"))
        .replace("\r\n", "\n"); // as a checkout on Windows may have it
    if let Some(difference) = difference(&expected, &printed) {
        panic!(
            "the output is not {transcript}\n{difference}\
             if the new output is right: UPDATE_TRANSCRIPTS=1 cargo test"
        );
    }
}

/// The lines that differ, `-` expected and `+` printed; `None` if all are equal.
pub fn difference(expected: &str, printed: &str) -> Option<String> {
    if expected == printed {
        return None;
    }
    let (old, new): (Vec<_>, Vec<_>) =
        (expected.split('\n').collect(), printed.split('\n').collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old.iter().rev().zip(new.iter().rev());
    let end = end.take_while(|(old, new)| old == new).count();
    let mut text = format!("from line {}:\n", start + 1);
    for (mark, lines) in [('-', old), ('+', new)] {
        for line in &lines[..lines.len() - end] {
            text.push_str(&format!("{mark} {line}\n"));
        }
    }
    Some(text)
}

#[track_caller]
pub fn assert_help_says(mut stage: Command, text: &'static str) {
    let said = predicate::str::contains(text);
    stage.arg("--help").assert().code(0).stdout(said).stderr("");
}

#[track_caller]
pub fn assert_unknown_flag_is_wrong_usage(mut stage: Command) {
    let run = stage.arg("--no-such-flag").assert().code(2).stdout("");
    assert_one_line(&run.get_output().stderr, "error: unexpected argument");
}

/// The reader is gone, as when output goes to `head`: that is not a failure.
#[track_caller]
pub fn assert_closed_pipe_is_quiet(stage: &Path, arguments: &[&str]) {
    let output = run_into(stage, arguments, closed_pipe());
    assert_eq!((Some(0), ""), (output.status.code(), text(&output.stderr)));
}

#[track_caller]
#[cfg(target_os = "linux")]
pub fn assert_full_disk_is_a_failure(stage: &Path, arguments: &[&str]) {
    let full = fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let output = run_into(stage, arguments, full.into());
    assert_eq!(Some(1), output.status.code());
    assert_one_line(&output.stderr, "error: cannot write the output: ");
}

/// A pipe whose reader is gone before the stage starts.
fn closed_pipe() -> Stdio {
    let mut reader = Process::new(env!("CARGO"))
        .arg("--version")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("cargo starts");
    let pipe = reader.stdin.take().expect("its stdin is piped");
    reader.wait().expect("cargo ends");
    pipe.into()
}

fn run_into(stage: &Path, arguments: &[&str], stdout: Stdio) -> Output {
    let stage = Process::new(stage)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .spawn();
    stage.and_then(|child| child.wait_with_output()).expect("the stage runs")
}

#[track_caller]
fn assert_one_line(stderr: &[u8], start: &str) {
    let said = text(stderr);
    assert!(said.starts_with(start), "expected `{start}…`, got `{said}`");
    assert_eq!(1, said.lines().count(), "more than one line: {said}");
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}
