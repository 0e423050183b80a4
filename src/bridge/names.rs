//! The name under which a model calls a remote tool.
//!
//! MCP allows 128 characters and dots; the APIs of models often allow 64 of
//! `A–Z a–z 0–9 _ -`. So a tool may get another name here. It is looked up in the
//! registry, never taken apart again.

use crate::transcript::visible;

/// The longest name that model APIs take, in characters.
const MAX_NAME: usize = 64;

// ANCHOR: exposed-name
/// `prefix` and `name`, with `_` for what a model API would refuse. Where that says too
/// little, because the name is too long or not in ASCII (`查询` would become `__`), it is
/// cut and ends in a hash of the whole. `a.b` and `a_b` become one: then the registry
/// reports the second.
///
/// So it has at most 64 characters, and one that a model API takes is kept.
///
/// Error: an empty name, or one with control characters.
pub fn exposed_name(prefix: &str, name: &str) -> Result<String, String> {
    if name.is_empty() {
        return Err("its name is empty".into());
    }
    if name.chars().any(char::is_control) {
        let name = visible(name.as_bytes());
        return Err(format!("control characters in its name: {name}"));
    }
    let usable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let full = format!("{prefix}{name}");
    let exposed: String =
        full.chars().map(|c| if usable(c) { c } else { '_' }).collect();
    if full.is_ascii() && exposed.len() <= MAX_NAME {
        return Ok(exposed);
    }
    let hash = format!("_{:08x}", fnv1a(full.as_bytes()));
    let kept = exposed.len().min(MAX_NAME - hash.len());
    Ok(exposed[..kept].to_owned() + &hash)
}
// ANCHOR_END: exposed-name

// ANCHOR: fnv1a
/// FNV-1a, 32 bits: short, and the same on every machine and in every year.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}
// ANCHOR_END: fnv1a
