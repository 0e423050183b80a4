//! The lab leaves no process. It runs under a separate name here, to distinguish its
//! processes from those of other tests.

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

/// The lab under a separate name, in a directory that is removed later. It is a link: a
/// copy cannot be started while another test's child has it open for writing.
fn own_lab() -> (TempDir, PathBuf) {
    let lab = cargo_bin!("07-failure-lab");
    let folder = lab.parent().expect("a directory");
    let directory = tempfile::tempdir_in(folder).expect("a directory");
    let file = directory.path().join("lab");
    fs::hard_link(lab, &file).expect("a link");
    (directory, file)
}

fn start(lab: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(lab);
    command.args(arguments).stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
}

/// The processes that run this file or have its name as an argument. A zombie has
/// neither.
fn running(lab: &Path) -> Vec<String> {
    let is_here = |process: &PathBuf| {
        let executes = fs::read_link(process.join("exe")).is_ok_and(|exe| exe == lab);
        let arguments = fs::read(process.join("cmdline")).unwrap_or_default();
        let arguments = String::from_utf8_lossy(&arguments).into_owned();
        executes || arguments.contains(lab.to_str().expect("UTF-8"))
    };
    let processes = fs::read_dir("/proc").expect("/proc").filter_map(Result::ok);
    let here = processes.map(|entry| entry.path()).filter(is_here);
    here.map(|path| path.display().to_string()).collect()
}

/// Waits for a condition: a killed process may need a moment to end.
#[track_caller]
fn wait_until(what: &str, holds: impl Fn() -> bool) {
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
    let mut server = start(&lab, &["--serve", "never-responding"]);
    wait_until("the server was not found", || running(&lab).len() == 1);
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    assert!(running(&lab).is_empty());
}

#[test]
fn all_ten_failures_leave_no_process() {
    let (_directory, lab) = own_lab();
    let status = start(&lab, &["all"]).wait().expect("it ends");
    assert_eq!(Some(0), status.code());
    wait_until("a process is left", || running(&lab).is_empty());
}

#[test]
fn a_lab_that_is_interrupted_leaves_no_process() {
    for failure in ["orphan-child", "no-timeout"] {
        let (_directory, lab) = own_lab();
        let mut child = start(&lab, &[failure]);
        // The lab, its server, and for the orphan the wrapper.
        let all = if failure == "orphan-child" { 3 } else { 2 };
        wait_until("the processes did not start", || running(&lab).len() == all);
        let id = child.id().try_into().expect("a small number");
        kill_process(Pid::from_raw(id).expect("not 0"), Signal::TERM).expect("it runs");
        assert_eq!(Some(130), child.wait().expect("it ends").code(), "{failure}");
        wait_until("a process is left", || running(&lab).is_empty());
    }
}
