//! Another way: no serde type and no visitor stands between the text and the message.
//! The text is known to be JSON when it comes here, so one pass over its bytes finds
//! where each member begins and ends; one `match` over the slices decides the rest.

use super::{
    ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, Notification, Request,
    Response,
    parse::{ParseError, MessageKind},
    result::read_result,
    unrepeated::read_unrepeated,
};
use serde_json::{Value, value::RawValue};

/// The name and the text of every member, in the order in which they stand.
pub fn scan(object: &str) -> Option<Vec<(String, &str)>> {
    let mut rest = object.trim().strip_prefix('{')?;
    let mut members = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\r', '\n', ',', ':']);
        if rest.starts_with('}') {
            return Some(members);
        }
        let (name, after) = rest.split_at(length_of_value(rest));
        let value = after.trim_start_matches([' ', '\t', '\r', '\n', ':']);
        let (value, after) = value.split_at(length_of_value(value));
        members.push((serde_json::from_str(name).ok()?, value));
        rest = after;
    }
}

/// How many bytes the JSON value has that `text` begins with.
fn length_of_value(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' if in_string && depth == 0 => return at + 1,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

fn is(text: &&str) -> bool {
    *text != "null"
}

pub fn understand(members: &[(String, &str)]) -> Result<Message, ParseError> {
    let get = |name: &str| members.iter().find(|(n, _)| n == name).map(|m| m.1);
    let twice = |name: &str| members.iter().filter(|(n, _)| n == name).count() > 1;
    let outcome = get("result").filter(is).or(get("error").filter(is));
    let method = get("method").filter(|text| outcome.is_none() || *text != "null");
    let kind = match (method, get("id"), get("result").or(get("error"))) {
        (Some(_), id, _) if id.is_some() => MessageKind::Request,
        (Some(_), ..) => MessageKind::Notification,
        (None, _, Some(_)) => MessageKind::Response,
        _ => MessageKind::Unknown,
    };
    let id = match get("id").filter(is).map(id) {
        Some(None) => Err("the id"),
        Some(id) => Ok(id),
        None => Ok(None),
    };
    let usable = if twice("id") { None } else { id.clone().ok().flatten() };
    let bad = |code, reason: &str| ParseError {
        code,
        reason: reason.into(),
        id: usable.clone(),
        kind,
    };
    let invalid = |reason: &str| bad(INVALID_REQUEST, reason);
    let known = ["jsonrpc", "id", "method", "params", "result", "error"];
    if let Some(name) = known.into_iter().find(|name| twice(name)) {
        return Err(invalid(&format!("`{name}` stands twice")));
    }
    if get("jsonrpc").and_then(string).as_deref() != Some("2.0") {
        return Err(invalid("this is not JSON-RPC 2.0"));
    }
    let id = id.map_err(|what| invalid(&format!("{what} is none")))?;
    match (kind, id, outcome) {
        (MessageKind::Unknown, ..) => Err(invalid("neither asks nor answers")),
        (MessageKind::Request | MessageKind::Notification, _, Some(_)) => {
            Err(invalid("asks and answers"))
        }
        (MessageKind::Request, None, _) => Err(invalid("a request has an id")),
        (MessageKind::Response, id, _) => {
            let outcome = match (get("result").filter(is), get("error").filter(is)) {
                (Some(_), Some(_)) => return Err(invalid("two outcomes")),
                (Some(result), None) => Ok(self::result(result)
                    .ok_or_else(|| invalid("the result cannot be read"))?),
                (None, Some(error)) => {
                    Err(self::error(error).ok_or_else(|| invalid("a broken error"))?)
                }
                (None, None) if get("error").is_none() => Ok(Value::Null),
                (None, None) => return Err(invalid("no outcome")),
            };
            match id {
                None if outcome.is_ok() => Err(invalid("whose result is it?")),
                id => Ok(Message::Response(Response { id, result: outcome })),
            }
        }
        (_, id, _) => {
            let method = method.and_then(string).ok_or_else(|| invalid("no method"))?;
            let params = match get("params").filter(is).map(read_unrepeated) {
                None => None,
                Some(Ok(Value::Object(params))) => Some(params),
                Some(_) => return Err(bad(INVALID_PARAMS, "params are an object")),
            };
            Ok(match id {
                Some(id) => Message::Request(Request { id, method, params }),
                None => Message::Notification(Notification { method, params }),
            })
        }
    }
}

fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

fn id(text: &str) -> Option<Id> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if text.starts_with('"') {
        return string(text).map(Id::String);
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || (sign, digits) == ("-", "0")
    {
        return None;
    }
    text.parse().ok().map(Id::Integer)
}

fn result(text: &str) -> Option<Value> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    read_result(raw).ok()
}

fn error(text: &str) -> Option<ErrorObject> {
    let members = scan(text)?;
    let last = |name: &str| members.iter().rev().find(|(n, _)| n == name);
    let code = serde_json::from_str(last("code")?.1).ok()?;
    let message = string(last("message")?.1)?;
    let data = match last("data") {
        Some((_, text)) => Some(serde_json::from_str(text).ok()?),
        None => None,
    };
    Some(ErrorObject { code, message, data })
}
