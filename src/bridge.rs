//! The bridge: a server's tools in the agent's own registry.
//!
//! Three conversions and a loop. A listed tool becomes a [`ToolSpec`]; a call of it
//! becomes `tools/call`; its outcome becomes text that a model reads.
//!
//! Source: MCP 2025-11-25, server/tools (Tool, Tool Names, Tool Result).

mod convert;
mod names;

pub use convert::{parameters, to_text};
pub use names::exposed_name;

use crate::{
    client::{Client, ClientError},
    registry::{Broken, Executor, Risk, ToolRegistry, ToolSpec},
    tool::{Arguments, BoxFuture, Outcome},
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
    let is_listed = |name: &str| listed.iter().any(|tool| tool["name"] == name);
    let overridden = options.overrides.iter().map(|(name, _)| name);
    let unknown: Vec<_> = overridden.filter(|name| !is_listed(name)).cloned().collect();
    if !unknown.is_empty() {
        return Err(BridgeError::UnknownOverride(unknown));
    }
    let mut merged = Merged::default();
    for (index, tool) in listed.iter().enumerate() {
        let added = read_tool(tool, options).and_then(|(own_name, spec)| {
            let name = spec.name.clone();
            let added = registry.register(spec, forwarder(own_name));
            added.map(|()| name).map_err(|collision| collision.to_string())
        });
        match added {
            Ok(name) => merged.names.push(name),
            Err(why) => {
                let name = tool["name"].as_str().unwrap_or("without a name");
                let line = format!("tool {index} ({name}): {why}");
                merged.skipped.push(visible(line.as_bytes()));
            }
        }
    }
    Ok(merged)
}

/// The tool's own name and its entry in the registry, or why it has none.
fn read_tool<'a>(
    tool: &'a Value,
    options: &Options,
) -> Result<(&'a str, ToolSpec), String> {
    let own_name = tool["name"].as_str().ok_or_else(|| {
        format!("`name` must be a string, got {}", excerpt(&tool["name"]))
    })?;
    if tool["execution"]["taskSupport"] == "required" {
        return Err("it runs only as a task, which we do not speak".into());
    }
    let name = exposed_name(&options.prefix, own_name)?;
    let parameters = parameters(&tool["inputSchema"])?;
    let description = tool["description"].as_str().unwrap_or_default().into();
    let special = options.overrides.iter().filter(|(name, _)| name == own_name);
    let risk = special.map(|(_, risk)| *risk).max().unwrap_or(options.risk);
    Ok((own_name, ToolSpec { name, description, parameters, risk }))
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
    fn execute(&self, arguments: Arguments) -> BoxFuture<'_, Result<Outcome, Broken>> {
        Box::pin(async move {
            let outcome = self.client.call_tool(&self.name, arguments.0).await;
            outcome.map_err(Broken::from)
        })
    }
}

impl From<ClientError> for Broken {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Server(error) => Broken::Refused(error),
            timeout @ ClientError::Timeout { .. } => {
                Broken::TimedOut(timeout.to_string())
            }
            other => Broken::Connection(other.to_string()),
        }
    }
}
