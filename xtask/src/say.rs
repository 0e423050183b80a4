//! What the commands print.

use anyhow::{Context, Result};
use mcp_from_scratch::console::Out;
use std::fmt::Display;

/// Prints a line, whole even if several threads print. A reader that has gone away is
/// no error: the work goes on, and the exit code says what came of it.
pub fn say(line: impl Display) -> Result<()> {
    let out = Out::stdout();
    out.line(line);
    out.finish().context("cannot write to stdout")
}
