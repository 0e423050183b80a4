//! The course's own server and client.

use crate::common::{report, skipped, violations};
use libtest_mimic::Trial;
use serde_json::Value;
use std::{
    path::PathBuf,
    process::{Command, Output},
    sync::OnceLock,
};

pub fn trials() -> Vec<Trial> {
    let trials = ["newline", "content-length"].map(|framing| {
        let name = |role| format!("course::{role}::{framing}").replace('-', "_");
        [
            Trial::test(name("server"), move || {
                let report =
                    report(&["--framing", framing], &[&stage("03-echo-server")]);
                assert_eq!(
                    (vec![], vec![]),
                    (violations(&report), skipped(&report)),
                    "{framing}"
                );
                Ok(())
            }),
            Trial::test(name("client"), move || {
                client(framing);
                Ok(())
            }),
        ]
    });
    trials.into_iter().flatten().collect()
}

fn client(framing: &str) {
    let client = stage("04-client-lifecycle");
    let command = [&*client, "--timeout", "2", "--framing", framing, "--call", "echo"];
    let command = [&command[..], &[r#"{"text":"hi"}"#, "--", "{server}"]].concat();
    let report = report(&["--stage", "4", "--framing", framing], &command);
    // It has one call at a time.
    let expected = (vec![], vec!["skip pairs-by-id".to_owned()]);
    assert_eq!(expected, (violations(&report), skipped(&report)), "{framing}");
}

/// The path of a program of the course, which cargo builds on the first call.
fn stage(name: &str) -> String {
    static BUILD: OnceLock<Output> = OnceLock::new();
    let output = BUILD.get_or_init(build);
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut programs = messages.filter_map(|message: Value| {
        Some(PathBuf::from(message["executable"].as_str()?))
    });
    let found = programs.find(|it| it.file_stem().is_some_and(|stem| stem == name));
    let found = found.unwrap_or_else(|| {
        panic!("no {name}: {}", String::from_utf8_lossy(&output.stderr))
    });
    found.into_os_string().into_string().expect("UTF-8")
}

/// Into the checker's own target folder and profile.
fn build() -> Output {
    let checker = PathBuf::from(env!("CARGO_BIN_EXE_mcp-check"));
    let profile = checker.parent().expect("a folder");
    let target = profile.parent().expect("a folder");
    let profile = match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(other) => other,
    };
    Command::new(env!("CARGO"))
        .args(["build", "--message-format=json", "--profile", profile])
        .args(["--bin", "03-echo-server", "--bin", "04-client-lifecycle"])
        .args([
            "--manifest-path",
            concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"),
        ])
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts")
}
