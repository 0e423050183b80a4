//! A message's members, kept as raw JSON and then read one by one.
//!
//! Raw members distinguish null from absent, keep an integer's digits, and preserve the
//! id of a message in which another member is invalid.

#![allow(unused)]

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
}

/// The error code to respond with, and the reason.
type Fault = (i64, String);

fn invalid(reason: impl Into<String>) -> Fault {
    (INVALID_REQUEST, reason.into())
}

impl Members<'_> {
    pub fn read(&self) -> Result<Message, ParseError> {
        let message = self.envelope().and_then(|id| self.message(id));
        message.map_err(|(code, reason)| {
            let usable = self.repeated.as_deref() != Some("id");
            let id = self.id().ok().flatten().filter(|_| usable);
            ParseError { code, reason, id, kind: self.kind() }
        })
    }

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

    /// The members that requests and notifications share.
    fn call(&self) -> Result<(String, Option<Map<String, Value>>), Fault> {
        let method = self.method().map_err(invalid)?;
        let params = self.params().map_err(|reason| (INVALID_PARAMS, reason))?;
        Ok((method, params))
    }

    /// Decided by which members are present, before any of them is read. A null method
    /// beside a result or an error counts as absent: some peers write all members of
    /// all messages.
    fn kind(&self) -> MessageKind {
        todo!("task 1.4: distinguish requests, notifications and responses")
    }

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

    /// Exactly one of result and error; a null beside a non-null one counts as absent.
    fn result(&self) -> Result<Result<Value, ErrorObject>, String> {
        todo!("task 1.6: read a result or an error")
    }
}

/// A string, or an integer in plain digits. `1.0`, `1e2` and `-0` are refused: they
/// could not be returned byte for byte.
fn read_id(raw: &RawValue) -> Result<Id, String> {
    todo!("task 1.5: read an id")
}

/// An object with an integer `code`, a string `message`, and `data` if there is any.
fn error_object(raw: &RawValue) -> Result<ErrorObject, String> {
    todo!("task 1.6: read a result or an error")
}

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
