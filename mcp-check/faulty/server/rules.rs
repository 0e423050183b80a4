//! The faulty server's responses.

use mcp_check::message;
use serde_json::{Value, json};
use std::process;

pub struct Rules {
    fault: String,
    has_responded: bool,
    is_ready: bool,
}

impl Rules {
    pub fn new(fault: &str) -> Self {
        Self { fault: fault.into(), has_responded: false, is_ready: false }
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn may_die_of(&self, what: &str) {
        if self.fault.strip_prefix("dies-of-") == Some(what) {
            process::exit(1);
        }
    }

    /// The bodies to write for one body.
    pub fn receive(&mut self, body: &[u8]) -> Vec<Vec<u8>> {
        if body.is_empty() {
            self.may_die_of("blank-line");
            return Vec::new();
        }
        if self.has("silent") {
            return Vec::new();
        }
        let Ok(message) = serde_json::from_slice::<Value>(body) else {
            self.may_die_of("invalid-json");
            return match self.has("ignores-invalid-json") {
                true => Vec::new(),
                false => vec![error(&Value::Null, -32700)],
            };
        };
        match message {
            Value::Array(items) => {
                self.may_die_of("batch");
                match self.has("executes-batches") {
                    true => items.iter().flat_map(|item| self.message(item)).collect(),
                    false => vec![error(&Value::Null, -32600)],
                }
            }
            message => self.message(&message),
        }
    }

    fn message(&mut self, message: &Value) -> Vec<Vec<u8>> {
        let Some(method) = message["method"].as_str() else { return Vec::new() };
        let Some(id) = message.get("id") else {
            self.is_ready |=
                self.has_responded && method == "notifications/initialized";
            return match self.has("responds-to-notifications") {
                true => vec![error(&Value::Null, -32601)],
                false => Vec::new(),
            };
        };
        if id.is_null() && !self.has("accepts-null-id") {
            self.may_die_of("null-id");
            return vec![error(&Value::Null, -32600)];
        }
        let id = self.returned_id(id);
        if message["params"].is_array() {
            self.may_die_of("params-array");
            return match self.has("ignores-params-array") {
                true => Vec::new(),
                false => vec![error(&id, -32602)],
            };
        }
        let mut bodies = vec![match self.request(method, &message["params"]) {
            Ok(result) => body(message::result(&id, result)),
            Err(code) => error(&id, code),
        }];
        if method == "initialize" && self.has("requests-early") {
            bodies.push(body(
                json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" }),
            ));
        }
        bodies
    }

    fn returned_id(&self, id: &Value) -> Value {
        match (self.fault.as_str(), id.as_i64(), id.as_str()) {
            ("ids-become-floats", Some(number), _) => json!(number as f64),
            ("ids-lose-digits", Some(number), _) => json!((number as f64) as i64),
            ("digits-become-numbers", _, Some(text)) => {
                text.parse().map_or_else(|_| id.clone(), |number: i64| json!(number))
            }
            ("shortens-ids", _, Some(text)) => {
                json!(text.chars().take(100).collect::<String>())
            }
            _ => id.clone(),
        }
    }

    /// The result, or the code of an error.
    fn request(&mut self, method: &str, params: &Value) -> Result<Value, i64> {
        let is_ready = self.is_ready || self.has("serves-early");
        match method {
            "initialize" => {
                self.has_responded = true;
                self.initialize(params["protocolVersion"].as_str().unwrap_or_default())
            }
            "ping" if self.has("has-no-ping") => Err(-32601),
            "ping" if self.has("has-no-early-ping") && !self.is_ready => Err(-32600),
            "ping" if self.has("pongs-with-text") => Ok(json!({ "text": "pong" })),
            "ping" => Ok(json!({})),
            "tools/list" | "tools/call" if !is_ready => Err(-32600),
            "tools/list" => Ok(json!({ "tools": [self.echo()] })),
            "tools/call" => self.call(params),
            "notifications/initialized" if self.has("accepts-initialized-request") => {
                Ok(json!({}))
            }
            _ => {
                self.is_ready |= self.has("initialized-by-request")
                    && method == "notifications/initialized";
                self.may_die_of("unknown-method");
                Err(if self.has("wrong-code-for-method") { -32600 } else { -32601 })
            }
        }
    }

    fn initialize(&self, offered: &str) -> Result<Value, i64> {
        let is_known = ["2024-11-05", "2025-06-18", "2025-11-25"].contains(&offered);
        if self.has("refuses-version") && !is_known {
            return Err(-32602);
        }
        let is_kept = is_known || self.has("repeats-version");
        let version = if is_kept { offered } else { "2025-11-25" };
        let mut result = json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "faulty", "version": "1.0.0" },
        });
        if self.has("forgets-server-info") {
            result["serverInfo"] = Value::Null;
        }
        Ok(result)
    }

    fn echo(&self) -> Value {
        let kind = if self.has("wrong-schema") { "string" } else { "object" };
        json!({ "name": "echo", "inputSchema": {
            "type": kind,
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
        } })
    }

    fn call(&self, params: &Value) -> Result<Value, i64> {
        let text = |text: &str, is_error: bool| {
            let block = json!({ "type": "text", "text": text });
            json!({ "content": [block], "isError": is_error })
        };
        if params["name"] != "echo" {
            return match self.fault.as_str() {
                "unknown-tool-is-result" => Ok(text("unknown tool", true)),
                "wrong-code-for-tool" => Err(-32601),
                _ => Err(-32602),
            };
        }
        match params["arguments"]["text"].as_str() {
            Some(given) => Ok(text(given, self.has("call-fails"))),
            None if self.has("invalid-arguments-are-errors") => Err(-32602),
            None => Ok(text("`text` must be a string", true)),
        }
    }
}

fn error(id: &Value, code: i64) -> Vec<u8> {
    body(message::error(id, code, "refused"))
}

fn body(message: Value) -> Vec<u8> {
    message.to_string().into_bytes()
}
