//! The rules of a server, without its pipes.

use crate::{
    jsonrpc::{
        ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Malformed, Message,
        Notification, Request, Response, UnknownId,
    },
    protocol::{self, Peer, method},
    tool::{Arguments, Outcome, ToolInfo},
    transcript::excerpt,
};
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// What a server owes for one message.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Reply(Response),
    /// Run the tool, one of the session's own, and give its outcome to
    /// [`Session::finish`].
    Call {
        id: Id,
        tool: String,
        arguments: Arguments,
    },
    /// Stop that call. It gets no answer any more.
    Cancel(Id),
    Nothing,
    /// Nothing is owed, and something is odd: the text says what, for a log.
    Ignore(&'static str),
}

/// One client's session, from its first message to its last.
pub struct Session {
    me: Peer,
    tools: Vec<ToolInfo>,
    /// The revision that was agreed on, once `initialize` is answered.
    version: Option<&'static str>,
    /// `notifications/initialized` has come: the gate is open.
    ready: bool,
    in_flight: HashSet<Id>,
}

impl Session {
    pub fn new(me: Peer, tools: Vec<ToolInfo>) -> Self {
        Self { me, tools, version: None, ready: false, in_flight: HashSet::new() }
    }

    /// Decides on one message, or on what should have been one.
    pub fn receive(&mut self, message: Result<Message, Malformed>) -> Action {
        match message {
            Ok(Message::Request(request)) => self.request(request),
            Ok(Message::Notification(notification)) => self.notification(&notification),
            Ok(Message::Response(_)) => Action::Ignore("an answer nobody waits for"),
            Err(malformed) => match malformed.reply() {
                Some(response) => Action::Reply(response),
                None => Action::Ignore("a malformed message that expects no answer"),
            },
        }
    }

    /// The answer to a call that has ended. `None`: it was cancelled meanwhile.
    pub fn finish(&mut self, id: &Id, outcome: Outcome) -> Option<Response> {
        let id = self.in_flight.take(id)?;
        Some(Response::result(id, outcome.to_result()))
    }

    /// How an answer to something unreadable is written in the agreed revision.
    pub fn unknown_id(&self) -> UnknownId {
        protocol::unknown_id(self.version)
    }

    fn request(&mut self, request: Request) -> Action {
        let Request { id, method, params } = request;
        let params = params.unwrap_or_default();
        if self.in_flight.contains(&id) {
            let reason = format!("id {id} is in use by a running call");
            return refuse(id, INVALID_REQUEST, reason);
        }
        let answer = match method.as_str() {
            method::PING => Ok(json!({})),
            method::INITIALIZE => self.initialize(&params),
            method::TOOLS_LIST if self.ready => self.list(&params),
            method::TOOLS_CALL if self.ready => match self.call(params) {
                Ok((tool, arguments)) => {
                    self.in_flight.insert(id.clone());
                    return Action::Call { id, tool, arguments };
                }
                Err(error) => Err(error),
            },
            method::TOOLS_LIST | method::TOOLS_CALL => Err(ErrorObject::new(
                INVALID_REQUEST,
                format!("`{method}` before `{}`", method::INITIALIZED),
            )),
            _ => Err(ErrorObject::method_not_found(&method)),
        };
        Action::Reply(Response { id: Some(id), outcome: answer })
    }

    fn initialize(
        &mut self,
        params: &Map<String, Value>,
    ) -> Result<Value, ErrorObject> {
        if self.version.is_some() {
            let reason = "this session is initialized already";
            return Err(ErrorObject::new(INVALID_REQUEST, reason));
        }
        let offered =
            params.get("protocolVersion").and_then(Value::as_str).ok_or_else(|| {
                invalid_params("`initialize` needs a string `protocolVersion`")
            })?;
        let version = protocol::negotiate(offered);
        self.version = Some(version);
        Ok(protocol::initialize_result(version, &self.me))
    }

    /// All tools on one page: a cursor can only be one that we never gave.
    fn list(&self, params: &Map<String, Value>) -> Result<Value, ErrorObject> {
        match params.get("cursor") {
            None | Some(Value::Null) => {
                let tools: Vec<_> = self.tools.iter().map(ToolInfo::to_json).collect();
                Ok(json!({ "tools": tools }))
            }
            Some(cursor) => {
                Err(invalid_params(format!("unknown cursor {}", excerpt(cursor))))
            }
        }
    }

    /// A call that does not fit the request's shape, or names no tool of ours, is a
    /// protocol error. Arguments that the tool does not like are the tool's business.
    fn call(
        &self,
        mut params: Map<String, Value>,
    ) -> Result<(String, Arguments), ErrorObject> {
        let Some(Value::String(name)) = params.shift_remove("name") else {
            return Err(invalid_params("`tools/call` needs a string `name`"));
        };
        let arguments = match params.shift_remove("arguments") {
            None | Some(Value::Null) => Map::new(), // real clients send both
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return Err(invalid_params("`arguments` must be an object")),
        };
        if !self.tools.iter().any(|tool| tool.name == name) {
            return Err(invalid_params(format!("unknown tool `{}`", excerpt(name))));
        }
        Ok((name, Arguments(arguments)))
    }

    fn notification(&mut self, notification: &Notification) -> Action {
        match notification.method.as_str() {
            method::INITIALIZED if self.version.is_some() => {
                self.ready = true;
                Action::Nothing
            }
            method::INITIALIZED => Action::Ignore("`initialized` before `initialize`"),
            method::CANCELLED => self.cancelled(notification.params.as_ref()),
            _ => Action::Nothing,
        }
    }

    fn cancelled(&mut self, params: Option<&Map<String, Value>>) -> Action {
        let id = match params.and_then(|params| params.get("requestId")) {
            Some(Value::String(text)) => Id::String(text.clone()),
            Some(Value::Number(number)) => match number.to_string().parse() {
                Ok(number) => Id::Integer(number),
                Err(_) => return Action::Ignore("a cancellation without a usable id"),
            },
            _ => return Action::Ignore("a cancellation without a usable id"),
        };
        match self.in_flight.take(&id) {
            Some(id) => Action::Cancel(id),
            None => Action::Nothing, // it ended while the cancellation was on its way
        }
    }
}

fn invalid_params(reason: impl Into<String>) -> ErrorObject {
    ErrorObject::new(INVALID_PARAMS, reason)
}

fn refuse(id: Id, code: i64, reason: String) -> Action {
    Action::Reply(Response::error(Some(id), ErrorObject::new(code, reason)))
}
