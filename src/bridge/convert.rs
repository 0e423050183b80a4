//! Schema → parameters, outcome → text. Pure.

use crate::{
    registry::{Parameter, Parameters},
    tool::Outcome,
    transcript::excerpt,
};
use serde_json::Value;
use std::collections::HashSet;

/// How many `$ref`s are followed for one parameter.
const MAX_REFS: usize = 8;

// ANCHOR: parameters
/// Reads an `inputSchema`: the view is made from its properties, in their order; the
/// schema is kept as it came. An object without `type` counts as `"type": "object"`.
/// `properties` or `required` that are absent or no such thing count as empty.
///
/// Error: no object, or a schema of something that is no object.
pub fn parameters(input_schema: &Value) -> Result<Parameters, String> {
    let Some(schema) = input_schema.as_object() else {
        return Err(format!(
            "`inputSchema` must be an object, got {}",
            excerpt(input_schema)
        ));
    };
    match schema.get("type") {
        None => {}
        Some(kind) if kind == "object" => {}
        Some(kind) => {
            return Err(format!("arguments must be an object, not {}", excerpt(kind)));
        }
    }
    let required: HashSet<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .map_or(HashSet::new(), |names| {
            names.iter().filter_map(Value::as_str).collect()
        });
    let properties = schema.get("properties").and_then(Value::as_object);
    let list = properties.into_iter().flatten().map(|(name, property)| Parameter {
        name: name.clone(),
        kind: kind_of(property, input_schema),
        required: required.contains(name.as_str()),
    });
    Ok(Parameters { list: list.collect(), schema: input_schema.clone() })
}
// ANCHOR_END: parameters

// ANCHOR: property-kind
/// What a property may be: its `type`, or several joined by `|`; `any` where it does
/// not say.
///
/// A `$ref` into the same schema (`#`, or `#` and a JSON Pointer into `root`) is
/// followed, up to [`MAX_REFS`] one after the other. One that leads elsewhere never is:
/// a tool list must not make us open files or connections. What it leads to is `any`,
/// like what leads nowhere or in a circle.
fn kind_of(property: &Value, root: &Value) -> String {
    let mut property = property;
    for _ in 0..MAX_REFS {
        let Some(reference) = property["$ref"].as_str() else { break };
        let local = reference.strip_prefix('#').and_then(|path| root.pointer(path));
        let Some(target) = local else { return "any".into() };
        property = target;
    }
    match &property["type"] {
        Value::String(kind) => kind.clone(),
        Value::Array(kinds) if kinds.iter().any(Value::is_string) => {
            kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|")
        }
        _ => "any".into(),
    }
}
// ANCHOR_END: property-kind

// ANCHOR: outcome-text
/// What a model reads of an outcome: its text, with a placeholder for all else, in
/// order, each block on a line of its own. Structured content is shown, as JSON, only
/// where there is no text; a text that is empty is none. A failure is never blank, nor
/// does it read like a success: the model could not tell them apart.
pub fn to_text(outcome: &Outcome) -> String {
    let says = |block: &Value| {
        block["type"] == "text" && block["text"].as_str().is_some_and(|t| !t.is_empty())
    };
    let has_text = outcome.content.iter().any(says);
    let mut lines: Vec<String> = outcome.content.iter().map(block_text).collect();
    if let Some(structured) = outcome.structured.as_ref().filter(|_| !has_text) {
        lines.retain(|line| !line.is_empty());
        lines.push(structured.to_string());
    }
    let text = lines.join("\n");
    if outcome.is_error && text.trim().is_empty() {
        "the tool failed and gave no reason".into()
    } else if lines.is_empty() {
        "(the tool gave no content)".into()
    } else {
        text
    }
}
// ANCHOR_END: outcome-text

// ANCHOR: block-text
/// What a model reads of one block: a text itself; of an image or a sound its MIME
/// type; of a link its address; of an embedded resource its address, and its text if it
/// has one; of anything else its type. Never base64 data. A block may be any JSON.
fn block_text(block: &Value) -> String {
    let text = |member: &str| block[member].as_str().unwrap_or("unknown").to_owned();
    match block["type"].as_str() {
        Some("text") => block["text"].as_str().unwrap_or_default().to_owned(),
        Some(kind @ ("image" | "audio")) => format!("[{kind}: {}]", text("mimeType")),
        Some("resource_link") => format!("[resource link: {}]", text("uri")),
        Some("resource") => {
            let resource = &block["resource"];
            let uri = resource["uri"].as_str().unwrap_or("unknown");
            match resource["text"].as_str() {
                Some(text) => format!("[resource: {uri}]\n{text}"),
                None => format!("[resource: {uri}]"),
            }
        }
        Some(other) => format!("[content of an unknown type: {other}]"),
        None => "[content without a type]".into(),
    }
}
// ANCHOR_END: block-text
