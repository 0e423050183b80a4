//! What MCP adds to JSON-RPC before any tool is called: revisions, names, the
//! handshake's contents. Pure.
//!
//! Source: MCP 2025-11-25, basic/lifecycle (Initialization, Version Negotiation).

#![allow(unused)]

use crate::{
    jsonrpc::{UnknownId, object},
    transcript::{excerpt, visible},
};
use serde_json::{Map, Value, json};
use std::fmt;

/// The revisions that we speak, newest first. 2025-03-26 is not among them: it obliges
/// receivers to take batches, which the next revision withdrew.
pub const VERSIONS: [&str; 3] = ["2025-11-25", "2025-06-18", "2024-11-05"];

/// The newest revision that we speak: what a client offers unless told otherwise.
pub const LATEST: &str = VERSIONS[0];

/// The methods that both sides must spell alike.
pub mod method {
    pub const INITIALIZE: &str = "initialize";
    pub const INITIALIZED: &str = "notifications/initialized";
    pub const CANCELLED: &str = "notifications/cancelled";
    pub const PING: &str = "ping";
    pub const TOOLS_LIST: &str = "tools/list";
    pub const TOOLS_CALL: &str = "tools/call";
}

/// The revision that a server answers with: the offered one if we speak it, else our
/// newest. An unknown version is no error; the client decides whether to stay.
pub fn negotiate(offered: &str) -> &'static str {
    todo!("task 3.2: agree on a revision")
}

/// `version` as one of [`VERSIONS`], if it is one.
pub fn spoken(version: &str) -> Option<&'static str> {
    VERSIONS.into_iter().find(|spoken| *spoken == version)
}

/// How an answer to something unreadable is written: until 2025-06-18 it must have an
/// id, so it is null; from 2025-11-25 on it is left out (basic/index, Responses).
pub fn unknown_id(agreed: Option<&str>) -> UnknownId {
    match agreed {
        Some("2025-11-25") => UnknownId::Absent,
        _ => UnknownId::Null,
    }
}

/// Who an end of the connection is: `clientInfo` or `serverInfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implementation {
    pub name: String,
    pub version: String,
}

impl Implementation {
    pub fn new(name: &str, version: &str) -> Self {
        Self { name: name.into(), version: version.into() }
    }

    fn to_json(&self) -> Value {
        json!({ "name": self.name, "version": self.version })
    }
}

/// The params of `initialize`. We declare no client capability, so that no server
/// asks for roots, sampling or elicitation.
pub fn initialize_params(version: &str, me: &Implementation) -> Map<String, Value> {
    object(json!({
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": me.to_json(),
    }))
}

/// The result of `initialize`, from a server that has tools and nothing else.
pub fn initialize_result(version: &str, me: &Implementation) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": me.to_json(),
    })
}

/// What a server says of itself in the result of `initialize`.
#[derive(Clone, Debug, PartialEq)]
pub struct InitializeResult {
    pub version: String,
    pub has_tools: bool,
    /// `serverInfo` as it came; null if it did not.
    pub info: Value,
}

/// For a person, on one line: `{"name":"…","version":"…"} protocol 2025-11-25`.
impl fmt::Display for InitializeResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let info = visible(self.info.to_string().as_bytes());
        write!(f, "{info} protocol {}", visible(self.version.as_bytes()))
    }
}

/// Reads the result of `initialize`. Error: what is missing or of the wrong type.
pub fn read_initialize_result(result: &Value) -> Result<InitializeResult, String> {
    let Some(version) = result["protocolVersion"].as_str() else {
        let got = excerpt(&result["protocolVersion"]);
        return Err(format!("`protocolVersion` must be a string, got {got}"));
    };
    let capabilities = &result["capabilities"];
    if !capabilities.is_object() {
        return Err(format!(
            "`capabilities` must be an object, got {}",
            excerpt(capabilities)
        ));
    }
    Ok(InitializeResult {
        version: version.into(),
        has_tools: capabilities["tools"].is_object(),
        info: result["serverInfo"].clone(),
    })
}
