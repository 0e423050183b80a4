//! A learner's first build is part of the experience.

use std::{collections::BTreeSet, process::Command};

/// How many crates a fresh `cargo run --bin 03-echo-server` may build, ours included.
const MOST: usize = 40;

#[test]
fn a_stage_is_built_from_at_most_forty_crates() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--edges", "normal,build", "--prefix", "none"])
        .args(["--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let list = String::from_utf8_lossy(&tree.stdout);
    let crates: BTreeSet<_> =
        list.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let error = String::from_utf8_lossy(&tree.stderr);
    assert!(crates.len() > 5, "cargo tree lists the dependencies: {error}");
    assert!(crates.len() <= MOST, "{} crates: {crates:#?}", crates.len());
}
