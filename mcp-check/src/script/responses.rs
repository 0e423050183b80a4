//! The responses of a server with an echo tool. Pure.

use super::Script;
use crate::message;
use serde_json::{Value, json};

/// The response to a request; `None`: this script sends none.
pub fn response(script: Script, request: &Value) -> Option<Value> {
    let method = request["method"].as_str()?;
    let is_silent = match script {
        Script::SilentAtInitialize => method == "initialize",
        Script::SilentAtList => method == "tools/list",
        Script::SilentAtCall => method == "tools/call",
        _ => false,
    };
    if is_silent {
        return None;
    }
    let result = match method {
        "initialize" => Ok(initialize(script, &request["params"])),
        "ping" => Ok(json!({})),
        "tools/list" if script != Script::NoTools => Ok(json!({ "tools": [echo()] })),
        "tools/call" if script != Script::NoTools => call(&request["params"]),
        _ => Err((-32601, "method not found")),
    };
    let id = &request["id"];
    Some(match result {
        Ok(result) => message::result(id, result),
        Err((code, text)) => message::error(id, code, text),
    })
}

fn initialize(script: Script, params: &Value) -> Value {
    let known = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
    let offered = params["protocolVersion"].as_str().unwrap_or_default();
    let version = match script {
        Script::OldVersion => "1999-01-01",
        _ => known.into_iter().find(|it| *it == offered).unwrap_or("2025-11-25"),
    };
    let capabilities = match script {
        Script::NoTools => json!({}),
        _ => json!({ "tools": {} }),
    };
    json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "serverInfo": { "name": "mcp-check", "version": "1.0.0" },
    })
}

fn echo() -> Value {
    json!({
        "name": "echo",
        "description": "Returns the text.",
        "inputSchema": {
            "type": "object",
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
        },
    })
}

fn call(params: &Value) -> Result<Value, (i64, &'static str)> {
    if params["name"] != "echo" {
        return Err((-32602, "unknown tool"));
    }
    let (text, is_error) = match params["arguments"]["text"].as_str() {
        Some(text) => (text, false),
        None => ("`text` must be a string", true),
    };
    Ok(json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }))
}
