//! The launcher alone: what a program cannot do under a policy, whatever it tries.
#![cfg(target_os = "linux")]

mod common;

use common::{output, stderr, stdout, write, xtask};
use serde_json::{Value, json};
use std::{path::Path, process::Output, sync::OnceLock};
use tempfile::TempDir;

/// A program that tries what it is told, and says what came of it.
const PROGRAM: &str = r#"
use std::{env, fs, net, process::Command, thread, time::Duration};
fn main() {
    let arguments: Vec<String> = env::args().collect();
    let told = match &*arguments[1] {
        "write" => fs::write(&arguments[2], vec![0; 2 << 20]).map(drop),
        "read" => fs::read(&arguments[2]).map(drop),
        "start" => Command::new("/bin/true").status().map(drop),
        "udp" => net::UdpSocket::bind("127.0.0.1:0").map(drop),
        "tcp" => net::TcpStream::connect(&arguments[2]).map(drop),
        "allocate" => {
            let mut all = Vec::new();
            for _ in 0..200 { all.push(vec![1u8; 1 << 20]); }
            Ok(drop(all))
        }
        "threads" => (0..200).try_for_each(|_| {
            let sleep = || thread::sleep(Duration::from_secs(60));
            thread::Builder::new().spawn(sleep).map(drop)
        }),
        _ => Ok(()),
    };
    match told {
        Ok(()) => println!("done"),
        Err(error) => println!("refused: {error}"),
    }
}
"#;

fn program() -> &'static Path {
    static BUILT: OnceLock<TempDir> = OnceLock::new();
    let folder =
        BUILT.get_or_init(|| {
            let folder = tempfile::tempdir().expect("a folder");
            write(folder.path().join("program.rs"), PROGRAM);
            let rustc =
                output(
                    std::process::Command::new("rustc")
                        .current_dir(folder.path())
                        .args(["--edition", "2024", "-C", "debuginfo=0", "program.rs"]),
                );
            assert!(rustc.status.success(), "{}", stderr(&rustc));
            folder
        });
    static FILE: OnceLock<std::path::PathBuf> = OnceLock::new();
    FILE.get_or_init(|| folder.path().join("program"))
}

/// A policy under which everything above works, with some of it changed.
fn launched(changed: Value, arguments: &[&str]) -> Output {
    let system = ["/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache"];
    let mut policy = json!({
        "read": system, "write": [], "memory": 1u64 << 30, "file": 8 << 20,
        "threads": 1000, "alone": false, "user": null,
    });
    let changed = changed.as_object().expect("an object");
    policy.as_object_mut().expect("an object").extend(changed.clone());
    let read = policy["read"].as_array_mut().expect("a list");
    read.push(json!(program()));
    let mut command = xtask();
    command.arg("launch").arg(policy.to_string()).arg("--").arg(program());
    output(command.args(arguments))
}

fn says(expected: &str, ran: &Output) {
    let said = stdout(ran);
    assert!(said.starts_with(expected), "{said}{}", stderr(ran));
}

#[test]
fn a_file_is_written_in_the_folders_that_are_named_and_nowhere_else() {
    let (inside, outside) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let policy = json!({"write": [inside.path()]});
    let file = |folder: &TempDir| folder.path().join("file").display().to_string();
    says("done", &launched(policy.clone(), &["write", &file(&inside)]));
    says("refused", &launched(policy, &["write", &file(&outside)]));
    assert!(!outside.path().join("file").exists());
}

#[test]
fn a_file_is_read_only_where_it_is_named() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path().join("file"), "text");
    let file = folder.path().join("file").display().to_string();
    says("refused", &launched(json!({}), &["read", &file]));
    says("done", &launched(json!({"write": [folder.path()]}), &["read", &file]));
}

#[test]
fn a_file_does_not_grow_above_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    let policy = json!({"write": [folder.path()], "file": 1 << 20});
    let ran = launched(policy, &["write", &file.display().to_string()]);
    assert!(!stdout(&ran).starts_with("done"));
    assert_eq!(1 << 20, file.metadata().expect("a file").len());
}

#[test]
fn a_program_alone_starts_no_other_and_has_no_network() {
    says("done", &launched(json!({}), &["start"]));
    says("refused", &launched(json!({"alone": true}), &["start"]));
    says("done", &launched(json!({}), &["udp"]));
    says("refused", &launched(json!({"alone": true}), &["udp"]));
}

#[test]
fn nobody_is_reached_by_tcp() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    says("refused", &launched(json!({}), &["tcp", &address]));
}

#[test]
fn memory_has_an_end() {
    says("done", &launched(json!({}), &["allocate"]));
    let ran = launched(json!({"memory": 64 << 20}), &["allocate"]);
    assert_eq!("", stdout(&ran));
    assert!(stderr(&ran).contains("memory allocation of "), "{}", stderr(&ran));
}

/// As root too: the program runs as a user that is not.
#[test]
fn threads_have_an_end() {
    let root = rustix::process::geteuid().is_root();
    let user = root.then_some(49_000);
    says("done", &launched(json!({"threads": 1000, "user": user}), &["threads"]));
    says("refused", &launched(json!({"threads": 50, "user": user}), &["threads"]));
}

#[test]
fn a_program_that_is_not_there_is_one_clear_line() {
    let ran = output(xtask().args(["launch", r#"{"read":[],"write":[],"memory":1000000000,"file":0,"threads":9,"alone":true,"user":null}"#, "--", "/nothing"]));
    assert_eq!(Some(1), ran.status.code());
    assert!(stderr(&ran).starts_with("error: cannot start /nothing: "));
    assert_eq!(1, stderr(&ran).lines().count());
}
