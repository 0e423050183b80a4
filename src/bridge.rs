//! The bridge: a server's tools in the agent's registry.
//!
//! A listed tool becomes a [`ToolSpec`]; a call of it becomes `tools/call`; the
//! server's result comes back unchanged.
//!
//! Source: MCP 2025-11-25, server/tools (Tool, Tool Names).

mod names;

pub use names::exposed_name;

use crate::{
    client::{Client, ClientError},
    registry::{Origin, Risk, ToolRegistry, ToolSpec, parameters},
    tool::{BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult},
    transcript::{escape_untrusted, excerpt},
};
use serde_json::Value;

// ANCHOR: options
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
// ANCHOR_END: options

impl Options {
    // ANCHOR: risk-of
    /// The risk of a tool, by the name that the server gave: the strictest of its
    /// overrides, or else the one for the whole server.
    pub fn risk_of(&self, tool: &str) -> Risk {
        let special = self.overrides.iter().filter(|(name, _)| name == tool);
        special.map(|(_, risk)| *risk).max().unwrap_or(self.risk)
    }
    // ANCHOR_END: risk-of

    // ANCHOR: unknown-overrides
    /// The names in `overrides` that no listed tool has, in their order. Names are
    /// compared whole and case-sensitively; a listed tool may be any JSON.
    pub fn unknown_overrides(&self, listed: &[Value]) -> Vec<String> {
        let is_listed = |name: &str| listed.iter().any(|tool| tool["name"] == name);
        let overridden = self.overrides.iter().map(|(name, _)| name);
        overridden.filter(|name| !is_listed(name)).cloned().collect()
    }
    // ANCHOR_END: unknown-overrides
}

// ANCHOR: merged
/// The result of registering a server's tools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// The names in the registry.
    pub names: Vec<String>,
    /// One line for each skipped tool: which one, and why.
    pub skipped: Vec<String>,
}
// ANCHOR_END: merged

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

// ANCHOR: register-mcp-tools
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
// ANCHOR_END: register-mcp-tools

// ANCHOR: merge-remote
/// Registers a forwarder for each tool that `client` has listed.
pub fn merge_remote(
    registry: &mut ToolRegistry,
    client: &Client,
    listed: &[Value],
    options: &Options,
) -> Result<Merged, BridgeError> {
    merge(registry, listed, options, |name| RemoteTool::new(client.clone(), name))
}
// ANCHOR_END: merge-remote

// ANCHOR: merge
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
    let unknown = options.unknown_overrides(listed);
    if !unknown.is_empty() {
        return Err(BridgeError::UnknownOverride(unknown));
    }
    let mut merged = Merged::default();
    for (index, tool) in listed.iter().enumerate() {
        let added = read_tool(tool, options).and_then(|(remote_name, spec)| {
            let name = spec.info.name.clone();
            let added = registry.register(spec, forwarder(remote_name));
            added.map(|()| name).map_err(|duplicate| duplicate.to_string())
        });
        match added {
            Ok(name) => merged.names.push(name),
            Err(why) => {
                let name = tool["name"].as_str().unwrap_or("without a name");
                let line = format!("tool {index} ({name}): {why}");
                merged.skipped.push(escape_untrusted(line.as_bytes()));
            }
        }
    }
    Ok(merged)
}
// ANCHOR_END: merge

// ANCHOR: read-tool
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
    let remote_name = tool["name"].as_str().ok_or_else(|| {
        format!("`name` must be a string, got {}", excerpt(&tool["name"]))
    })?;
    if tool["execution"]["taskSupport"] == "required" {
        return Err("it runs only as a task, which is not supported".into());
    }
    let name = exposed_name(&options.prefix, remote_name)?;
    let schema = &tool["inputSchema"];
    parameters(schema)?;
    let description = tool["description"].as_str().unwrap_or_default();
    let spec = ToolSpec {
        info: ToolInfo::new(&name, description, schema.clone()),
        origin: Some(Origin {
            server: options.server.clone(),
            tool: remote_name.into(),
        }),
        risk: options.risk_of(remote_name),
    };
    Ok((remote_name, spec))
}
// ANCHOR_END: read-tool

// ANCHOR: remote-tool
/// Forwards calls to a tool of a server, by the name that the server gave.
pub struct RemoteTool {
    client: Client,
    name: String,
}
// ANCHOR_END: remote-tool

impl RemoteTool {
    /// The tool that this server calls `name`.
    pub fn new(client: Client, name: &str) -> Self {
        Self { client, name: name.into() }
    }
}

impl Tool for RemoteTool {
    // ANCHOR: forward-call
    /// Whatever the tool returned is a result, also a failure; an error is a
    /// [`CallError`].
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let result = self.client.call_tool(&self.name, call.arguments.0).await;
            result.map_err(call_error)
        })
    }
    // ANCHOR_END: forward-call
}

// ANCHOR: call-error
/// A JSON-RPC error is [`CallError::Rpc`], unchanged; a timeout is
/// [`CallError::Timeout`]; everything else is [`CallError::Transport`], with the
/// error's text.
pub fn call_error(error: ClientError) -> CallError {
    match error {
        ClientError::Rpc(error) => CallError::Rpc(error),
        timeout @ ClientError::Timeout { .. } => {
            CallError::Timeout(timeout.to_string())
        }
        other => CallError::Transport(other.to_string()),
    }
}
// ANCHOR_END: call-error
