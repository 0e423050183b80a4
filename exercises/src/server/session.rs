//! The rules of a server, without its pipes.

#![allow(unused)]

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

impl Session {
    /// A new session, in which nothing was received yet.
    pub fn new(catalog: Arc<Catalog>) -> Self {
        Self { catalog, version: None, ready: false, in_flight: HashSet::new() }
    }

    /// Decides what to do about one message, or about a body that is not a message.
    ///
    /// A request goes to `request`, a notification to `notification`. A response is
    /// [`Action::Ignore`], because this server sends no requests. A body that is not a
    /// message gets [`ParseError::reply`], if there is one.
    pub fn receive(&mut self, message: Result<Message, ParseError>) -> Action {
        todo!("task 3.1: respond to the requests of every server")
    }

    /// The response to a call that has ended, under its id. `None`: no call runs under
    /// this id, because it was cancelled or has its response already.
    pub fn finish(
        &mut self,
        id: &Id,
        result: Result<Value, ErrorObject>,
    ) -> Option<Response> {
        todo!("task 3.5: call a tool, and respond with its result")
    }

    /// How an error response without a known id is written in the negotiated revision.
    pub fn unknown_id(&self) -> UnknownId {
        protocol::unknown_id(self.version)
    }

    /// Decides on a request: it gets one response under its id, now or when its call
    /// has ended. Absent params count as empty.
    ///
    /// `ping` gets `{}` in every state; `initialize`, `tools/list` and `tools/call`
    /// have separate functions. Errors: [`INVALID_REQUEST`] for the id of a running
    /// call, whatever the method; [`ErrorObject::method_not_found`] for every other
    /// method.
    fn request(&mut self, request: Request) -> Action {
        todo!("task 3.1: respond to the requests of every server")
    }

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
        todo!("task 3.2: negotiate a revision")
    }

    /// Decides on a notification, which never gets a response.
    /// `notifications/initialized` and `notifications/cancelled` have separate
    /// functions. All others are [`Action::Nothing`], including methods that would be
    /// requests if they had an id.
    fn notification(&mut self, notification: &Notification) -> Action {
        todo!("task 3.3: send no response to a notification")
    }

    /// `notifications/initialized` opens the gate, if `initialize` has succeeded.
    /// Before that it is [`Action::Ignore`].
    fn initialized(&mut self) -> Action {
        todo!("task 3.4: open the gate, and list the tools")
    }

    /// Error: [`INVALID_REQUEST`] for `method` while the gate is closed.
    fn gate(&self, method: &str) -> Result<(), ErrorObject> {
        todo!("task 3.4: open the gate, and list the tools")
    }

    /// The result of `tools/list`, behind the gate: `{"tools":[…]}`, each as
    /// [`ToolInfo::to_json`](crate::tool::ToolInfo::to_json) writes it, in the order of
    /// the catalog.
    ///
    /// All tools are on one page, so every cursor is unknown: [`INVALID_PARAMS`]. A
    /// null cursor counts as absent.
    fn list(&self, params: &Map<String, Value>) -> Result<Value, ErrorObject> {
        todo!("task 3.4: open the gate, and list the tools")
    }

    /// Decides on `tools/call`, behind the gate: [`Action::Call`], after which the id
    /// belongs to a running call; or the error response, after which the id is free.
    fn call(&mut self, id: Id, params: Map<String, Value>) -> Action {
        todo!("task 3.5: call a tool, and respond with its result")
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
        todo!("task 3.5: call a tool, and respond with its result")
    }

    /// `notifications/cancelled`: [`Action::Cancel`] for the call that runs under its
    /// `requestId`. The call gets no response, and its id is free.
    ///
    /// [`Action::Nothing`] if no call runs under it: the call may have ended while the
    /// notification was under way. [`Action::Ignore`] for an unusable id. Every integer
    /// of 64 bits, signed or unsigned, is usable.
    fn cancelled(&mut self, params: Option<&Map<String, Value>>) -> Action {
        todo!("task 3.6: cancel a running call")
    }
}

fn invalid_params(reason: impl Into<String>) -> ErrorObject {
    ErrorObject::new(INVALID_PARAMS, reason)
}

fn refuse(id: Id, error: ErrorObject) -> Action {
    Action::Reply(Response::error(Some(id), error))
}
