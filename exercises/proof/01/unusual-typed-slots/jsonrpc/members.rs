//! Another way: each member is read into its own type as soon as it is met, and what
//! came of that is kept: nothing, null, a value, or why there is none. No raw text
//! outlives the visit, and the kind is told from the slots.

use super::{
    ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, Notification, Request,
    Response,
    parse::{ParseError, MessageKind},
    result::read_result,
    unrepeated::read_unrepeated,
};
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value, value::RawValue};
use std::{collections::BTreeSet, fmt};

enum Slot<T> {
    Absent,
    Null,
    Good(T),
    Bad(&'static str),
}

use Slot::{Absent, Bad, Good, Null};

impl<T> Slot<T> {
    fn fill(&mut self, raw: &RawValue, what: &'static str, read: Read<T>) {
        *self = match raw.get() {
            "null" => Null,
            text => read(text).map_or(Bad(what), Good),
        };
    }

    fn is_there(&self) -> bool {
        !matches!(self, Absent)
    }

    fn says_something(&self) -> bool {
        !matches!(self, Absent | Null)
    }
}

type Read<T> = fn(&str) -> Option<T>;

pub struct Members {
    version: Slot<String>,
    id: Slot<Id>,
    method: Slot<String>,
    params: Slot<Map<String, Value>>,
    result: Slot<Value>,
    error: Slot<ErrorObject>,
    twice: BTreeSet<String>,
}

pub fn read_members(text: &str) -> serde_json::Result<Members> {
    let mut from = serde_json::Deserializer::from_str(text);
    let members = (&mut from).deserialize_map(Slots)?;
    from.end().map(|()| members)
}

struct Slots;

impl<'de> Visitor<'de> for Slots {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut seen = BTreeSet::new();
        let mut all = Members {
            version: Absent,
            id: Absent,
            method: Absent,
            params: Absent,
            result: Absent,
            error: Absent,
            twice: BTreeSet::new(),
        };
        const NAMES: [&str; 6] =
            ["jsonrpc", "id", "method", "params", "result", "error"];
        while let Some(name) = map.next_key::<String>()? {
            if !NAMES.contains(&&*name) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let raw: &RawValue = map.next_value()?;
            match &*name {
                "jsonrpc" => all.version.fill(raw, "no version", string),
                "id" => all.id.fill(raw, "no id", id),
                "method" => all.method.fill(raw, "no method", string),
                "params" => all.params.fill(raw, "no object", params),
                "result" => all.result.fill(raw, "no JSON", result),
                _ => all.error.fill(raw, "no error object", error),
            }
            if !seen.insert(name.clone()) {
                all.twice.insert(name);
            }
        }
        Ok(all)
    }
}

impl Members {
    fn kind(&self) -> MessageKind {
        let answers = self.result.says_something() || self.error.says_something();
        let asks = match answers {
            true => self.method.says_something(),
            false => self.method.is_there(),
        };
        if asks {
            return if self.id.is_there() {
                MessageKind::Request
            } else {
                MessageKind::Notification
            };
        }
        match self.result.is_there() || self.error.is_there() {
            true => MessageKind::Response,
            false => MessageKind::Unknown,
        }
    }

    pub fn read(self) -> Result<Message, ParseError> {
        let kind = self.kind();
        let id = match &self.id {
            Good(id) if !self.twice.contains("id") => Some(id.clone()),
            _ => None,
        };
        let refuse = |code, reason: &str| {
            Err(ParseError { code, reason: reason.into(), id: id.clone(), kind })
        };
        let invalid = |reason| refuse(INVALID_REQUEST, reason);
        if !self.twice.is_empty() {
            return invalid("a member stands twice");
        }
        if !matches!(&self.version, Good(version) if version == "2.0") {
            return invalid("the version is not 2.0");
        }
        let answers = self.result.says_something() || self.error.says_something();
        match (kind, &self.id) {
            (_, Bad(why)) => invalid(why),
            (MessageKind::Unknown, _) => invalid("nothing is asked or answered"),
            (MessageKind::Response, _) => match (self.result, self.error) {
                (Bad(why), Absent | Null) | (Absent | Null, Bad(why)) => invalid(why),
                (Good(_) | Bad(_), Good(_) | Bad(_)) => invalid("two outcomes"),
                (Good(result), _) => match id {
                    Some(id) => Ok(Message::Response(Response::result(id, result))),
                    None => invalid("whose result is it?"),
                },
                (_, Good(error)) => Ok(Message::Response(Response::error(id, error))),
                (Null, Absent) if id.is_some() => {
                    Ok(Message::Response(Response { id, result: Ok(Value::Null) }))
                }
                _ => invalid("no outcome"),
            },
            _ if answers => invalid("asks and answers at once"),
            (MessageKind::Request, Null) => invalid("a request's id is not null"),
            _ => {
                let Good(method) = self.method else {
                    return invalid("no method");
                };
                let params = match self.params {
                    Absent | Null => None,
                    Good(params) => Some(params),
                    Bad(why) => return refuse(INVALID_PARAMS, why),
                };
                Ok(match id {
                    Some(id) => Message::Request(Request { id, method, params }),
                    None => Message::Notification(Notification { method, params }),
                })
            }
        }
    }
}

fn string(text: &str) -> Option<String> {
    serde_json::from_str(text).ok()
}

/// serde_json reads 128 bits only if it is asked for them.
fn id(text: &str) -> Option<Id> {
    match text.bytes().next()? {
        b'"' => string(text).map(Id::String),
        _ if text.contains(['.', 'e', 'E']) || text == "-0" => None,
        _ => serde_json::from_str(text).ok().map(Id::Integer),
    }
}

fn params(text: &str) -> Option<Map<String, Value>> {
    match read_unrepeated(text) {
        Ok(Value::Object(params)) => Some(params),
        _ => None,
    }
}

fn result(text: &str) -> Option<Value> {
    let raw: &RawValue = serde_json::from_str(text).ok()?;
    read_result(raw).ok()
}

fn error(text: &str) -> Option<ErrorObject> {
    let Ok(Value::Object(mut members)) = serde_json::from_str(text) else {
        return None;
    };
    Some(ErrorObject {
        data: members.shift_remove("data"),
        code: members.get("code")?.as_i64()?,
        message: members.get("message")?.as_str()?.into(),
    })
}

/// What a JSON text is, by its first byte.
pub fn kind_of(json: &str) -> &'static str {
    match json.trim_start().chars().next() {
        Some('[') => "an array",
        _ => "a scalar",
    }
}
