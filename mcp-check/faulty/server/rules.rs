//! What the faulty server answers.

use serde_json::{Value, json};
use std::process;

pub struct Rules {
    fault: String,
    greeted: bool,
    ready: bool,
}

type Outcome = Result<Value, (i64, &'static str)>;

impl Rules {
    pub fn new(fault: &str) -> Self {
        Self { fault: fault.into(), greeted: false, ready: false }
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn dies_of(&self, what: &str) {
        if self.fault.strip_prefix("dies-of-") == Some(what) {
            process::exit(1);
        }
    }

    /// The bodies to write for one body.
    pub fn receive(&mut self, body: &[u8]) -> Vec<Vec<u8>> {
        if body.is_empty() {
            self.dies_of("blank-line");
            return Vec::new();
        }
        if self.has("silent") {
            return Vec::new();
        }
        let Ok(message) = serde_json::from_slice::<Value>(body) else {
            self.dies_of("junk");
            return match self.has("ignores-junk") {
                true => Vec::new(),
                false => vec![error(&Value::Null, -32700)],
            };
        };
        match message {
            Value::Array(items) => {
                self.dies_of("batch");
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
            self.ready |= self.greeted && method == "notifications/initialized";
            return match self.has("answers-notifications") {
                true => vec![error(&Value::Null, -32601)],
                false => Vec::new(),
            };
        };
        if id.is_null() && !self.has("answers-null-id") {
            self.dies_of("null-id");
            return vec![error(&Value::Null, -32600)];
        }
        let id = self.spoilt(id);
        if message["params"].is_array() {
            self.dies_of("params-array");
            return match self.has("ignores-params-array") {
                true => Vec::new(),
                false => vec![error(&id, -32602)],
            };
        }
        let mut answers = vec![match self.request(method, &message["params"]) {
            Ok(result) => body(json!({ "jsonrpc": "2.0", "id": id, "result": result })),
            Err((code, _)) => error(&id, code),
        }];
        if method == "initialize" && self.has("asks-early") {
            answers.push(body(
                json!({ "jsonrpc": "2.0", "id": 1, "method": "roots/list" }),
            ));
        }
        answers
    }

    fn spoilt(&self, id: &Value) -> Value {
        let number = id.as_i64();
        match (self.fault.as_str(), number, id.as_str()) {
            ("ids-are-strings", Some(number), _) => json!(number.to_string()),
            ("ids-are-floats" | "ids-lose-digits", Some(number), _)
                if self.has("ids-are-floats") || number > 1 << 53 =>
            {
                let float = number as f64;
                match self.has("ids-are-floats") {
                    true => json!(float),
                    false => json!(float as i64),
                }
            }
            ("digits-are-numbers", _, Some(text)) => {
                text.parse().map_or_else(|_| id.clone(), |number: i64| json!(number))
            }
            ("shortens-ids", _, Some(text)) => {
                json!(text.chars().take(100).collect::<String>())
            }
            _ => id.clone(),
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Outcome {
        let ready = self.ready || self.has("serves-early");
        match method {
            "initialize" => {
                self.greeted = true;
                self.hello(params["protocolVersion"].as_str().unwrap_or_default())
            }
            "ping" if self.has("has-no-ping") => Err((-32601, "no such method")),
            "ping" if self.has("has-no-ping-before-initialized") && !self.ready => {
                Err((-32600, "not now"))
            }
            "ping" if self.has("pongs-with-text") => Ok(json!({ "text": "pong" })),
            "ping" => Ok(json!({})),
            "tools/list" | "tools/call" if !ready => Err((-32600, "not now")),
            "tools/list" => Ok(json!({ "tools": [self.echo()] })),
            "tools/call" => self.call(params),
            "notifications/initialized" if self.has("accepts-initialized-request") => {
                Ok(json!({}))
            }
            _ => {
                self.ready |= self.has("opens-by-request")
                    && method == "notifications/initialized";
                self.dies_of("unknown-method");
                match self.has("has-odd-code-for-method") {
                    true => Err((-32600, "no such method")),
                    false => Err((-32601, "no such method")),
                }
            }
        }
    }

    fn hello(&self, offered: &str) -> Outcome {
        let known = ["2024-11-05", "2025-06-18", "2025-11-25"].contains(&offered);
        if self.has("refuses-version") && !known {
            return Err((-32602, "no such revision"));
        }
        let is_kept = known || self.has("repeats-version");
        let version = if is_kept { offered } else { "2025-11-25" };
        let mut hello = json!({
            "protocolVersion": version,
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "faulty", "version": "1.0.0" },
        });
        if self.has("forgets-server-info") {
            hello["serverInfo"] = Value::Null;
        }
        Ok(hello)
    }

    fn echo(&self) -> Value {
        let kind = if self.has("has-odd-schema") { "string" } else { "object" };
        json!({ "name": "echo", "inputSchema": {
            "type": kind,
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
        } })
    }

    fn call(&self, params: &Value) -> Outcome {
        let text = |text: &str, failed: bool| {
            let block = json!({ "type": "text", "text": text });
            json!({ "content": [block], "isError": failed })
        };
        if params["name"] != "echo" {
            return match self.fault.as_str() {
                "unknown-tool-is-result" => Ok(text("no such tool", true)),
                "has-odd-code-for-tool" => Err((-32601, "no such tool")),
                _ => Err((-32602, "no such tool")),
            };
        }
        match params["arguments"]["text"].as_str() {
            Some(given) => Ok(text(given, self.has("call-fails"))),
            None if self.has("bad-arguments-are-errors") => Err((-32602, "no text")),
            None => Ok(text("`text` must be a string", true)),
        }
    }
}

fn error(id: &Value, code: i64) -> Vec<u8> {
    let error = json!({ "code": code, "message": "refused" });
    body(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

fn body(message: Value) -> Vec<u8> {
    message.to_string().into_bytes()
}
