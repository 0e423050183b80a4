//! The bridge: schema to parameters, result to text, names, and the merging.

#[path = "../common/limit.rs"]
mod limit;
#[path = "../common/plan.rs"]
mod plan;
#[path = "../common/scripted.rs"]
mod scripted;

mod merging;
mod names;
mod parameters;
mod register;
mod text;

use serde_json::Value;

/// The JSON of a literal.
fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}
