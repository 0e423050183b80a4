mod common;

use assert_cmd::cargo::{cargo_bin, cargo_bin_cmd};

#[test]
fn prints_its_transcript() {
    let stage = cargo_bin_cmd!("02-frames");
    common::assert_transcript(stage, "chapters/02-frames/transcript.txt");
}

#[test]
fn help_says_what_the_stage_shows() {
    common::assert_help_says(cargo_bin_cmd!("02-frames"), "Frames an MCP conversation");
}

#[test]
fn an_unknown_flag_is_wrong_usage() {
    common::assert_unknown_flag_is_wrong_usage(cargo_bin_cmd!("02-frames"));
}

#[test]
fn a_closed_pipe_is_a_quiet_success() {
    common::assert_closed_pipe_is_quiet(cargo_bin!("02-frames"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    common::assert_full_disk_is_a_failure(cargo_bin!("02-frames"));
}
