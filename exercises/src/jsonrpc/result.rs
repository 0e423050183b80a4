//! Reads a result so that one unreadable element of a list costs only itself.
//!
//! `serde_json` cannot represent some JSON: half a surrogate pair (text that was cut
//! inside an emoji), a number beyond the range of f64, more than 127 levels. If an
//! element of a list, such as a tool or a content block, is affected, it becomes null,
//! which the reader of the list can report. Anywhere else the whole result fails.

#![allow(unused)]

use serde_json::{Map, Value, value::RawValue};
use std::collections::BTreeMap;

pub fn read_result(raw: &RawValue) -> serde_json::Result<Value> {
    let whole = serde_json::from_str(raw.get());
    if whole.is_ok() || !raw.get().starts_with('{') {
        return whole;
    }
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(raw.get())?;
    let mut result = Map::new();
    for (name, raw) in members {
        result.insert(name, read_member(raw)?);
    }
    Ok(Value::Object(result))
}

fn read_member(raw: &RawValue) -> serde_json::Result<Value> {
    let whole = serde_json::from_str(raw.get());
    if whole.is_ok() || !raw.get().starts_with('[') {
        return whole;
    }
    let elements: Vec<&RawValue> = serde_json::from_str(raw.get())?;
    let read = |raw: &RawValue| serde_json::from_str(raw.get()).unwrap_or(Value::Null);
    Ok(elements.into_iter().map(read).collect())
}
