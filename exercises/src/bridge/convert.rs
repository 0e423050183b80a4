//! Schema → parameters, outcome → text. Pure.

#![allow(unused)]

use crate::{
    registry::{Parameter, Parameters},
    tool::ToolResult,
    transcript::excerpt,
};
use serde_json::Value;
use std::collections::HashSet;

/// How many `$ref`s are followed for one parameter.
const MAX_REFS: usize = 8;

/// Reads an `inputSchema`: the view is made from its properties, in their order; the
/// schema is kept as it came. An object without `type` counts as `"type": "object"`.
/// `properties` or `required` that are absent or no such thing count as empty.
///
/// Error: no object, or a schema of something that is no object.
pub fn parameters(input_schema: &Value) -> Result<Parameters, String> {
    todo!("task 5.4: turn a schema into parameters")
}

/// What a property may be: its `type`, or several joined by `|`; `any` where it does
/// not say.
///
/// A `$ref` into the same schema (`#`, or `#` and a JSON Pointer into `root`) is
/// followed, up to [`MAX_REFS`] one after the other. One that leads elsewhere never is:
/// a tool list must not make us open files or connections. What it leads to is `any`,
/// like what leads nowhere or in a circle.
fn kind_of(property: &Value, root: &Value) -> String {
    todo!("task 5.4: turn a schema into parameters")
}

/// What a model reads of an outcome: its text, with a placeholder for all else, in
/// order, each block on a line of its own. Structured content is shown, as JSON, only
/// where there is no text; a text that is empty is none. A failure is never blank, nor
/// does it read like a success: the model could not tell them apart.
pub fn to_text(outcome: &ToolResult) -> String {
    todo!("task 5.5: turn an outcome into text")
}

/// What a model reads of one block: a text itself; of an image or a sound its MIME
/// type; of a link its address; of an embedded resource its address, and its text if it
/// has one; of anything else its type. Never base64 data. A block may be any JSON.
fn block_text(block: &Value) -> String {
    todo!("task 5.5: turn an outcome into text")
}
