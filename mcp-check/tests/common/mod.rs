//! Runs the checker as a process, as a user does.

#![allow(dead_code)] // each test target uses some of it

use serde_json::Value;
use std::{
    path::PathBuf,
    process::{Command, Output, Stdio},
    sync::OnceLock,
};

pub const FAULTY: &str = env!("CARGO_BIN_EXE_faulty-peer");

pub fn checker(options: &[&str], command: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mcp-check"))
        .args(options)
        .arg("--")
        .args(command)
        .stdin(Stdio::null())
        .output()
        .expect("the checker starts")
}

/// The report of a run with `--json`.
pub fn report(options: &[&str], command: &[&str]) -> Value {
    let output = checker(&[&["--json"], options].concat(), command);
    let report = serde_json::from_slice(&output.stdout);
    report.unwrap_or_else(|error| {
        panic!("no JSON: {error}: {}", String::from_utf8_lossy(&output.stderr))
    })
}

/// What did not pass, as `FAIL id` and `warn id`, in the order of the checks.
pub fn broken(report: &Value) -> Vec<String> {
    with_outcome(report, &["fail", "warn"])
}

pub fn skipped(report: &Value) -> Vec<String> {
    with_outcome(report, &["skip"])
}

fn with_outcome(report: &Value, outcomes: &[&str]) -> Vec<String> {
    let checks = report["checks"].as_array().expect("checks");
    let text = |check: &Value| {
        let (outcome, id) = (check["outcome"].as_str()?, check["id"].as_str()?);
        outcomes.contains(&outcome).then(|| format!("{outcome} {id}"))
    };
    checks.iter().filter_map(text).collect()
}

/// A program of the course. Cargo builds it on the first call, if it is not there.
pub fn stage(name: &str) -> PathBuf {
    static BUILT: OnceLock<Vec<PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(build);
    let is_it = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == name);
    built.iter().find(is_it).unwrap_or_else(|| panic!("no {name}")).clone()
}

/// Beside the checker itself, so in the same target folder and profile.
fn build() -> Vec<PathBuf> {
    let checker = PathBuf::from(env!("CARGO_BIN_EXE_mcp-check"));
    let profile = checker.parent().expect("a folder");
    let target = profile.parent().expect("a folder");
    let profile = match profile.file_name().and_then(|name| name.to_str()) {
        Some("debug") | None => "dev",
        Some(other) => other,
    };
    let output = Command::new(env!("CARGO"))
        .args([
            "build",
            "--message-format=json",
            "--profile",
            profile,
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .args(["--bin", "03-echo-server", "--bin", "04-client-lifecycle"])
        .env("CARGO_TARGET_DIR", target)
        .output()
        .expect("cargo starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let program = |message: Value| Some(message["executable"].as_str()?.into());
    let programs: Vec<PathBuf> = messages.filter_map(program).collect();
    assert!(programs.len() == 2, "{}", String::from_utf8_lossy(&output.stderr));
    programs
}
