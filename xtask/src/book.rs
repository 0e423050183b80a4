//! Builds the book and checks the generated pages, since mdBook accepts broken links and
//! fragments. `tests/book` checks the sources.

mod check;
mod page;

use crate::say::say;
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The required release; `book/install` installs it.
const VERSION: &str = "mdbook v0.5.4";

/// Builds the book into `target/book`; fails with all its problems.
pub fn build(root: &Path) -> Result<()> {
    let mdbook = mdbook(root)?;
    let into = root.join("target/book");
    if into.exists() {
        fs::remove_dir_all(&into)?; // no page of an earlier build may stay
    }
    let output = Command::new(&mdbook)
        .args(["build", "book", "--dest-dir"])
        .arg(&into)
        .current_dir(root)
        .output()
        .with_context(|| format!("cannot start {}", mdbook.display()))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let complaint = log.lines().any(is_complaint);
    ensure!(output.status.success() && !complaint, "mdBook complains:\n{log}");
    let (pages, problems) = check::check(&into)?;
    ensure!(problems.is_empty(), "problems in the book:\n{}", problems.join("\n"));
    say(format_args!("{pages} pages in target/book, without a broken link"))
}

fn is_complaint(line: &str) -> bool {
    let level = line.split_whitespace().next();
    matches!(level, Some("WARN" | "ERROR"))
}

/// The first that exists of `MDBOOK`, `target/tools` and `PATH`, if it is the required
/// release.
fn mdbook(root: &Path) -> Result<PathBuf> {
    let ours = root.join("target/tools/bin/mdbook");
    let mdbook = match std::env::var_os("MDBOOK") {
        Some(path) => path.into(),
        None if ours.exists() => ours,
        None => "mdbook".into(),
    };
    let output = Command::new(&mdbook).arg("--version").output();
    let output = output.context("no mdBook found; `book/install` installs it")?;
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
