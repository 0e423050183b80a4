//! Builds the book and checks the pages that came out: mdBook itself is content with a
//! broken link and a fragment that leads nowhere. What went in is checked by the tests
//! of the course, `tests/book`.

mod check;
mod page;

use crate::say::say;
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The release that the book is built with; `book/install` brings it.
const VERSION: &str = "mdbook v0.5.4";

/// Builds the book into `target/book` and fails with all that is wrong in it.
pub fn build(root: &Path) -> Result<()> {
    let mdbook = mdbook(root)?;
    let into = root.join("target/book");
    if into.exists() {
        fs::remove_dir_all(&into)?; // a page that is gone must not stay
    }
    let output = Command::new(&mdbook)
        .args(["build", "book", "--dest-dir"])
        .arg(&into)
        .current_dir(root)
        .output()
        .with_context(|| format!("cannot start {}", mdbook.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let complaint = said.lines().any(is_complaint);
    ensure!(output.status.success() && !complaint, "mdBook complains:\n{said}");
    let (pages, problems) = check::check(&into)?;
    for problem in &problems {
        eprintln!("{problem}");
    }
    if !problems.is_empty() {
        bail!("{} problem(s) in the book", problems.len());
    }
    say(format_args!("{pages} pages in target/book, and all links lead somewhere"))
}

fn is_complaint(line: &str) -> bool {
    let level = line.split_whitespace().next();
    matches!(level, Some("WARN" | "ERROR"))
}

/// The first of `MDBOOK`, `target/tools` and `PATH` that there is, if it is the release
/// that we want.
fn mdbook(root: &Path) -> Result<PathBuf> {
    let ours = root.join("target/tools/bin/mdbook");
    let mdbook = match std::env::var_os("MDBOOK") {
        Some(path) => path.into(),
        None if ours.exists() => ours,
        None => "mdbook".into(),
    };
    let output = Command::new(&mdbook).arg("--version").output();
    let output =
        output.context("there is no mdBook; `book/install` installs the right one")?;
    let version = String::from_utf8_lossy(&output.stdout);
    let version = version.trim();
    ensure!(
        version == VERSION,
        "expected {VERSION}, `{}` is {version}",
        mdbook.display()
    );
    Ok(mdbook)
}

#[cfg(test)]
mod tests;
