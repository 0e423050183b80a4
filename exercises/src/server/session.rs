//! The rules of a server, without its pipes.

#![allow(unused)]

use crate::{
    jsonrpc::{
        ErrorObject, INVALID_PARAMS, INVALID_REQUEST, Id, Message, Notification,
        ParseError, Request, Response, UnknownId,
    },
    protocol::{self, Implementation, method},
    tool::{Arguments, ToolInfo, ToolResult},
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
    me: Implementation,
    tools: Vec<ToolInfo>,
    /// The revision that was agreed on, once `initialize` is answered.
    version: Option<&'static str>,
    /// `notifications/initialized` has come: the gate is open.
    ready: bool,
    /// The ids of the calls that run.
    in_flight: HashSet<Id>,
}

impl Session {
    pub fn new(me: Implementation, tools: Vec<ToolInfo>) -> Self {
        Self { me, tools, version: None, ready: false, in_flight: HashSet::new() }
    }

    /// Decides on one message, or on what should have been one.
    ///
    /// A request goes to `request`, a notification to `notification`. An answer is
    /// [`Action::Ignore`], for a server of tools asks nothing. What is malformed gets
    /// what [`ParseError::reply`] says, be it nothing.
    pub fn receive(&mut self, message: Result<Message, ParseError>) -> Action {
        todo!("task 3.1: answer what any server answers")
    }

    /// The answer to a call that has ended: under its id, what the tool says, and a
    /// failed tool is a result like any other. `None`: no call runs under this id; it
    /// was cancelled meanwhile, or is answered already.
    pub fn finish(&mut self, id: &Id, outcome: ToolResult) -> Option<Response> {
        todo!("task 3.5: call a tool, and answer with what it says")
    }

    /// How an answer to something unreadable is written in the agreed revision.
    pub fn unknown_id(&self) -> UnknownId {
        protocol::unknown_id(self.version)
    }

    /// Decides on a request: each is answered once, under its own id, or is a call that
    /// will be. Absent params are empty ones.
    ///
    /// `ping` is answered `{}` in every state; `initialize`, `tools/list` and
    /// `tools/call` have functions of their own. Refuses with [`INVALID_REQUEST`] an id
    /// under which a call runs, whatever the method, and with
    /// [`ErrorObject::method_not_found`] every other method.
    fn request(&mut self, request: Request) -> Action {
        todo!("task 3.1: answer what any server answers")
    }

    /// Answers `initialize` with [`protocol::initialize_result`], in the revision that
    /// [`protocol::negotiate`] makes of the offered `protocolVersion`; remembers it.
    ///
    /// Refuses a second one with [`INVALID_REQUEST`], and one without a string
    /// `protocolVersion` with [`INVALID_PARAMS`]. What is refused changes nothing.
    fn initialize(
        &mut self,
        params: &Map<String, Value>,
    ) -> Result<Value, ErrorObject> {
        todo!("task 3.2: agree on a revision")
    }

    /// Decides on a notification, which is never answered. `notifications/initialized`
    /// and `notifications/cancelled` have functions of their own. All others are
    /// [`Action::Nothing`], those included that would be a request if they had an id.
    fn notification(&mut self, notification: &Notification) -> Action {
        todo!("task 3.3: answer no notification")
    }

    /// Takes `notifications/initialized`: opens the gate, but only once `initialize` is
    /// answered. Before that it is [`Action::Ignore`].
    fn initialized(&mut self) -> Action {
        todo!("task 3.4: open the gate, and list the tools")
    }

    /// Refuses `method` with [`INVALID_REQUEST`] while the gate is shut.
    fn gate(&self, method: &str) -> Result<(), ErrorObject> {
        todo!("task 3.4: open the gate, and list the tools")
    }

    /// Answers `tools/list`, behind the gate: `{"tools":[…]}`, each as
    /// [`ToolInfo::to_json`] has it, in the session's order.
    ///
    /// All tools are on one page, so a cursor can only be one that we never gave:
    /// [`INVALID_PARAMS`]. A null cursor is none.
    fn list(&self, params: &Map<String, Value>) -> Result<Value, ErrorObject> {
        todo!("task 3.4: open the gate, and list the tools")
    }

    /// Decides on `tools/call`, behind the gate: [`Action::Call`], and from then on the
    /// id is that of a running call; or the refusal, and the id stays free.
    fn call(&mut self, id: Id, params: Map<String, Value>) -> Action {
        todo!("task 3.5: call a tool, and answer with what it says")
    }

    /// The name and the arguments of a `tools/call`, behind the [gate](Self::gate).
    /// Arguments that are absent or null are an empty object.
    ///
    /// A call that does not fit the request's shape, or names no tool of ours, is a
    /// protocol error, [`INVALID_PARAMS`]. Arguments that the tool does not like are
    /// the tool's business.
    fn named_tool(
        &self,
        mut params: Map<String, Value>,
    ) -> Result<(String, Arguments), ErrorObject> {
        todo!("task 3.5: call a tool, and answer with what it says")
    }

    /// Takes `notifications/cancelled`: [`Action::Cancel`] for the call that runs under
    /// its `requestId`, which is owed no answer from now on, and whose id is free.
    ///
    /// [`Action::Nothing`] if none runs under it, for that call may have ended while
    /// this was on its way; [`Action::Ignore`] for no usable id. An integer is usable
    /// over all 64 bits, signed or not.
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
