//! Things that come one after another, and where two such rows part.

use crate::differ::{Verdict, holds};
use std::fmt;

/// Both must be the same things in the same order. Each has a line of its own, with its
/// number; the first that differs is marked.
pub fn same_list(expected: &[String], got: &[String]) -> Verdict {
    let pairs = expected.iter().zip(got);
    let first = pairs.take_while(|(expected, got)| expected == got).count();
    let is_same = expected == got;
    holds(is_same, numbered(expected, None), Plain(numbered(got, Some(first))))
}

fn numbered(things: &[String], marked: Option<usize>) -> String {
    if things.is_empty() {
        return "nothing".into();
    }
    let line = |(at, thing): (usize, &String)| {
        let mark = if marked == Some(at) { "   ← here" } else { "" };
        format!("{}  {thing}{mark}", at + 1)
    };
    let mut lines: Vec<String> = things.iter().enumerate().map(line).collect();
    if marked == Some(things.len()) {
        lines.push("and no more".into());
    }
    lines.join("\n")
}

/// Text that is shown as it is.
struct Plain(String);

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
