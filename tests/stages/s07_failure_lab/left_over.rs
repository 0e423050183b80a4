//! No process is left. The lab runs under a separate name here, so that whatever it
//! started is distinct from what the other tests start.

use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};
use tempfile::TempDir;

/// The lab under a separate name, which is gone with the directory. A link, since a
/// copy that another test's child inherits while it is written cannot be started.
fn own_lab() -> (TempDir, PathBuf) {
    let lab = cargo_bin!("07-failure-lab");
    let beside = lab.parent().expect("a directory");
    let directory = tempfile::tempdir_in(beside).expect("a directory");
    let file = directory.path().join("lab");
    fs::hard_link(lab, &file).expect("a link");
    (directory, file)
}

fn start(lab: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(lab);
    command.args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// The processes that run this file, and those that have its name as an argument. A zombie does
/// neither.
fn running(lab: &Path) -> Vec<String> {
    let is_here = |process: &PathBuf| {
        let executes = fs::read_link(process.join("exe")).is_ok_and(|exe| exe == lab);
        let told = fs::read(process.join("cmdline")).unwrap_or_default();
        let told = String::from_utf8_lossy(&told).into_owned();
        executes || told.contains(lab.to_str().expect("UTF-8"))
    };
    let processes = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    let here = processes.map(|entry| entry.path()).filter(is_here);
    here.map(|path| path.display().to_string()).collect()
}

/// Waits until it holds: a killed process may need a moment to go.
#[track_caller]
fn soon(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1000 {
        if holds() {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("{what}");
}

#[test]
fn a_running_server_is_found_and_a_killed_one_is_not() {
    let (_directory, lab) = own_lab();
    let mut server = start(&lab, &["--serve", "never-answering"]);
    soon("it is found", || running(&lab).len() == 1);
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    assert!(running(&lab).is_empty());
}

#[test]
fn all_ten_failures_leave_no_process() {
    let (_directory, lab) = own_lab();
    let status = start(&lab, &["all"]).wait().expect("it ends");
    assert_eq!(Some(0), status.code());
    soon("something is left", || running(&lab).is_empty());
}

#[test]
fn a_lab_that_is_interrupted_leaves_no_process() {
    for failure in ["orphan-child", "no-timeout"] {
        let (_directory, lab) = own_lab();
        let mut child = start(&lab, &[failure]);
        // The lab, its server, and for the orphan the wrapper.
        let all = if failure == "orphan-child" { 3 } else { 2 };
        soon("it starts", || running(&lab).len() == all);
        let id = child.id().try_into().expect("a small number");
        kill_process(Pid::from_raw(id).expect("not 0"), Signal::TERM).expect("it runs");
        assert_eq!(Some(130), child.wait().expect("it ends").code(), "{failure}");
        soon("something is left", || running(&lab).is_empty());
    }
}
