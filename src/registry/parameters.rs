//! A tool's parameters: a view for people, and the schema that is the truth.

use serde_json::{Map, Value, json};

// ANCHOR: parameters
/// One parameter as a person sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// A JSON Schema type (`string`, `integer`, …), or several joined by `|`; `any`
    /// where the schema does not say.
    pub kind: String,
    pub required: bool,
}

/// The parameters of one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    pub list: Vec<Parameter>,
    /// JSON Schema, for the model: as it came, or made by [`Parameters::required`].
    pub schema: Value,
}
// ANCHOR_END: parameters

impl Parameters {
    /// For a local tool: all required, each with its name, type and description.
    pub fn required(parameters: &[(&str, &str, &str)]) -> Self {
        let mut properties = Map::new();
        let mut list = Vec::new();
        for (name, kind, description) in parameters {
            let schema = json!({ "type": kind, "description": description });
            properties.insert((*name).into(), schema);
            let (name, kind) = ((*name).into(), (*kind).into());
            list.push(Parameter { name, kind, required: true });
        }
        let names: Vec<_> = list.iter().map(|parameter| &parameter.name).collect();
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": names,
        });
        Self { list, schema }
    }
}
