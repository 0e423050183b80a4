//! One message that came. Pure.

use crate::rule::quoted;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Received {
    pub body: Vec<u8>,
    /// Null if it was no JSON.
    pub json: Value,
}

impl Received {
    pub fn shown(&self) -> String {
        quoted(&self.body)
    }

    pub fn error_code(&self) -> Option<i64> {
        self.json["error"]["code"].as_i64()
    }

    pub fn is_answer(&self) -> bool {
        self.json.is_object() && self.json.get("method").is_none()
    }
}

/// Whether one id could be a clumsy copy of the other: `1`, `1.0` and `"1"` are alike.
pub fn is_like(one: &Value, other: &Value) -> bool {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let number = |value: &Value| text(value).parse::<f64>().ok();
    text(one) == text(other)
        || number(one).is_some_and(|one| number(other) == Some(one))
}
