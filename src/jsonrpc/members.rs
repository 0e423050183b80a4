//! A message's members, kept as raw JSON and then read one by one.
//!
//! Raw members distinguish null from absent, keep an integer's digits, and preserve the
//! id of a message in which another member is invalid.

use super::{
    ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, Notification, Request,
    Response,
    parse::{MessageKind, ParseError},
    result::read_result,
    unrepeated::read_unrepeated,
};
use crate::transcript::excerpt;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, value::RawValue};
use std::{borrow::Cow, fmt};

// ANCHOR: members
/// The members of an object, still unparsed. `None` is absent; null is `null`.
#[derive(Default)]
pub struct Members<'a> {
    jsonrpc: Option<&'a RawValue>,
    id: Option<&'a RawValue>,
    method: Option<&'a RawValue>,
    params: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    /// A duplicate member: two readers could use two different values of it.
    repeated: Option<String>,
}
// ANCHOR_END: members

pub fn read_members(text: &str) -> serde_json::Result<Members<'_>> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    // A derived struct would also accept the array ["2.0",1,"ping"]; a map does not.
    let members = deserializer.deserialize_map(MembersVisitor)?;
    deserializer.end()?;
    Ok(members)
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one JSON object")
    }

    // ANCHOR: visit-map
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Members::default();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            let slot = match &*name {
                "jsonrpc" => &mut members.jsonrpc,
                "id" => &mut members.id,
                "method" => &mut members.method,
                "params" => &mut members.params,
                "result" => &mut members.result,
                "error" => &mut members.error,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            let repeats = slot.replace(map.next_value()?).is_some();
            // A duplicate id comes first: the response must not use it.
            if repeats && (name == "id" || members.repeated.is_none()) {
                members.repeated = Some(name.into_owned());
            }
        }
        Ok(members)
    }
    // ANCHOR_END: visit-map
}

/// The error code to respond with, and the reason.
type Fault = (i64, String);

fn invalid(reason: impl Into<String>) -> Fault {
    (INVALID_REQUEST, reason.into())
}

impl Members<'_> {
    // ANCHOR: read
    pub fn read(&self) -> Result<Message, ParseError> {
        let message = self.envelope().and_then(|id| self.message(id));
        message.map_err(|(code, reason)| {
            let usable = self.repeated.as_deref() != Some("id");
            let id = self.id().ok().flatten().filter(|_| usable);
            ParseError { code, reason, id, kind: self.kind() }
        })
    }
    // ANCHOR_END: read

    // ANCHOR: envelope
    /// Checks what applies to every message. Returns its id, if it has one.
    fn envelope(&self) -> Result<Option<Id>, Fault> {
        if let Some(name) = &self.repeated {
            return Err(invalid(format!("duplicate member `{name}`")));
        }
        if self.jsonrpc.and_then(string).as_deref() != Some("2.0") {
            let got = got(self.jsonrpc);
            return Err(invalid(format!("`jsonrpc` must be \"2.0\", got {got}")));
        }
        self.id().map_err(invalid)
    }
    // ANCHOR_END: envelope

    // ANCHOR: kinds
    fn message(&self, id: Option<Id>) -> Result<Message, Fault> {
        match (self.kind(), id) {
            (MessageKind::Request, Some(id)) => {
                let (method, params) = self.call()?;
                Ok(Message::Request(Request { id, method, params }))
            }
            (MessageKind::Request, None) => Err(invalid(
                "a request's `id` must be a string or an integer, got null",
            )),
            (MessageKind::Notification, _) => {
                let (method, params) = self.call()?;
                Ok(Message::Notification(Notification { method, params }))
            }
            (MessageKind::Response, id) => match self.result().map_err(invalid)? {
                Ok(_) if id.is_none() => {
                    Err(invalid("a result must carry the `id` of its request"))
                }
                result => Ok(Message::Response(Response { id, result })),
            },
            (MessageKind::Unknown, _) => {
                Err(invalid("expected `method`, `result` or `error`, got none of them"))
            }
        }
    }
    // ANCHOR_END: kinds

    /// The members that requests and notifications share.
    fn call(&self) -> Result<(String, Option<Map<String, Value>>), Fault> {
        let method = self.method().map_err(invalid)?;
        let params = self.params().map_err(|reason| (INVALID_PARAMS, reason))?;
        Ok((method, params))
    }

    // ANCHOR: kind
    /// Decided by which members are present, before any of them is read. A null method
    /// beside a result or an error counts as absent: some peers write all members of
    /// all messages.
    fn kind(&self) -> MessageKind {
        let response = non_null(self.result).or(non_null(self.error));
        let method =
            if response.is_some() { non_null(self.method) } else { self.method };
        match (method, self.id, self.result.or(self.error)) {
            (Some(_), Some(_), _) => MessageKind::Request,
            (Some(_), None, _) => MessageKind::Notification,
            (None, _, Some(_)) => MessageKind::Response,
            (None, _, None) => MessageKind::Unknown,
        }
    }
    // ANCHOR_END: kind

    /// `Ok(None)` for absent and for null.
    fn id(&self) -> Result<Option<Id>, String> {
        non_null(self.id).map(read_id).transpose()
    }

    fn method(&self) -> Result<String, String> {
        if non_null(self.result).or(non_null(self.error)).is_some() {
            return Err("has a `method` and a `result` or `error`".into());
        }
        self.method.and_then(string).ok_or_else(|| {
            format!("`method` must be a string, got {}", got(self.method))
        })
    }

    /// Null counts as absent: real clients send it. A duplicate member is refused at
    /// any depth, because an approver decides by these values.
    fn params(&self) -> Result<Option<Map<String, Value>>, String> {
        let Some(raw) = non_null(self.params) else {
            return Ok(None);
        };
        if !raw.get().starts_with('{') {
            return Err(format!(
                "`params` must be an object, got {}",
                kind_of(raw.get())
            ));
        }
        match read_unrepeated(raw.get()) {
            Ok(Value::Object(params)) => Ok(Some(params)),
            Ok(_) => unreachable!("it starts with a brace"),
            Err(error) => Err(format!("`params` cannot be read: {error}")),
        }
    }

    // ANCHOR: result
    /// Exactly one of result and error; a null beside a non-null one counts as absent.
    fn result(&self) -> Result<Result<Value, ErrorObject>, String> {
        match (non_null(self.result), non_null(self.error)) {
            (Some(_), Some(_)) => Err("has both a `result` and an `error`".into()),
            (Some(raw), None) => read_result(raw)
                .map(Ok)
                .map_err(|error| format!("`result` cannot be read: {error}")),
            (None, Some(raw)) => error_object(raw).map(Err),
            (None, None) if self.error.is_some() => {
                Err("`error` must be an object, got null".into())
            }
            (None, None) if self.result.is_some() => Ok(Ok(Value::Null)),
            (None, None) => Err("has neither a `result` nor an `error`".into()),
        }
    }
    // ANCHOR_END: result
}

// ANCHOR: read-id
/// A string, or an integer in plain digits. `1.0`, `1e2` and `-0` are refused: they
/// could not be returned byte for byte.
fn read_id(raw: &RawValue) -> Result<Id, String> {
    if let Some(text) = string(raw) {
        return Ok(Id::String(text));
    }
    match raw.get().parse::<i128>() {
        Ok(number) if number.to_string() == raw.get() => Ok(Id::Integer(number)),
        _ => Err(format!("`id` must be a string or an integer, got {}", excerpt(raw))),
    }
}
// ANCHOR_END: read-id

// ANCHOR: error-object
/// An object with an integer `code`, a string `message`, and `data` if there is any.
fn error_object(raw: &RawValue) -> Result<ErrorObject, String> {
    if !raw.get().starts_with('{') {
        return Err(format!("`error` must be an object, got {}", kind_of(raw.get())));
    }
    let mut members: Map<String, Value> = serde_json::from_str(raw.get())
        .map_err(|error| format!("`error` cannot be read: {error}"))?;
    let code = members.get("code").and_then(Value::as_i64);
    let message = members.get("message").and_then(Value::as_str).map(str::to_owned);
    let of = |name: &str| members.get(name).map_or("nothing".into(), excerpt);
    let Some(code) = code else {
        return Err(format!("`error.code` must be an integer, got {}", of("code")));
    };
    let Some(message) = message else {
        return Err(format!("`error.message` must be a string, got {}", of("message")));
    };
    Ok(ErrorObject { code, message, data: members.shift_remove("data") })
}
// ANCHOR_END: error-object

fn non_null(raw: Option<&RawValue>) -> Option<&RawValue> {
    raw.filter(|raw| raw.get() != "null")
}

fn got(raw: Option<&RawValue>) -> String {
    raw.map_or("nothing".into(), excerpt)
}

fn string(raw: &RawValue) -> Option<String> {
    // The first byte decides, which avoids a failed parse of every other type.
    raw.get().starts_with('"').then(|| serde_json::from_str(raw.get()).ok())?
}

/// What a JSON text is, by its first byte.
pub fn kind_of(json: &str) -> &'static str {
    match json.trim_start().as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'"') => "a string",
        Some(b'-' | b'0'..=b'9') => "a number",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "nothing",
    }
}
