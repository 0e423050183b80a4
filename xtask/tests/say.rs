//! The commands when their stdout is closed or full, or a file cannot be written.
#![cfg(unix)]

mod common;

use common::{output, stderr, stdout, xtask};
use std::{
    fs::{self, File},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::Stdio,
};

/// A stdout whose reader is closed from the start.
fn closed() -> Stdio {
    let (ours, theirs) = UnixStream::pair().expect("two ends");
    drop(ours);
    OwnedFd::from(theirs).into()
}

#[test]
fn a_closed_stdout_is_not_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("project");
    let project = project.to_str().expect("text");
    for arguments in [&["stubs", "--check"][..], &["start", project]] {
        let ran = output(xtask().args(arguments).stdout(closed()));
        let reported = (ran.status.code(), stderr(&ran));
        assert_eq!((Some(0), String::new()), reported, "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = File::options().write(true).open("/dev/full").expect("a device");
    let ran = output(xtask().args(["stubs", "--check"]).stdout(full));
    assert_eq!(Some(1), ran.status.code());
    let error = stderr(&ran);
    assert!(error.starts_with("error: cannot write to stdout: "), "{error}");
    assert_eq!(1, error.lines().count(), "{error}");
}

/// Exactly one line is printed: nothing was built or graded before it.
#[test]
fn a_file_that_cannot_be_written_is_reported_before_anything_is_graded() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("grades.csv");
    fs::write(&file, "old content").expect("a file");
    for option in ["--csv", "--junit"] {
        let impossible = file.join("below-a-file");
        for path in [folder.path(), &impossible] {
            let mut grade = xtask();
            grade.args(["grade", "."]).arg(option).arg(path);
            let ran = output(&mut grade);
            assert_eq!((Some(1), String::new()), (ran.status.code(), stdout(&ran)));
            let error = stderr(&ran);
            assert!(error.starts_with("error: cannot "), "{error}");
            assert_eq!(1, error.lines().count(), "{error}");
        }
    }
    assert_eq!("old content", fs::read_to_string(file).expect("a file"));
}
