//! Schema → parameters, outcome → text. Pure.
//!
//! Another right solution: other words wherever words are free, structured content as
//! indented JSON under a heading, and a failure that says so before its own words.

use crate::{
    registry::{Parameter, Parameters},
    tool::ToolResult,
};
use serde_json::{Map, Value};

pub fn parameters(input_schema: &Value) -> Result<Parameters, String> {
    let schema = input_schema.as_object().ok_or("no schema")?;
    if !schema.get("type").is_none_or(|kind| kind == "object") {
        return Err("a schema of something else".into());
    }
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let list = properties.unwrap_or(&empty).iter().map(|(name, property)| Parameter {
        name: name.into(),
        kind: kind(target(property, input_schema)),
        required: required.is_some_and(|names| names.contains(&name.as_str().into())),
    });
    Ok(Parameters { list: list.collect(), schema: input_schema.clone() })
}

/// Goes from reference to reference, at most as often as there can be different ones.
fn target<'a>(property: &'a Value, root: &'a Value) -> &'a Value {
    let mut at = property;
    let mut left = 100;
    while let Some(reference) = at.get("$ref").and_then(Value::as_str) {
        let path = reference.strip_prefix('#').filter(|_| left > 0);
        at = path.and_then(|path| root.pointer(path)).unwrap_or(&Value::Null);
        left -= 1;
    }
    at
}

fn kind(property: &Value) -> String {
    let one = property.get("type").and_then(Value::as_str).map(String::from);
    let many = || {
        let kinds = property.get("type")?.as_array()?.iter();
        let kinds: Vec<&str> = kinds.filter_map(Value::as_str).collect();
        Some(kinds.join("|")).filter(|kinds| !kinds.is_empty())
    };
    one.or_else(many).unwrap_or_else(|| "any".into())
}

pub fn to_text(outcome: &ToolResult) -> String {
    let pieces: Vec<(bool, String)> = outcome.content.iter().map(piece).collect();
    let spoken = pieces.iter().any(|(is_text, piece)| *is_text && !piece.is_empty());
    let mut text = Vec::new();
    if outcome.is_error {
        text.push("FAILED:".to_owned());
    }
    text.extend(pieces.into_iter().map(|(_, piece)| piece));
    if let (false, Some(structured)) = (spoken, &outcome.structured) {
        text.push(format!("structured content:\n{structured:#}"));
    }
    text.join("\n")
}

/// Whether it is text, and what is read of it.
fn piece(block: &Value) -> (bool, String) {
    let member = |name: &str| block.get(name).and_then(Value::as_str);
    let said = |words: &str, what: Option<&str>| {
        (false, format!("<{words} {}>", what.unwrap_or("(nobody knows)")))
    };
    match member("type") {
        Some("text") => (true, member("text").unwrap_or_default().into()),
        Some("image") => said("a picture,", member("mimeType")),
        Some("audio") => said("a sound,", member("mimeType")),
        Some("resource_link") => said("to be found at", member("uri")),
        Some("resource") => {
            let resource = block.get("resource").unwrap_or(&Value::Null);
            let (_, mut words) = said("a document,", resource["uri"].as_str());
            words += resource["text"].as_str().unwrap_or_default();
            (false, words)
        }
        other => said("something called", other),
    }
}
