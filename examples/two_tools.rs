//! A server with two tools on stdin and stdout: `echo`, and `random_number`.
//!
//! ```console
//! $ cargo build --example two_tools
//! $ cargo run --bin 04-client-lifecycle -- \
//!     --call random_number '{"min":1,"max":6}' -- target/debug/examples/two_tools
//! ```

use mcp_from_scratch::{
    console::{self, Out},
    protocol::Peer,
    server::Server,
    stage,
    tool::{Arguments, FunctionTool, Outcome, Tool, ToolInfo, echo},
    transport::notes,
};
use serde_json::json;
use std::{
    hash::{BuildHasher, RandomState},
    process::ExitCode,
};

fn main() -> ExitCode {
    // Standard output belongs to frames.
    let log = Out::stderr();
    let result = stage::run(stage::serve(server(), None, notes(log.clone())));
    console::end(&log, result)
}

// ANCHOR: two-tools
pub fn server() -> Server {
    Server::new(Peer::new("two-tools", "1.0.0")).with(echo()).with(random_number())
}

/// A whole number from `min` to `max`, both included.
fn random_number() -> impl Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "min": { "type": "integer", "description": "The smallest number." },
            "max": { "type": "integer", "description": "The largest number." },
        },
        "required": ["min", "max"],
    });
    let description = "A random whole number from min to max, both included.";
    let info = ToolInfo::new("random_number", description, schema);
    FunctionTool::new(info, |arguments: &Arguments| {
        let (min, max) = (arguments.required("min")?, arguments.required("max")?);
        if min > max {
            return Err(Outcome::failure("`min` must not be above `max`"));
        }
        Ok(Outcome::text(&between(min, max).to_string()))
    })
}
// ANCHOR_END: two-tools

// ANCHOR: between
/// The standard library has no random numbers, but each new [`RandomState`] has its own
/// key. Good enough for dice, and for nothing that must not be guessed.
fn between(min: i64, max: i64) -> i128 {
    let count = i128::from(max) - i128::from(min) + 1;
    let random = i128::from(RandomState::new().hash_one(0));
    i128::from(min) + random % count
}
// ANCHOR_END: between
