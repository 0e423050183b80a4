//! What is required of every stage.

use crate::common;
use assert_cmd::{
    Command,
    cargo::{cargo_bin, cargo_bin_cmd},
};
use std::path::Path;

/// A stage, a part of its help, and arguments with which it prints something.
struct Stage {
    command: fn() -> Command,
    path: &'static Path,
    help: &'static str,
    arguments: &'static [&'static str],
}

macro_rules! stage {
    ($name:literal, $help:literal, $arguments:expr) => {
        Stage {
            command: || cargo_bin_cmd!($name),
            path: cargo_bin!($name),
            help: $help,
            arguments: $arguments,
        }
    };
}

fn stages() -> [Stage; 7] {
    [
        stage!("01-jsonrpc-codec", "Encodes the messages", &[]),
        stage!("02-frames", "Frames an MCP conversation", &[]),
        stage!("03-echo-server", "An MCP server with one tool", &["--demo"]),
        stage!("04-client-lifecycle", "A client's life cycle", &[]),
        stage!("05-registry-bridge", "The tool registry before and after", &[]),
        stage!("06-full-demo", "One agent turn", &[]),
        stage!(
            "07-failure-lab",
            "Ten typical failures of MCP programs",
            &["raw-newline"]
        ),
    ]
}

#[test]
fn the_pure_stages_print_their_transcripts() {
    for (stage, name) in stages().iter().zip(["01-jsonrpc-codec", "02-frames"]) {
        let transcript = format!("chapters/{name}/transcript.txt");
        common::assert_transcript((stage.command)(), &transcript);
    }
}

#[test]
fn help_names_what_a_stage_shows() {
    for stage in stages() {
        common::assert_help_says((stage.command)(), stage.help);
    }
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    for stage in stages() {
        common::assert_unknown_flag_is_wrong_usage((stage.command)());
    }
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    for stage in stages() {
        common::assert_closed_pipe_is_quiet(stage.path, stage.arguments);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    for stage in stages() {
        common::assert_full_disk_is_a_failure(stage.path, stage.arguments);
    }
}
