//! A tool's result as text for a model. Pure.
//!
//! Source: MCP 2025-11-25, server/tools (Tool Result).

#![allow(unused)]

use crate::tool::ToolResult;
use serde_json::Value;

/// What a model reads of a result: each content block on a separate line, in order,
/// with a placeholder for everything that is not text. Structured content is shown, as
/// JSON, only if there is no text; an empty text does not count. A failure is never
/// blank and never reads like a success: the model could not distinguish them.
pub fn to_text(result: &ToolResult) -> String {
    todo!("task 5.5: turn a result into text")
}

/// What a model reads of one block: a text as it is; for an image or audio its MIME
/// type; for a link its URI; for an embedded resource its URI, and its text if it has
/// one; for anything else its type. Never base64 data. A block may be any JSON.
fn block_text(block: &Value) -> String {
    todo!("task 5.5: turn a result into text")
}
