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

/// Reads an `inputSchema`: the view is made from its properties, the schema is kept as
/// it came. An object without `type` counts as `"type": "object"`.
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

/// What a property may be. A `$ref` into the same schema is followed; one that leads
/// elsewhere never is: a tool list must not make us open files or connections.
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

/// What a model reads of an outcome: its text, with a placeholder for all else, in
/// order. Structured content stands in only where there is no text. A failure is never
/// empty, or the model would take it for a success.
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
