//! The bridge: a server's tools in the agent's registry.
//!
//! A listed tool becomes a [`ToolSpec`]; a call of it becomes `tools/call`; the
//! server's result comes back unchanged.
//!
//! Source: MCP 2025-11-25, server/tools (Tool, Tool Names).

#![allow(unused)]

mod names;

pub use names::exposed_name;

use crate::{
    client::{Client, ClientError},
    registry::{Origin, Risk, ToolRegistry, ToolSpec, parameters},
    tool::{BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult},
    transcript::{escape_untrusted, excerpt},
};
use serde_json::Value;

/// How a server's tools are registered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The host's name for the server, for [`Origin`].
    pub server: String,
    /// Written before each name; hosts use `mcp__<server>__`.
    pub prefix: String,
    /// For every tool of the server: what the server itself states about risk is
    /// untrusted.
    pub risk: Risk,
    /// Other risks for single tools, by the name that the server gave. Of two for one
    /// tool, the stricter applies.
    pub overrides: Vec<(String, Risk)>,
}

impl Default for Options {
    fn default() -> Self {
        let (server, prefix) = (String::new(), String::new());
        Self { server, prefix, risk: Risk::Auto, overrides: Vec::new() }
    }
}

impl Options {
    /// The risk of a tool, by the name that the server gave: the strictest of its
    /// overrides, or else the one for the whole server.
    pub fn risk_of(&self, tool: &str) -> Risk {
        todo!("task 5.7: decide how risky a remote tool is")
    }

    /// The names in `overrides` that no listed tool has, in their order. Names are
    /// compared whole and case-sensitively; a listed tool may be any JSON.
    pub fn unknown_overrides(&self, listed: &[Value]) -> Vec<String> {
        todo!("task 5.7: decide how risky a remote tool is")
    }
}

/// The result of registering a server's tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The names in the registry.
    pub names: Vec<String>,
    /// One line for each skipped tool: which one, and why.
    pub skipped: Vec<String>,
}

/// Why nothing was registered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BridgeError {
    /// An override names a tool that the server does not list.
    #[error("overrides name tools that the server does not list: {}", .0.join(", "))]
    UnknownOverride(Vec<String>),
    /// The tools cannot be listed.
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// Lists a server's tools and registers a forwarder for each. One bad tool costs only
/// itself.
pub async fn register_mcp_tools(
    registry: &mut ToolRegistry,
    client: &Client,
    options: &Options,
) -> Result<Merged, BridgeError> {
    let listed = client.list_tools().await?;
    merge_remote(registry, client, &listed, options)
}

/// Registers a forwarder for each tool that `client` has listed.
pub fn merge_remote(
    registry: &mut ToolRegistry,
    client: &Client,
    listed: &[Value],
    options: &Options,
) -> Result<Merged, BridgeError> {
    merge(registry, listed, options, |name| RemoteTool::new(client.clone(), name))
}

/// Everything but the listing: registers the tools of `listed` in their order.
/// `forwarder` makes the tool to register from the name that the server gave; in a test
/// it makes a fake. A tool that is unreadable, or whose name is taken, is skipped and
/// reported, and the others are registered.
///
/// Error: an override names no listed tool; then nothing is registered.
pub fn merge<T: Tool + 'static>(
    registry: &mut ToolRegistry,
    listed: &[Value],
    options: &Options,
    forwarder: impl Fn(&str) -> T,
) -> Result<Merged, BridgeError> {
    todo!("task 5.8: merge a server's tools into the registry")
}

/// The name that the server gave, and the entry in the registry. A missing description
/// counts as empty.
///
/// Error: why the tool is skipped: a name that is not a string or that [`exposed_name`]
/// refuses, a schema that [`parameters()`] refuses, or a tool that runs only as a task
/// (`execution.taskSupport` is `required`).
fn read_tool<'a>(
    tool: &'a Value,
    options: &Options,
) -> Result<(&'a str, ToolSpec), String> {
    todo!("task 5.8: merge a server's tools into the registry")
}

/// Forwards calls to a tool of a server, by the name that the server gave.
pub struct RemoteTool {
    client: Client,
    name: String,
}

impl RemoteTool {
    /// The tool that this server calls `name`.
    pub fn new(client: Client, name: &str) -> Self {
        Self { client, name: name.into() }
    }
}

impl Tool for RemoteTool {
    /// Whatever the tool returned is a result, also a failure; an error is a
    /// [`CallError`].
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        todo!("task 5.9: forward a call to the server")
    }
}

/// A JSON-RPC error is [`CallError::Rpc`], unchanged; a timeout is
/// [`CallError::Timeout`]; everything else is [`CallError::Transport`], with the
/// error's text.
pub fn call_error(error: ClientError) -> CallError {
    todo!("task 5.9: forward a call to the server")
}
