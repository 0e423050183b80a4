//! A server with two tools on stdin and stdout: `echo`, and `random_number`.
//!
//! ```console
//! $ cargo build --example two_tools
//! $ cargo run --bin 04-client-lifecycle -- \
//!     --call random_number '{"min":1,"max":6}' -- target/debug/examples/two_tools
//! ```

use mcp_from_scratch::{
    cli::echo::{run, serve},
    cli::output::{self, Out, notes},
    frame::FramingMode,
    protocol::Implementation,
    server::Server,
    tool::{DuplicateTool, Tool, ToolFailure, ToolInfo, ToolResult, echo, from_fn},
};
use serde_json::json;
use std::{
    hash::{BuildHasher, RandomState},
    process::ExitCode,
};

fn main() -> ExitCode {
    // Standard output is for frames.
    let log = Out::stderr();
    let tap = notes(log.clone());
    let result = run(async { serve(&server()?, FramingMode::Auto, tap).await });
    output::end(&log, result)
}

// ANCHOR: two-tools
pub fn server() -> Result<Server, DuplicateTool> {
    Server::new(Implementation::new("two-tools", "1.0.0"))
        .with(echo())?
        .with(random_number())
}

/// A whole number from `min` to `max`, both included.
fn random_number() -> (ToolInfo, impl Tool) {
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
    let tool = from_fn(|arguments| {
        let (min, max) = (arguments.required("min")?, arguments.required("max")?);
        if min > max {
            return Err(ToolFailure("`min` must not be above `max`".into()));
        }
        Ok(ToolResult::text(&between(min, max).to_string()))
    });
    (info, tool)
}
// ANCHOR_END: two-tools

// ANCHOR: between
/// The standard library has no random numbers, but each new [`RandomState`] has a new
/// key. Good enough for dice, not for secrets.
fn between(min: i64, max: i64) -> i128 {
    let count = i128::from(max) - i128::from(min) + 1;
    let random = i128::from(RandomState::new().hash_one(0));
    i128::from(min) + random % count
}
// ANCHOR_END: between
