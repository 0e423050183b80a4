//! One message from the wire. Pure.

use crate::rule::quoted;
use serde_json::{Value, json};

#[derive(Clone, Debug)]
pub struct Message {
    pub body: Vec<u8>,
    /// Null if the body is not valid JSON.
    pub json: Value,
}

impl Message {
    pub fn new(body: Vec<u8>) -> Self {
        let json = serde_json::from_slice(&body).unwrap_or_default();
        Self { body, json }
    }

    pub fn quoted(&self) -> String {
        quoted(&self.body)
    }

    pub fn error_code(&self) -> Option<i64> {
        self.json["error"]["code"].as_i64()
    }

    pub fn is_response(&self) -> bool {
        self.json.is_object() && self.json.get("method").is_none()
    }

    pub fn is_request(&self) -> bool {
        self.json["method"].is_string() && !self.json["id"].is_null()
    }

    /// Whether it is a request or a notification with this method.
    pub fn has_method(&self, method: &str) -> bool {
        self.json["method"] == method
    }

    /// Whether it has one of these methods.
    pub fn has_method_of(&self, methods: &[&str]) -> bool {
        self.json["method"].as_str().is_some_and(|method| methods.contains(&method))
    }
}

pub fn result(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub fn error(id: &Value, code: i64, message: &str) -> Value {
    let error = json!({ "code": code, "message": message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// Whether one id may be a wrong copy of the other: `1`, `1.0` and `"1"` are similar.
pub fn is_similar_id(one: &Value, other: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let number = |value: &Value| text(value).parse::<f64>().ok();
    text(one) == text(other)
        || number(one).is_some_and(|one| number(other) == Some(one))
}
