//! Printing to stdout.

use anyhow::{Context, Result};
use mcp_from_scratch::cli::output::Out;
use std::fmt::Display;

/// Prints a line; lines of several threads are not mixed. A closed stdout is not an
/// error: the command continues, and its exit code is the result.
pub fn say(line: impl Display) -> Result<()> {
    let out = Out::stdout();
    out.line(line);
    out.finish().context("cannot write to stdout")
}
