//! Another right solution: other words wherever words are free, and no helper in common
//! with the course's module.

use serde_json::{Map, Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub kind: String,
    pub required: bool,
}

pub fn object_schema(parameters: &[(&str, &str, &str)]) -> Value {
    let property = |(name, kind, description): &(&str, &str, &str)| {
        let schema = json!({ "type": kind, "description": description });
        ((*name).to_owned(), schema)
    };
    let properties: Map<_, _> = parameters.iter().map(property).collect();
    let names = properties.keys().cloned().collect::<Vec<_>>();
    json!({ "type": "object", "properties": properties, "required": names })
}

pub fn parameters(input_schema: &Value) -> Result<Vec<Parameter>, String> {
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
    Ok(list.collect())
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
