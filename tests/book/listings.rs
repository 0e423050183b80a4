//! A listing of Rust is the code itself.

use crate::pages::{Block, blocks, pages};

/// Kinds of blocks that the book has.
const KINDS: [&str; 5] = ["rust", "text", "console", "json", "html"];

/// What is wrong with a block, if anything.
fn fault(block: &Block) -> Option<&'static str> {
    let kind = block.kind.split(',').next().unwrap_or_default();
    let is_include =
        |line: &&str| line.starts_with("{{#include ") && line.ends_with("}}");
    if !KINDS.contains(&kind) {
        return Some("a kind of block that nothing checks");
    }
    if block.lines.iter().all(|line| line.trim().is_empty()) {
        return Some("an empty block");
    }
    let pasted = kind == "rust" && !block.lines.iter().all(is_include);
    pasted.then_some("Rust that was pasted and not included")
}

#[test]
fn every_listing_is_included_and_every_block_is_of_a_known_kind() {
    let mut wrong = Vec::new();
    for page in pages() {
        for block in blocks(&page.text) {
            if let Some(fault) = fault(&block) {
                wrong.push(format!("{}:{}: {fault}", page.path, block.line));
            }
        }
    }
    assert_eq!(Vec::<String>::new(), wrong);
}

#[test]
fn a_bad_block_is_found() {
    let block = |kind, line| Block { kind, line: 1, lines: vec![line] };
    assert_eq!(None, fault(&block("rust", "{{#include ../../src/a.rs:b}}")));
    assert_eq!(None, fault(&block("text", "a picture")));
    for bad in [
        block("rust", "fn main() {}"),
        block("rust,ignore", "fn main() {}"),
        block("", "x"),
        block("sh", "ls"),
        block("text", " "),
    ] {
        assert!(fault(&bad).is_some(), "{bad:?}");
    }
}
