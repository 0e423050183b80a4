//! Runs the checker as a process, as a user does.

#![allow(dead_code)] // each test target uses a part of it

use serde_json::Value;
use std::process::{Command, Output, Stdio};

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
        panic!("not JSON: {error}: {}", String::from_utf8_lossy(&output.stderr))
    })
}

/// The violations, as `fail id` and `warn id`, in the order of the checks.
pub fn violations(report: &Value) -> Vec<String> {
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
