//! Schema → parameters, outcome → text. Pure.
//!
//! Another right solution: references are followed by a function that calls itself and
//! remembers where it was, and a text is put together piece by piece.

use crate::{
    registry::{Parameter, Parameters},
    tool::ToolResult,
    transcript::excerpt,
};
use serde_json::{Map, Value};

pub fn parameters(input_schema: &Value) -> Result<Parameters, String> {
    let Value::Object(schema) = input_schema else {
        let got = excerpt(input_schema);
        return Err(format!("`inputSchema` must be an object, got {got}"));
    };
    if let Some(kind) = schema.get("type").filter(|kind| *kind != "object") {
        return Err(format!("arguments must be an object, not {}", excerpt(kind)));
    }
    let nothing = Map::new();
    let properties = match &input_schema["properties"] {
        Value::Object(properties) => properties,
        _ => &nothing,
    };
    let mut list = Vec::new();
    for (name, property) in properties {
        let required = match &input_schema["required"] {
            Value::Array(names) => names.iter().any(|required| required == name),
            _ => false,
        };
        let kind = kind_of(property, input_schema, &mut Vec::new());
        list.push(Parameter {
            name: name.clone(),
            kind: kind.unwrap_or("any".into()),
            required,
        });
    }
    Ok(Parameters { list, schema: input_schema.clone() })
}

/// `None` is for what cannot be told.
fn kind_of<'a>(
    property: &'a Value,
    root: &'a Value,
    been: &mut Vec<&'a str>,
) -> Option<String> {
    if let Some(reference) = property["$ref"].as_str() {
        if been.contains(&reference) {
            return None;
        }
        been.push(reference);
        let target = root.pointer(reference.strip_prefix('#')?)?;
        return kind_of(target, root, been);
    }
    if let Some(kind) = property["type"].as_str() {
        return Some(kind.to_owned());
    }
    let kinds: Vec<&str> =
        property["type"].as_array()?.iter().flat_map(Value::as_str).collect();
    (!kinds.is_empty()).then(|| kinds.join("|"))
}

pub fn to_text(outcome: &ToolResult) -> String {
    let mut text = String::new();
    let mut pieces = 0;
    let mut add = |piece: &str| {
        if pieces > 0 {
            text.push('\n');
        }
        text.push_str(piece);
        pieces += 1;
    };
    let silent = outcome.content.iter().all(|block| !is_said(block));
    let structured = outcome.structured.as_ref().filter(|_| silent);
    for block in &outcome.content {
        let piece = piece_of(block);
        if structured.is_none() || !piece.is_empty() {
            add(&piece);
        }
    }
    if let Some(structured) = structured {
        add(&structured.to_string());
    }
    match (outcome.is_error, pieces) {
        (true, _) if text.trim().is_empty() => {
            "the tool failed and gave no reason".into()
        }
        (_, 0) => "(the tool gave no content)".into(),
        _ => text,
    }
}

fn is_said(block: &Value) -> bool {
    block["type"] == "text" && block["text"].as_str().unwrap_or("") != ""
}

fn piece_of(block: &Value) -> String {
    let at = |pointer: &str| block.pointer(pointer).and_then(Value::as_str);
    let or_unknown = |pointer: &str| at(pointer).unwrap_or("unknown");
    let Some(kind) = at("/type") else { return "[content without a type]".into() };
    if kind == "text" {
        return at("/text").unwrap_or("").into();
    }
    if kind == "image" || kind == "audio" {
        return format!("[{kind}: {}]", or_unknown("/mimeType"));
    }
    if kind == "resource_link" {
        return format!("[resource link: {}]", or_unknown("/uri"));
    }
    if kind != "resource" {
        return format!("[content of an unknown type: {kind}]");
    }
    let label = format!("[resource: {}]", or_unknown("/resource/uri"));
    at("/resource/text").map_or(label.clone(), |text| format!("{label}\n{text}"))
}
