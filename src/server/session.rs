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

// ANCHOR: action
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
// ANCHOR_END: action

// ANCHOR: session
/// One client's session, from its first message to its last.
pub struct Session {
    me: Peer,
    tools: Vec<ToolInfo>,
    /// The revision that was agreed on, once `initialize` is answered.
    version: Option<&'static str>,
    /// `notifications/initialized` has come: the gate is open.
    ready: bool,
    /// The ids of the calls that run.
    in_flight: HashSet<Id>,
}
// ANCHOR_END: session

impl Session {
    pub fn new(me: Peer, tools: Vec<ToolInfo>) -> Self {
        Self { me, tools, version: None, ready: false, in_flight: HashSet::new() }
    }

    // ANCHOR: receive
    /// Decides on one message, or on what should have been one.
    ///
    /// A request goes to `request`, a notification to `notification`. An answer is
    /// [`Action::Ignore`], for a server of tools asks nothing. What is malformed gets
    /// what [`Malformed::reply`] says, be it nothing.
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
    // ANCHOR_END: receive

    // ANCHOR: finish
    /// The answer to a call that has ended: under its id, what the tool says, and a
    /// failed tool is a result like any other. `None`: no call runs under this id; it
    /// was cancelled meanwhile, or is answered already.
    pub fn finish(&mut self, id: &Id, outcome: Outcome) -> Option<Response> {
        let id = self.in_flight.take(id)?;
        Some(Response::result(id, outcome.to_result()))
    }
    // ANCHOR_END: finish

    /// How an answer to something unreadable is written in the agreed revision.
    pub fn unknown_id(&self) -> UnknownId {
        protocol::unknown_id(self.version)
    }

    // ANCHOR: request
    /// Decides on a request: each is answered once, under its own id, or is a call that
    /// will be. Absent params are empty ones.
    ///
    /// `ping` is answered `{}` in every state; `initialize`, `tools/list` and
    /// `tools/call` have functions of their own. Refuses with [`INVALID_REQUEST`] an id
    /// under which a call runs, whatever the method, and with
    /// [`ErrorObject::method_not_found`] every other method.
    fn request(&mut self, request: Request) -> Action {
        let Request { id, method, params } = request;
        let params = params.unwrap_or_default();
        if self.in_flight.contains(&id) {
            let reason = format!("id {id} is in use by a running call");
            return refuse(id, ErrorObject::new(INVALID_REQUEST, reason));
        }
        let outcome = match method.as_str() {
            method::PING => Ok(json!({})),
            method::INITIALIZE => self.initialize(&params),
            method::TOOLS_LIST => self.list(&params),
            method::TOOLS_CALL => return self.call(id, params),
            _ => Err(ErrorObject::method_not_found(&method)),
        };
        Action::Reply(Response { id: Some(id), outcome })
    }
    // ANCHOR_END: request

    // ANCHOR: initialize
    /// Answers `initialize` with [`protocol::initialize_result`], in the revision that
    /// [`protocol::negotiate`] makes of the offered `protocolVersion`; remembers it.
    ///
    /// Refuses a second one with [`INVALID_REQUEST`], and one without a string
    /// `protocolVersion` with [`INVALID_PARAMS`]. What is refused changes nothing.
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
    // ANCHOR_END: initialize

    // ANCHOR: notification
    /// Decides on a notification, which is never answered. `notifications/initialized`
    /// and `notifications/cancelled` have functions of their own. All others are
    /// [`Action::Nothing`], those included that would be a request if they had an id.
    fn notification(&mut self, notification: &Notification) -> Action {
        match notification.method.as_str() {
            method::INITIALIZED => self.initialized(),
            method::CANCELLED => self.cancelled(notification.params.as_ref()),
            _ => Action::Nothing,
        }
    }
    // ANCHOR_END: notification

    // ANCHOR: gate
    /// Takes `notifications/initialized`: opens the gate, but only once `initialize` is
    /// answered. Before that it is [`Action::Ignore`].
    fn initialized(&mut self) -> Action {
        if self.version.is_none() {
            return Action::Ignore("`initialized` before `initialize`");
        }
        self.ready = true;
        Action::Nothing
    }

    /// Refuses `method` with [`INVALID_REQUEST`] while the gate is shut.
    fn gate(&self, method: &str) -> Result<(), ErrorObject> {
        if self.ready {
            return Ok(());
        }
        let reason = format!("`{method}` before `{}`", method::INITIALIZED);
        Err(ErrorObject::new(INVALID_REQUEST, reason))
    }
    // ANCHOR_END: gate

    // ANCHOR: list
    /// Answers `tools/list`, behind the gate: `{"tools":[…]}`, each as
    /// [`ToolInfo::to_json`] has it, in the session's order.
    ///
    /// All tools are on one page, so a cursor can only be one that we never gave:
    /// [`INVALID_PARAMS`]. A null cursor is none.
    fn list(&self, params: &Map<String, Value>) -> Result<Value, ErrorObject> {
        self.gate(method::TOOLS_LIST)?;
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
    // ANCHOR_END: list

    // ANCHOR: call
    /// Decides on `tools/call`, behind the gate: [`Action::Call`], and from then on the
    /// id is that of a running call; or the refusal, and the id stays free.
    fn call(&mut self, id: Id, params: Map<String, Value>) -> Action {
        match self.named_tool(params) {
            Ok((tool, arguments)) => {
                self.in_flight.insert(id.clone());
                Action::Call { id, tool, arguments }
            }
            Err(error) => refuse(id, error),
        }
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
        self.gate(method::TOOLS_CALL)?;
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
    // ANCHOR_END: call

    // ANCHOR: cancelled
    /// Takes `notifications/cancelled`: [`Action::Cancel`] for the call that runs under
    /// its `requestId`, which is owed no answer from now on, and whose id is free.
    ///
    /// [`Action::Nothing`] if none runs under it, for that call may have ended while
    /// this was on its way; [`Action::Ignore`] for no usable id. An integer is usable
    /// over all 64 bits, signed or not.
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
