//! The conversation that the first two stages encode, frame and parse: a handshake, a
//! tool list and one tool call, with the ids 1, 2 and 3.

use mcp_from_scratch::{
    jsonrpc::{Id, Message, Response},
    transcript::Direction::{self, Receive, Send},
};
use serde_json::{Map, Value, json};

/// All messages in the order in which they are sent, from the client's side.
pub fn conversation() -> Vec<(Direction, Message)> {
    vec![
        (Send, Message::request(1, "initialize", object(initialize_params()))),
        (Receive, response(1, initialize_result())),
        (Send, Message::notification("notifications/initialized", None)),
        (Send, Message::request(2, "tools/list", None)),
        (Receive, response(2, json!({"tools": [echo_tool()]}))),
        (Send, echo_call(3, "hello from MCP")),
        (Receive, response(3, echo_result("hello from MCP"))),
    ]
}

pub fn echo_call(id: i128, text: &str) -> Message {
    let params = json!({"name": "echo", "arguments": {"text": text}});
    Message::request(id, "tools/call", object(params))
}

fn echo_result(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn initialize_params() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "mcp-from-scratch", "version": "1.0.0"},
    })
}

fn initialize_result() -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "mcp-echo-server", "version": "1.0.0"},
    })
}

fn echo_tool() -> Value {
    json!({
        "name": "echo",
        "description": "Echo the given text back verbatim.",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
    })
}

fn response(id: i128, result: Value) -> Message {
    Message::Response(Response::result(Id::Integer(id), result))
}

fn object(value: Value) -> Option<Map<String, Value>> {
    value.as_object().cloned()
}
