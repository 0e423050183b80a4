//! The name under which a model calls a remote tool.
//!
//! Another right solution: what a model API would refuse is written as the number of
//! the character, so nothing needs a hash but what is too long; that is cut in the
//! middle, and between its two ends stands a sum of the whole.

/// The longest name that model APIs take, in characters.
const MAX_NAME: usize = 64;

pub fn exposed_name(prefix: &str, name: &str) -> Result<String, String> {
    match name.chars().find(|c| c.is_control()) {
        _ if name.is_empty() => return Err("nameless".into()),
        Some(control) => return Err(format!("it contains {control:?}")),
        None => {}
    }
    let mut exposed = String::new();
    for c in prefix.chars().chain(name.chars()) {
        match c {
            '0'..='9' | 'A'..='Z' | 'a'..='z' | '-' | '_' => exposed.push(c),
            c => exposed += &format!("_u{:x}_", u32::from(c)),
        }
    }
    if exposed.len() <= MAX_NAME {
        return Ok(exposed);
    }
    let sum = exposed
        .bytes()
        .fold(5381_u64, |sum, byte| sum.wrapping_mul(33).wrapping_add(byte.into()));
    let sum = format!("--{sum:016x}--");
    let end = 10;
    let start = MAX_NAME - sum.len() - end;
    let tail = &exposed[exposed.len() - end..];
    Ok(format!("{}{sum}{tail}", &exposed[..start]))
}
