//! A tool's result as text for a model. Pure.
//!
//! Source: MCP 2025-11-25, server/tools (Tool Result).

use crate::tool::ToolResult;
use serde_json::Value;

// ANCHOR: result-text
/// What a model reads of a result: each content block on a separate line, in order,
/// with a placeholder for everything that is not text. Structured content is shown, as
/// JSON, only if there is no text; an empty text does not count. A failure is never
/// blank and never reads like a success: the model could not distinguish them.
pub fn to_text(result: &ToolResult) -> String {
    let is_text = |block: &Value| {
        block["type"] == "text" && block["text"].as_str().is_some_and(|t| !t.is_empty())
    };
    let has_text = result.content.iter().any(is_text);
    let mut lines: Vec<String> = result.content.iter().map(block_text).collect();
    if let Some(structured) = result.structured.as_ref().filter(|_| !has_text) {
        lines.retain(|line| !line.is_empty());
        lines.push(structured.to_string());
    }
    let text = lines.join("\n");
    if result.is_error && text.trim().is_empty() {
        "the tool failed and gave no reason".into()
    } else if lines.is_empty() {
        "(the tool gave no content)".into()
    } else {
        text
    }
}
// ANCHOR_END: result-text

// ANCHOR: block-text
/// What a model reads of one block: a text as it is; for an image or audio its MIME
/// type; for a link its URI; for an embedded resource its URI, and its text if it has
/// one; for anything else its type. Never base64 data. A block may be any JSON.
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
