//! The rules of a server, without its pipes.

use super::{Catalog, Offered};
use crate::{
    jsonrpc::{
        ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, Notification,
        ParseError, Request, Response, UnknownId,
    },
    protocol::{self, InitializeResult, method},
    transcript::excerpt,
};
use serde_json::{Map, Value, json};
use std::{collections::HashSet, sync::Arc};

// ANCHOR: action
/// What a server does about one message.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Send this response.
    Reply(Response),
    /// Run the tool and pass its result to [`Session::finish`].
    Call {
        /// The id of the request.
        id: Id,
        /// The tool, from the session's catalog.
        tool: Offered,
        /// Argument values by parameter name; empty if the request has none.
        arguments: Map<String, Value>,
    },
    /// Stop that call. It gets no response.
    Cancel(Id),
    /// Nothing to do.
    Nothing,
    /// Send nothing, and log this text: the message is unusual.
    Ignore(&'static str),
}
// ANCHOR_END: action

// ANCHOR: session
/// The session of one client, from its first message to its last.
pub struct Session {
    catalog: Arc<Catalog>,
    /// The negotiated revision, once `initialize` has succeeded.
    version: Option<&'static str>,
    /// `notifications/initialized` was received: tools may be used.
    ready: bool,
    /// The ids of the running calls.
    in_flight: HashSet<Id>,
}
// ANCHOR_END: session

impl Session {
    /// A new session, in which nothing was received yet.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self { catalog, version: None, ready: false, in_flight: HashSet::new() }
    }

    // ANCHOR: receive
    /// Decides what to do about one message, or about a body that is not a message.
    ///
    /// A request goes to `request`, a notification to `notification`. A response is
    /// [`Action::Ignore`], because this server sends no requests. A body that is not a
    /// message gets [`ParseError::reply`], if there is one.
    pub fn receive(&mut self, message: Result<Message, ParseError>) -> Action {
        match message {
            Ok(Message::Request(request)) => self.request(request),
            Ok(Message::Notification(notification)) => self.notification(&notification),
            Ok(Message::Response(_)) => {
                Action::Ignore("a response to a server that sends no requests")
            }
            Err(error) => match error.reply() {
                Some(response) => Action::Reply(response),
                None => Action::Ignore("a malformed message that expects no response"),
            },
        }
    }
    // ANCHOR_END: receive

    // ANCHOR: finish
    /// The response to a call that has ended, under its id. `None`: no call runs under
    /// this id, because it was cancelled or has its response already.
    pub fn finish(
        &mut self,
        id: &Id,
        result: Result<Value, ErrorObject>,
    ) -> Option<Response> {
        let id = self.in_flight.take(id)?;
        Some(Response { id: Some(id), result })
    }
    // ANCHOR_END: finish

    /// How an error response without a known id is written in the negotiated revision.
    pub fn unknown_id(&self) -> UnknownId {
        protocol::unknown_id(self.version)
    }

    // ANCHOR: request
    /// Decides on a request: it gets one response under its id, now or when its call
    /// has ended. Absent params count as empty.
    ///
    /// `ping` gets `{}` in every state; `initialize`, `tools/list` and `tools/call`
    /// have separate functions. Errors: [`INVALID_REQUEST`] for the id of a running
    /// call, whatever the method; [`ErrorObject::method_not_found`] for every other
    /// method.
    fn request(&mut self, request: Request) -> Action {
        let Request { id, method, params } = request;
        let params = params.unwrap_or_default();
        if self.in_flight.contains(&id) {
            let reason = format!("id {id} is in use by a running call");
            return refuse(id, ErrorObject::new(INVALID_REQUEST, reason));
        }
        let result = match method.as_str() {
            method::PING => Ok(json!({})),
            method::INITIALIZE => self.initialize(&params),
            method::TOOLS_LIST => self.list(&params),
            method::TOOLS_CALL => return self.call(id, params),
            _ => Err(ErrorObject::method_not_found(&method)),
        };
        Action::Reply(Response { id: Some(id), result })
    }
    // ANCHOR_END: request

    // ANCHOR: initialize
    /// The [`InitializeResult`] of this server, in the revision that
    /// [`protocol::negotiate`] chooses for the offered `protocolVersion`. The session
    /// keeps the revision.
    ///
    /// Errors: [`INVALID_REQUEST`] for a second one, [`INVALID_PARAMS`] for one without
    /// a string `protocolVersion`. A refused request changes nothing.
    fn initialize(
        &mut self,
        params: &Map<String, Value>,
    ) -> Result<Value, ErrorObject> {
        if self.version.is_some() {
            let reason = "the session is already initialized";
            return Err(ErrorObject::new(INVALID_REQUEST, reason));
        }
        let offered =
            params.get("protocolVersion").and_then(Value::as_str).ok_or_else(|| {
                invalid_params("`initialize` needs a string `protocolVersion`")
            })?;
        let version = protocol::negotiate(offered);
        self.version = Some(version);
        let Catalog { server, capabilities, .. } = &*self.catalog;
        Ok(InitializeResult::of(version, *capabilities, server).to_json())
    }
    // ANCHOR_END: initialize

    // ANCHOR: notification
    /// Decides on a notification, which never gets a response.
    /// `notifications/initialized` and `notifications/cancelled` have separate
    /// functions. All others are [`Action::Nothing`], including methods that would be
    /// requests if they had an id.
    fn notification(&mut self, notification: &Notification) -> Action {
        match notification.method.as_str() {
            method::INITIALIZED => self.initialized(),
            method::CANCELLED => self.cancelled(notification.params.as_ref()),
            _ => Action::Nothing,
        }
    }
    // ANCHOR_END: notification

    // ANCHOR: gate
    /// `notifications/initialized` opens the gate, if `initialize` has succeeded.
    /// Before that it is [`Action::Ignore`].
    fn initialized(&mut self) -> Action {
        if self.version.is_none() {
            return Action::Ignore("`initialized` before `initialize`");
        }
        self.ready = true;
        Action::Nothing
    }

    /// Error: [`INVALID_REQUEST`] for `method` while the gate is closed.
    fn gate(&self, method: &str) -> Result<(), ErrorObject> {
        if self.ready {
            return Ok(());
        }
        let reason = format!("`{method}` before `{}`", method::INITIALIZED);
        Err(ErrorObject::new(INVALID_REQUEST, reason))
    }
    // ANCHOR_END: gate

    // ANCHOR: list
    /// The result of `tools/list`, behind the gate: `{"tools":[…]}`, each as
    /// [`ToolInfo::to_json`](crate::tool::ToolInfo::to_json) writes it, in the order of
    /// the catalog.
    ///
    /// All tools are on one page, so every cursor is unknown: [`INVALID_PARAMS`]. A
    /// null cursor counts as absent.
    fn list(&self, params: &Map<String, Value>) -> Result<Value, ErrorObject> {
        self.gate(method::TOOLS_LIST)?;
        match params.get("cursor") {
            None | Some(Value::Null) => {
                let tools = self.catalog.tools().iter();
                let tools: Vec<_> = tools.map(|tool| tool.info.to_json()).collect();
                Ok(json!({ "tools": tools }))
            }
            Some(cursor) => {
                Err(invalid_params(format!("unknown cursor {}", excerpt(cursor))))
            }
        }
    }
    // ANCHOR_END: list

    // ANCHOR: call
    /// Decides on `tools/call`, behind the gate: [`Action::Call`], after which the id
    /// belongs to a running call; or the error response, after which the id is free.
    fn call(&mut self, id: Id, params: Map<String, Value>) -> Action {
        match self.named_tool(params) {
            Ok((tool, arguments)) => {
                self.in_flight.insert(id.clone());
                Action::Call { id, tool, arguments }
            }
            Err(error) => refuse(id, error),
        }
    }

    /// The tool and the arguments of a `tools/call`, behind the [gate](Self::gate).
    /// Arguments that are absent or null count as an empty object.
    ///
    /// Error: [`INVALID_PARAMS`] for params of the wrong shape and for an unknown tool.
    /// Argument values are checked by the tool itself.
    fn named_tool(
        &self,
        mut params: Map<String, Value>,
    ) -> Result<(Offered, Map<String, Value>), ErrorObject> {
        self.gate(method::TOOLS_CALL)?;
        let Some(Value::String(name)) = params.shift_remove("name") else {
            return Err(invalid_params("`tools/call` needs a string `name`"));
        };
        let arguments = match params.shift_remove("arguments") {
            None | Some(Value::Null) => Map::new(), // real clients send both
            Some(Value::Object(arguments)) => arguments,
            Some(_) => return Err(invalid_params("`arguments` must be an object")),
        };
        let Some(tool) = self.catalog.find(&name) else {
            return Err(invalid_params(format!("unknown tool `{}`", excerpt(name))));
        };
        Ok((tool.clone(), arguments))
    }
    // ANCHOR_END: call

    // ANCHOR: cancelled
    /// `notifications/cancelled`: [`Action::Cancel`] for the call that runs under its
    /// `requestId`. The call gets no response, and its id is free.
    ///
    /// [`Action::Nothing`] if no call runs under it: the call may have ended while the
    /// notification was under way. [`Action::Ignore`] for an unusable id. Every integer
    /// of 64 bits, signed or unsigned, is usable.
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
            None => Action::Nothing,
        }
    }
    // ANCHOR_END: cancelled
}

fn invalid_params(reason: impl Into<String>) -> ErrorObject {
    ErrorObject::new(INVALID_PARAMS, reason)
}

fn refuse(id: Id, error: ErrorObject) -> Action {
    Action::Reply(Response::error(Some(id), error))
}
