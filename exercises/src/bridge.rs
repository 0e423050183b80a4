//! The bridge: a server's tools in the agent's own registry.
//!
//! Three conversions and a loop. A listed tool becomes a [`ToolSpec`]; a call of it
//! becomes `tools/call`; its outcome becomes text that a model reads.
//!
//! Source: MCP 2025-11-25, server/tools (Tool, Tool Names, Tool Result).

#![allow(unused)]

mod convert;
mod names;

pub use convert::{parameters, to_text};
pub use names::exposed_name;

use crate::{
    client::{Client, ClientError},
    registry::{CallError, Executor, Risk, ToolRegistry, ToolSpec},
    tool::{Arguments, BoxFuture, ToolResult},
    transcript::{excerpt, visible},
};
use serde_json::Value;

/// How a server's tools are taken in.
#[derive(Clone, Debug)]
pub struct Options {
    /// Set before each name; hosts use `mcp__<server>__`.
    pub prefix: String,
    /// For every tool of the server, because its own word on risk is not to be trusted.
    pub risk: Risk,
    /// Other risks for single tools, by the name that the server gave. Of two for one
    /// tool, the stricter holds.
    pub overrides: Vec<(String, Risk)>,
}

impl Default for Options {
    fn default() -> Self {
        Self { prefix: String::new(), risk: Risk::Auto, overrides: Vec::new() }
    }
}

impl Options {
    /// The risk of the tool that the server calls `own_name`: the strictest of its
    /// overrides, or else the one for the whole server.
    pub fn risk_of(&self, own_name: &str) -> Risk {
        todo!("task 5.7: decide how risky a remote tool is")
    }

    /// The names in `overrides` that no listed tool has, in their order. Names are
    /// compared whole and in their very spelling; a listed tool may be any JSON.
    pub fn unknown_overrides(&self, listed: &[Value]) -> Vec<String> {
        todo!("task 5.7: decide how risky a remote tool is")
    }
}

/// What became of a server's tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The names that the registry knows them by.
    pub names: Vec<String>,
    /// One line for each tool that was left out: which, and why.
    pub skipped: Vec<String>,
}

/// Nothing was merged.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    #[error("no tool is called {}: an override must name one", .0.join(", "))]
    UnknownOverride(Vec<String>),
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

/// All but the listing: registers the tools of `listed` in their order. `forwarder` is
/// given a tool's own name; it may make a fake. A tool that cannot be read, or whose
/// name is taken, is skipped and reported, and the others are merged.
///
/// Error: an override names no tool; then nothing is merged.
pub fn merge<E: Executor + 'static>(
    registry: &mut ToolRegistry,
    listed: &[Value],
    options: &Options,
    forwarder: impl Fn(&str) -> E,
) -> Result<Merged, BridgeError> {
    todo!("task 5.8: merge a server's tools into the registry")
}

/// The tool's own name and its entry in the registry. A missing description is an empty
/// one.
///
/// Error: why it has no entry: a name that is no string or that [`exposed_name`]
/// refuses, a schema that [`parameters()`] refuses, or that it runs only as a task
/// (`execution.taskSupport` is `required`).
fn read_tool<'a>(
    tool: &'a Value,
    options: &Options,
) -> Result<(&'a str, ToolSpec), String> {
    todo!("task 5.8: merge a server's tools into the registry")
}

/// Forwards calls to a tool of a server, under the name that the server knows.
pub struct RemoteTool {
    client: Client,
    name: String,
}

impl RemoteTool {
    pub fn new(client: Client, name: &str) -> Self {
        Self { client, name: name.into() }
    }
}

impl Executor for RemoteTool {
    /// Calls the tool by the name that the server knows. Whatever the tool said is an
    /// outcome, a failure too; an error is only what [`CallError`] says.
    fn execute(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        todo!("task 5.9: forward a call to the server")
    }
}

impl From<ClientError> for CallError {
    /// A JSON-RPC error, with all that came in it, is [`CallError::Rpc`]; a timeout is
    /// [`CallError::Timeout`]; all else is [`CallError::Transport`], with the error's text.
    fn from(error: ClientError) -> Self {
        todo!("task 5.9: forward a call to the server")
    }
}
