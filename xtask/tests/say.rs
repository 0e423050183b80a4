//! What the commands print, when nobody reads it or nothing can be written.
#![cfg(unix)]

mod common;

use common::{output, stderr, stdout, xtask};
use std::{
    fs::{self, File},
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::Stdio,
};

/// A stdout that nobody reads, from the first byte on.
fn closed() -> Stdio {
    let (ours, theirs) = UnixStream::pair().expect("two ends");
    drop(ours);
    OwnedFd::from(theirs).into()
}

#[test]
fn a_reader_that_has_gone_away_is_no_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = folder.path().join("project");
    let project = project.to_str().expect("text");
    for arguments in
        [&["stubs", "--check"][..], &["pictures", "--check"], &["start", project]]
    {
        let ran = output(xtask().args(arguments).stdout(closed()));
        let told = (ran.status.code(), stderr(&ran));
        assert_eq!((Some(0), String::new()), told, "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_full_is_an_error() {
    let full = File::options().write(true).open("/dev/full").expect("a device");
    let ran = output(xtask().args(["stubs", "--check"]).stdout(full));
    assert_eq!(Some(1), ran.status.code());
    let said = stderr(&ran);
    assert!(said.starts_with("error: cannot write to stdout: "), "{said}");
    assert_eq!(1, said.lines().count(), "{said}");
}

/// One line alone: nothing was built or judged before it.
#[test]
fn a_file_that_cannot_be_written_is_refused_before_anything_is_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().join("grades.csv");
    fs::write(&there, "what was there").expect("a file");
    for option in ["--csv", "--junit"] {
        let impossible = there.join("below-a-file");
        for path in [folder.path(), &impossible] {
            let mut grade = xtask();
            grade.args(["grade", "."]).arg(option).arg(path);
            let ran = output(&mut grade);
            assert_eq!((Some(1), String::new()), (ran.status.code(), stdout(&ran)));
            let said = stderr(&ran);
            assert!(said.starts_with("error: cannot "), "{said}");
            assert_eq!(1, said.lines().count(), "{said}");
        }
    }
    assert_eq!("what was there", fs::read_to_string(there).expect("a file"));
}
