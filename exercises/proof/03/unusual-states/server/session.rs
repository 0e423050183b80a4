//! The rules of a server, without its pipes.
//!
//! How this one differs: where the handshake stands is one enum, which goes from state
//! to state by value; methods are looked up in a table that says what each of them
//! needs; a refusal is the error side of every rule; the calls that run are a list of
//! ids in the order in which they began.

use super::{Catalog, Offered};
use crate::{
    jsonrpc::{
        ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, ParseError, Message,
        Notification, Request, Response, UnknownId,
    },
    protocol::{self, InitializeResult, method},
    transcript::excerpt,
};
use serde_json::{Map, Value, json};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Reply(Response),
    Call { id: Id, tool: Offered, arguments: Params },
    Cancel(Id),
    Nothing,
    Ignore(&'static str),
}

#[derive(Clone, Copy)]
enum Handshake {
    Awaited,
    Agreed(&'static str),
    Done(&'static str),
}

/// What a request comes to, unless it is refused.
enum Granted {
    Result(Value),
    Run(Offered, Params),
}

type Params = Map<String, Value>;
type Rule = fn(&mut Session, Params) -> Result<Granted, ErrorObject>;

/// Each method, whether it stands behind the gate, and its rule.
const METHODS: [(&str, bool, Rule); 4] = [
    (method::PING, false, |_, _| Ok(Granted::Result(Value::Object(Map::new())))),
    (method::INITIALIZE, false, agree),
    (method::TOOLS_LIST, true, list),
    (method::TOOLS_CALL, true, run),
];

pub struct Session {
    catalog: Arc<Catalog>,
    handshake: Handshake,
    running: Vec<Id>,
}

impl Session {
    pub fn new(catalog: Arc<Catalog>) -> Self {
        let (handshake, running) = (Handshake::Awaited, Vec::new());
        Self { catalog, handshake, running }
    }

    pub fn receive(&mut self, message: Result<Message, ParseError>) -> Action {
        let malformed = match message {
            Ok(Message::Request(Request { id, method, params })) => {
                let granted = self.grant(&id, &method, params.unwrap_or_default());
                return self.act(id, granted);
            }
            Ok(Message::Notification(told)) => return self.told(told),
            Ok(Message::Response(_)) => {
                return Action::Ignore("an answer nobody waits for");
            }
            Err(malformed) => malformed,
        };
        let owed = malformed.reply().map(Action::Reply);
        owed.unwrap_or(Action::Ignore("something malformed that waits for nothing"))
    }

    pub fn finish(
        &mut self,
        id: &Id,
        result: Result<Value, ErrorObject>,
    ) -> Option<Response> {
        self.end(id).then(|| Response { id: Some(id.clone()), result })
    }

    pub fn unknown_id(&self) -> UnknownId {
        protocol::unknown_id(match self.handshake {
            Handshake::Awaited => None,
            Handshake::Agreed(version) | Handshake::Done(version) => Some(version),
        })
    }

    fn grant(
        &mut self,
        id: &Id,
        name: &str,
        params: Params,
    ) -> Result<Granted, ErrorObject> {
        if self.running.contains(id) {
            return no(INVALID_REQUEST, format!("id {id} is in use by a running call"));
        }
        let found = METHODS.iter().find(|(method, ..)| *method == name);
        let (_, gated, rule) =
            found.ok_or_else(|| ErrorObject::method_not_found(name))?;
        match self.handshake {
            Handshake::Awaited | Handshake::Agreed(_) if *gated => {
                let done = method::INITIALIZED;
                no(INVALID_REQUEST, format!("`{name}` before `{done}`"))
            }
            _ => rule(self, params),
        }
    }

    fn act(&mut self, id: Id, granted: Result<Granted, ErrorObject>) -> Action {
        match granted {
            Ok(Granted::Result(result)) => Action::Reply(Response::result(id, result)),
            Ok(Granted::Run(tool, arguments)) => {
                self.running.push(id.clone());
                Action::Call { id, tool, arguments }
            }
            Err(error) => Action::Reply(Response::error(Some(id), error)),
        }
    }

    fn told(&mut self, told: Notification) -> Action {
        match (&*told.method, self.handshake) {
            (method::INITIALIZED, Handshake::Awaited) => {
                Action::Ignore("a handshake that ends before it begins")
            }
            (method::INITIALIZED, Handshake::Agreed(version)) => {
                self.handshake = Handshake::Done(version);
                Action::Nothing
            }
            (method::CANCELLED, _) => {
                let params = Value::Object(told.params.unwrap_or_default());
                match id_from(&params["requestId"]) {
                    Some(id) if self.end(&id) => Action::Cancel(id),
                    Some(_) => Action::Nothing,
                    None => Action::Ignore("a cancellation of nothing"),
                }
            }
            _ => Action::Nothing,
        }
    }

    /// Whether a call ran under this id; it does not any more.
    fn end(&mut self, id: &Id) -> bool {
        let before = self.running.len();
        self.running.retain(|running| running != id);
        self.running.len() < before
    }
}

fn agree(session: &mut Session, params: Params) -> Result<Granted, ErrorObject> {
    let Handshake::Awaited = session.handshake else {
        return no(INVALID_REQUEST, "this session is initialized already");
    };
    let Some(Value::String(offered)) = params.get("protocolVersion") else {
        return no(INVALID_PARAMS, "`initialize` needs a string `protocolVersion`");
    };
    let version = protocol::negotiate(offered);
    session.handshake = Handshake::Agreed(version);
    let Catalog { server, capabilities, .. } = &*session.catalog;
    let result = InitializeResult::of(version, *capabilities, server);
    Ok(Granted::Result(result.to_json()))
}

fn list(session: &mut Session, params: Params) -> Result<Granted, ErrorObject> {
    if let Some(cursor) = params.get("cursor").filter(|cursor| !cursor.is_null()) {
        return no(INVALID_PARAMS, format!("unknown cursor {}", excerpt(cursor)));
    }
    let tools = session.catalog.tools().iter();
    let tools = tools.map(|tool| tool.info.to_json()).collect();
    Ok(Granted::Result(json!({ "tools": Value::Array(tools) })))
}

fn run(session: &mut Session, mut params: Params) -> Result<Granted, ErrorObject> {
    let arguments = match params.get_mut("arguments").map(Value::take) {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(arguments)) => Ok(arguments),
        Some(_) => Err(()),
    };
    match (params.get("name").and_then(Value::as_str), arguments) {
        (None, _) => no(INVALID_PARAMS, "`tools/call` needs a string `name`"),
        (_, Err(())) => no(INVALID_PARAMS, "`arguments` must be an object"),
        (Some(name), Ok(arguments)) => match session.catalog.find(name) {
            Some(tool) => Ok(Granted::Run(tool.clone(), arguments)),
            None => no(INVALID_PARAMS, format!("unknown tool `{}`", excerpt(name))),
        },
    }
}

fn id_from(value: &Value) -> Option<Id> {
    if let Some(text) = value.as_str() {
        return Some(Id::String(text.into()));
    }
    let small = value.as_i64().map(i128::from);
    small.or(value.as_u64().map(i128::from)).map(Id::Integer)
}

fn no(code: i64, reason: impl Into<String>) -> Result<Granted, ErrorObject> {
    Err(ErrorObject::new(code, reason))
}
