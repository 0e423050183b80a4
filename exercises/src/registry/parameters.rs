//! A tool's parameters: a view for people and checks, computed from its JSON Schema.

#![allow(unused)]

use crate::transcript::excerpt;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// How many `$ref`s are followed for one parameter.
const MAX_REFS: usize = 8;

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

/// Reads an `inputSchema`: one parameter for each property, in their order. A schema
/// without `type` counts as `"type": "object"`. `properties` or `required` that are
/// missing or of the wrong type count as empty.
///
/// Error: not an object, or a schema for something that is not an object.
pub fn parameters(input_schema: &Value) -> Result<Vec<Parameter>, String> {
    todo!("task 5.4: turn a schema into parameters")
}

/// The type of a property, or several joined by `|`; `any` if the schema does not say.
///
/// A `$ref` into the same schema (`#`, or `#` and a JSON Pointer into `root`) is
/// followed, up to [`MAX_REFS`] in a row. A `$ref` that leads elsewhere is never
/// followed: a tool list must not make the host open files or connections. It counts as
/// `any`, like a `$ref` to nothing or in a circle.
fn kind_of(property: &Value, root: &Value) -> String {
    todo!("task 5.4: turn a schema into parameters")
}
