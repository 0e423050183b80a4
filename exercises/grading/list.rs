//! Two lists, and their first difference.

use crate::differ::{Verdict, holds};
use std::fmt;

/// Both must have the same items in the same order. Each item has its own line with its
/// number; the first that differs is marked.
pub fn same_list(expected: &[String], got: &[String]) -> Verdict {
    let pairs = expected.iter().zip(got);
    let first = pairs.take_while(|(expected, got)| expected == got).count();
    let is_same = expected == got;
    holds(is_same, numbered(expected, None), Plain(numbered(got, Some(first))))
}

fn numbered(items: &[String], marked: Option<usize>) -> String {
    if items.is_empty() {
        return "nothing".into();
    }
    let line = |(at, item): (usize, &String)| {
        let mark = if marked == Some(at) { "   ← here" } else { "" };
        format!("{}  {item}{mark}", at + 1)
    };
    let mut lines: Vec<String> = items.iter().enumerate().map(line).collect();
    if marked == Some(items.len()) {
        lines.push("(the list ends here)".into());
    }
    lines.join("\n")
}

/// Text that is shown unchanged.
struct Plain(String);

impl fmt::Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
