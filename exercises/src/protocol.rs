//! What MCP adds to JSON-RPC before the first tool call: revisions, the methods' names
//! and requests, the contents of the handshake. Pure.
//!
//! Source: MCP 2025-11-25, basic/lifecycle (Initialization, Version Negotiation) and
//! server/tools (Listing Tools, Calling Tools).

#![allow(unused)]

use crate::{
    jsonrpc::{Id, Message, Request, UnknownId},
    params,
    transcript::{escape_untrusted, excerpt},
};
use serde_json::{Map, Value, json};
use std::fmt;

/// The revisions that this library supports, newest first. 2025-03-26 is not among
/// them: it obliges receivers to accept batches, which the next revision withdrew.
pub const VERSIONS: [&str; 3] = ["2025-11-25", "2025-06-18", "2024-11-05"];

/// The newest supported revision: what a client offers by default.
pub const LATEST: &str = VERSIONS[0];

/// The names of the methods.
pub mod method {
    /// The first request: versions, capabilities, names.
    pub const INITIALIZE: &str = "initialize";
    /// The client has received the response to `initialize`.
    pub const INITIALIZED: &str = "notifications/initialized";
    /// The sender no longer needs the response to a request.
    pub const CANCELLED: &str = "notifications/cancelled";
    /// Asks whether the peer still responds.
    pub const PING: &str = "ping";
    /// Asks for one page of the tool list.
    pub const TOOLS_LIST: &str = "tools/list";
    /// Runs a tool.
    pub const TOOLS_CALL: &str = "tools/call";
}

/// The revision with which a server responds: the offered one if it is supported, else
/// the newest. An unknown version is not an error; the client decides whether to stay.
pub fn negotiate(offered: &str) -> &'static str {
    todo!("task 3.2: negotiate a revision")
}

/// `version` as one of [`VERSIONS`], if it is one.
pub fn supported(version: &str) -> Option<&'static str> {
    VERSIONS.into_iter().find(|supported| *supported == version)
}

/// How an error response to an unreadable message is written: until 2025-06-18 it must
/// have an id, so the id is null; from 2025-11-25 on the id is left out (basic/index,
/// Responses). `negotiated`: `None` before `initialize`.
pub fn unknown_id(negotiated: Option<&str>) -> UnknownId {
    match negotiated {
        Some("2025-11-25") => UnknownId::Absent,
        _ => UnknownId::Null,
    }
}

/// The program at one end of a connection: `clientInfo` or `serverInfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    /// For programs and logs, such as `mcp-echo-server`.
    pub name: String,
    /// The version of the program, not of the protocol.
    pub version: String,
}

impl Implementation {
    /// A name and a version.
    pub fn new(name: &str, version: &str) -> Self {
        Self { name: name.into(), version: version.into() }
    }

    fn to_json(&self) -> Value {
        json!({ "name": self.name, "version": self.version })
    }
}

/// What a server offers. A client must not ask for anything else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Capabilities {
    /// `tools/list` and `tools/call`.
    pub tools: bool,
}

impl Capabilities {
    /// A server that has tools and nothing else.
    pub const TOOLS: Self = Self { tools: true };

    fn to_json(self) -> Value {
        let mut declared = Map::new();
        if self.tools {
            declared.insert("tools".into(), json!({}));
        }
        declared.into()
    }

    /// Error: not an object.
    fn read(declared: &Value) -> Result<Self, String> {
        if !declared.is_object() {
            let got = excerpt(declared);
            return Err(format!("`capabilities` must be an object, got {got}"));
        }
        Ok(Self { tools: declared["tools"].is_object() })
    }
}

/// The `initialize` request. It declares no client capability, so that no server asks
/// for roots, sampling or elicitation.
pub fn initialize(
    id: impl Into<Id>,
    version: &str,
    client: &Implementation,
) -> Request {
    let params = params! {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": client.to_json(),
    };
    request(id, method::INITIALIZE, Some(params))
}

/// The `initialized` notification, which ends the handshake.
pub fn initialized() -> Message {
    Message::notification(method::INITIALIZED, None)
}

/// The request for one page of the tool list; `None` asks for the first.
pub fn list_tools(id: impl Into<Id>, cursor: Option<&str>) -> Request {
    let params = cursor.map(|cursor| params! { "cursor": cursor });
    request(id, method::TOOLS_LIST, params)
}

/// The request that runs a tool.
pub fn call_tool(
    id: impl Into<Id>,
    name: &str,
    arguments: Map<String, Value>,
) -> Request {
    let mut params = params! { "name": name };
    params.insert("arguments".into(), arguments.into());
    request(id, method::TOOLS_CALL, Some(params))
}

/// The `ping` request.
pub fn ping(id: impl Into<Id>) -> Request {
    request(id, method::PING, None)
}

/// The notification that a response is no longer needed.
pub fn cancelled(id: &Id, reason: &str) -> Message {
    let params = params! { "requestId": id, "reason": reason };
    Message::notification(method::CANCELLED, Some(params))
}

fn request(
    id: impl Into<Id>,
    method: &str,
    params: Option<Map<String, Value>>,
) -> Request {
    Request { id: id.into(), method: method.into(), params }
}

/// What a server states about itself in the result of `initialize`.
#[derive(Clone, Debug, PartialEq)]
pub struct InitializeResult {
    /// The revision that the server chose.
    pub version: String,
    /// What the server offers.
    pub capabilities: Capabilities,
    /// `serverInfo` as received; null if it is missing.
    pub info: Value,
}

impl InitializeResult {
    /// The result of `initialize`, from a server.
    pub fn of(
        version: &str,
        capabilities: Capabilities,
        server: &Implementation,
    ) -> Self {
        Self { version: version.into(), capabilities, info: server.to_json() }
    }

    /// The result as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "protocolVersion": self.version,
            "capabilities": self.capabilities.to_json(),
            "serverInfo": self.info,
        })
    }

    /// Reads the result of `initialize`. Error: what is missing or of the wrong type.
    pub fn read(result: &Value) -> Result<Self, String> {
        let Some(version) = result["protocolVersion"].as_str() else {
            let got = excerpt(&result["protocolVersion"]);
            return Err(format!("`protocolVersion` must be a string, got {got}"));
        };
        Ok(Self {
            version: version.into(),
            capabilities: Capabilities::read(&result["capabilities"])?,
            info: result["serverInfo"].clone(),
        })
    }
}

/// For a person, on one line: `{"name":"…","version":"…"} protocol 2025-11-25`.
impl fmt::Display for InitializeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = escape_untrusted(self.info.to_string().as_bytes());
        write!(f, "{info} protocol {}", escape_untrusted(self.version.as_bytes()))
    }
}
