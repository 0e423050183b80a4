//! The name by which a model calls a remote tool.
//!
//! MCP allows 128 characters and dots; the APIs of models often allow 64 of `A–Z a–z
//! 0–9 _ -`. So a tool may get another name here. The registry looks it up; the name is
//! never parsed again.

#![allow(unused)]

use crate::transcript::escape_untrusted;

/// The longest name that model APIs accept, in characters.
const MAX_NAME: usize = 64;

/// `prefix` and `name`, with `_` for each character that a model API would refuse. A
/// name that is too long or not ASCII (`查询` would become `__`) is truncated and ends in
/// a hash of the whole. `a.b` and `a_b` become the same name: then the registry reports
/// the second one.
///
/// The result has at most 64 characters. A name that a model API accepts is unchanged.
///
/// Error: an empty name, or one with control characters.
pub fn exposed_name(prefix: &str, name: &str) -> Result<String, String> {
    todo!("task 5.6: give a remote tool a name that a model can call")
}

/// FNV-1a, 32 bits: short, and the same on every machine and in every version.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}
