//! A tool's parameters: a view for people and checks, computed from its JSON Schema.

use crate::transcript::excerpt;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// How many `$ref`s are followed for one parameter.
const MAX_REFS: usize = 8;

// ANCHOR: parameter
/// One parameter as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The property's name.
    pub name: String,
    /// A JSON Schema type (`string`, `integer`, …), or several joined by `|`; `any` if
    /// the schema does not say.
    pub kind: String,
    /// Whether the schema requires it.
    pub required: bool,
}
// ANCHOR_END: parameter

/// The schema of a local tool: every parameter is required and has a name, a type and a
/// description.
pub fn object_schema(parameters: &[(&str, &str, &str)]) -> Value {
    let mut properties = Map::new();
    for (name, kind, description) in parameters {
        let schema = json!({ "type": kind, "description": description });
        properties.insert((*name).into(), schema);
    }
    let required: Vec<_> = parameters.iter().map(|(name, ..)| name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

// ANCHOR: parameters
/// Reads an `inputSchema`: one parameter for each property, in their order. A schema
/// without `type` counts as `"type": "object"`. `properties` or `required` that are
/// missing or of the wrong type count as empty.
///
/// Error: not an object, or a schema for something that is not an object.
pub fn parameters(input_schema: &Value) -> Result<Vec<Parameter>, String> {
    let Some(schema) = input_schema.as_object() else {
        let got = excerpt(input_schema);
        return Err(format!("`inputSchema` must be an object, got {got}"));
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
    Ok(list.collect())
}
// ANCHOR_END: parameters

// ANCHOR: property-kind
/// The type of a property, or several joined by `|`; `any` if the schema does not say.
///
/// A `$ref` into the same schema (`#`, or `#` and a JSON Pointer into `root`) is
/// followed, up to [`MAX_REFS`] in a row. A `$ref` that leads elsewhere is never
/// followed: a tool list must not make the host open files or connections. It counts as
/// `any`, like a `$ref` to nothing or in a circle.
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
