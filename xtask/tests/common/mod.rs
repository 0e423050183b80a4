//! What these tests share: the course, and commands.
#![allow(dead_code)]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output},
};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub fn xtask() -> Command {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
}

pub fn output(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn write(path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
    let path = path.as_ref();
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// All files below a folder.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    files
}

/// Whether bubblewrap works here. Prints why a test is skipped; with MCP_SANDBOX=1 it
/// fails in place of that.
pub fn sandbox() -> bool {
    let probe = ["--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "true"];
    let why = match Command::new("bwrap").args(probe).output() {
        Ok(probe) if probe.status.success() => return true,
        Ok(probe) => stderr(&probe).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    assert!(std::env::var_os("MCP_SANDBOX").is_none(), "bubblewrap: {why}");
    // Not `eprintln`, which the test harness hides.
    writeln!(std::io::stderr(), "skipped: bubblewrap does not work: {why}")
        .expect("stderr");
    false
}

/// The processes that run with these words in their command line.
pub fn processes(words: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let has = |id: &u32| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
    };
    ids.filter(has).collect()
}
