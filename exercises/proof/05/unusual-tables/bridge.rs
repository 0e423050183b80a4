//! The bridge: a server's tools in the agent's own registry.
//!
//! Three conversions and a loop. A listed tool becomes a [`ToolSpec`]; a call of it
//! becomes `tools/call`; its outcome becomes text that a model reads.
//!
//! Another right solution: all tools are read before the first is registered, members
//! are looked up by JSON Pointer, and an error is told by its kind first.
//!
//! Source: MCP 2025-11-25, server/tools (Tool, Tool Names, Tool Result).

mod convert;
mod names;

pub use convert::{parameters, to_text};
pub use names::exposed_name;

use crate::{
    client::{Client, ClientError},
    registry::{CallError, DuplicateTool, Executor, Risk, ToolRegistry, ToolSpec},
    tool::{Arguments, BoxFuture, ToolResult},
    transcript::{excerpt, visible},
};
use serde_json::Value;
use std::collections::HashSet;

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
    pub fn risk_of(&self, own_name: &str) -> Risk {
        let mut strictest = None;
        for (name, risk) in &self.overrides {
            if name == own_name {
                strictest = strictest.max(Some(*risk));
            }
        }
        match strictest {
            Some(risk) => risk,
            None => self.risk,
        }
    }

    pub fn unknown_overrides(&self, listed: &[Value]) -> Vec<String> {
        let known: HashSet<&str> = listed.iter().filter_map(own_name).collect();
        let mut unknown = Vec::new();
        for (name, _) in &self.overrides {
            if !known.contains(name.as_str()) {
                unknown.push(name.clone());
            }
        }
        unknown
    }
}

fn own_name(tool: &Value) -> Option<&str> {
    tool.pointer("/name").and_then(Value::as_str)
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

/// All but the listing. `forwarder` is given a tool's own name; it may make a fake.
pub fn merge<E: Executor + 'static>(
    registry: &mut ToolRegistry,
    listed: &[Value],
    options: &Options,
    forwarder: impl Fn(&str) -> E,
) -> Result<Merged, BridgeError> {
    let unknown = options.unknown_overrides(listed);
    if !unknown.is_empty() {
        return Err(BridgeError::UnknownOverride(unknown));
    }
    let entries: Vec<_> = listed.iter().map(|tool| read_tool(tool, options)).collect();
    let mut merged = Merged::default();
    for (index, (tool, entry)) in listed.iter().zip(entries).enumerate() {
        let why = match entry {
            Err(why) => why,
            Ok(spec) if registry.contains(&spec.name) => {
                DuplicateTool(spec.name).to_string()
            }
            Ok(spec) => {
                let name = spec.name.clone();
                let remote = forwarder(own_name(tool).unwrap_or_default());
                match registry.register(spec, remote) {
                    Ok(()) => {
                        merged.names.push(name);
                        continue;
                    }
                    Err(collision) => collision.to_string(),
                }
            }
        };
        let name = own_name(tool).unwrap_or("without a name");
        let line = format!("tool {index} ({name}): {why}");
        merged.skipped.push(visible(line.as_bytes()));
    }
    Ok(merged)
}

fn read_tool(tool: &Value, options: &Options) -> Result<ToolSpec, String> {
    let Some(own_name) = own_name(tool) else {
        let got = excerpt(tool.pointer("/name").unwrap_or(&Value::Null));
        return Err(format!("`name` must be a string, got {got}"));
    };
    let support = tool.pointer("/execution/taskSupport").and_then(Value::as_str);
    if let Some("required") = support {
        return Err("it runs only as a task, which we do not speak".into());
    }
    let description = tool.pointer("/description").and_then(Value::as_str);
    Ok(ToolSpec {
        name: exposed_name(&options.prefix, own_name)?,
        description: description.unwrap_or("").to_owned(),
        parameters: parameters(tool.pointer("/inputSchema").unwrap_or(&Value::Null))?,
        risk: options.risk_of(own_name),
    })
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

impl RemoteTool {
    async fn forward(&self, arguments: Arguments) -> Result<ToolResult, CallError> {
        let Arguments(arguments) = arguments;
        Ok(self.client.call_tool(&self.name, arguments).await?)
    }
}

impl Executor for RemoteTool {
    fn execute(&self, arguments: Arguments) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(self.forward(arguments))
    }
}

impl From<ClientError> for CallError {
    fn from(error: ClientError) -> Self {
        let words = error.to_string();
        let timed_out = matches!(error, ClientError::Timeout { .. });
        if let ClientError::Server(error) = error {
            Self::InvalidTransition(error)
        } else if timed_out {
            Self::TimedOut(words)
        } else {
            Self::Connection(words)
        }
    }
}
