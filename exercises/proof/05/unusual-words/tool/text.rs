//! Another right solution: other words wherever words are free, structured content as
//! indented JSON under a heading, and a failure that says so before its own words.

use crate::tool::ToolResult;
use serde_json::Value;

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
