//! The name under which a model calls a remote tool.
//!
//! MCP allows 128 characters and dots; the APIs of models often allow 64 of
//! `A–Z a–z 0–9 _ -`. So a tool may get another name here. It is looked up in the
//! registry, never taken apart again.

#![allow(unused)]

use crate::transcript::escape_untrusted;

/// The longest name that model APIs take, in characters.
const MAX_NAME: usize = 64;

/// `prefix` and `name`, with `_` for what a model API would refuse. Where that says too
/// little, because the name is too long or not in ASCII (`查询` would become `__`), it is
/// cut and ends in a hash of the whole. `a.b` and `a_b` become one: then the registry
/// reports the second.
///
/// So it has at most 64 characters, and one that a model API takes is kept.
///
/// Error: an empty name, or one with control characters.
pub fn exposed_name(prefix: &str, name: &str) -> Result<String, String> {
    todo!("task 5.6: give a remote tool a name that a model can call")
}

/// FNV-1a, 32 bits: short, and the same on every machine and in every year.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}
