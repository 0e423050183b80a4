//! The agent's tools: one registry, with risk levels and an approver.
//!
//! A model sees names, descriptions and schemas. Only the [`Tool`] knows where it runs,
//! in this process or in another one.

mod parameters;

pub use crate::tool::DuplicateTool;
pub use parameters::{Parameter, object_schema, parameters};

use crate::tool::{self, BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult};
use serde_json::{Map, Value, json};
use std::{collections::HashMap, fmt};

// ANCHOR: risk
/// What a call needs before it runs, from the loosest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// It runs.
    Auto,
    /// It is shown first and may be vetoed.
    Suggest,
    /// It runs only after an approval of this single call.
    Approve,
}
// ANCHOR_END: risk

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Auto => "auto",
            Self::Suggest => "suggest",
            Self::Approve => "approve",
        })
    }
}

// ANCHOR: tool-spec
/// What the registry knows about a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The name by which the model calls it, its description, its schema. The texts of
    /// a remote tool are untrusted.
    pub info: ToolInfo,
    /// Where a remote tool comes from; `None` for a tool of this process.
    pub origin: Option<Origin>,
    /// Decided by the host, never by the server.
    pub risk: Risk,
}

/// A tool of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The name that the host gave the server; empty if it has only one.
    pub server: String,
    /// The name that the server gave the tool.
    pub tool: String,
}
// ANCHOR_END: tool-spec

impl ToolSpec {
    /// A tool of this process.
    pub fn local(info: ToolInfo, risk: Risk) -> Self {
        Self { info, origin: None, risk }
    }

    /// The name by which the model calls it.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The parameters as a person sees them, computed from the schema; none if the
    /// schema is unreadable, which [`parameters()`] reports.
    pub fn parameters(&self) -> Vec<Parameter> {
        parameters(&self.info.input_schema).unwrap_or_default()
    }
}

// ANCHOR: tool-call
/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// A name in the registry.
    pub name: String,
    /// Argument values by parameter name.
    pub arguments: Map<String, Value>,
}
// ANCHOR_END: tool-call

impl fmt::Display for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments =
            serde_json::to_string(&self.arguments).map_err(|_| fmt::Error)?;
        write!(f, "{}({arguments})", self.name)
    }
}

// ANCHOR: approver
/// An approver's decision about one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The call runs.
    Allow,
    /// The call does not run, and the model reads the reason.
    Deny {
        /// For the model and the log.
        reason: String,
    },
}

/// Decides about the calls that do not run by themselves. It is asked for every single
/// call, with its exact arguments.
pub trait Approver: Send + Sync {
    /// Never asked for [`Risk::Auto`].
    fn decide<'a>(
        &'a self,
        spec: &'a ToolSpec,
        call: &'a ToolCall,
    ) -> BoxFuture<'a, Decision>;
}

impl<F: Fn(&ToolSpec, &ToolCall) -> Decision + Send + Sync> Approver for F {
    fn decide<'a>(
        &'a self,
        spec: &'a ToolSpec,
        call: &'a ToolCall,
    ) -> BoxFuture<'a, Decision> {
        Box::pin(async move { self(spec, call) })
    }
}

/// The approver where no person can be asked: it denies every call.
pub fn deny_all(_: &ToolSpec, _: &ToolCall) -> Decision {
    Decision::Deny { reason: "no user is there to approve it".into() }
}
// ANCHOR_END: approver

// ANCHOR: registry
/// The tools, in the order of their registration.
///
/// ```
/// use mcp_from_scratch::{
///     params, registry::{Risk, ToolCall, ToolRegistry, ToolSpec, deny_all}, tool,
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (info, echo) = tool::echo();
/// let mut registry = ToolRegistry::new();
/// registry.register(ToolSpec::local(info, Risk::Auto), echo)?;
///
/// let call = ToolCall { name: "echo".into(), arguments: params! { "text": "hi" } };
/// assert_eq!(tool::ToolResult::text("hi"), registry.execute(call, &deny_all).await?);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct ToolRegistry {
    tools: Vec<(ToolSpec, Box<dyn Tool>)>,
    /// The index of each name in `tools`.
    indices: HashMap<String, usize>,
}
// ANCHOR_END: registry

impl ToolRegistry {
    /// A registry without tools.
    pub fn new() -> Self {
        Self::default()
    }

    // ANCHOR: register
    /// Adds a tool after the others. Names are compared whole and case-sensitively.
    ///
    /// Error: there is a tool of that name. It is never overwritten: its risk was
    /// decided for the tool that is there.
    pub fn register(
        &mut self,
        spec: ToolSpec,
        tool: impl Tool + 'static,
    ) -> Result<(), DuplicateTool> {
        if self.contains(spec.name()) {
            return Err(DuplicateTool(spec.info.name));
        }
        self.indices.insert(spec.info.name.clone(), self.tools.len());
        self.tools.push((spec, Box::new(tool)));
        Ok(())
    }
    // ANCHOR_END: register

    /// Removes all tools of a server and returns how many they were.
    pub fn remove(&mut self, server: &str) -> usize {
        let before = self.tools.len();
        let is_from = |origin: &Origin| origin.server == server;
        self.tools.retain(|(spec, _)| !spec.origin.as_ref().is_some_and(is_from));
        let names = self.tools.iter().map(|(spec, _)| spec.info.name.clone());
        self.indices = names.zip(0..).collect();
        before - self.tools.len()
    }

    /// Whether there is a tool of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.indices.contains_key(name)
    }

    /// The tools' specifications, in the order of registration.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|(spec, _)| spec)
    }

    // ANCHOR: model-tools
    /// What a model is given for each tool, in the order of registration: the members
    /// `name`, `description` and `input_schema`, and no others. (Model APIs spell it
    /// so; MCP writes `inputSchema`.) The schema is the one that was registered.
    pub fn model_tools(&self) -> Vec<Value> {
        let tool = |spec: &ToolSpec| {
            json!({
                "name": spec.info.name,
                "description": spec.info.description,
                "input_schema": spec.info.input_schema,
            })
        };
        self.specs().map(tool).collect()
    }
    // ANCHOR_END: model-tools

    // ANCHOR: execute-call
    /// Runs a call. The approver decides first, once for each call, unless the risk is
    /// [`Risk::Auto`]; a denied call does not reach the tool.
    ///
    /// A denial and an unknown name are data, like every failure that the model can
    /// read and react to: a [`ToolResult::failure`] whose text says which of them it
    /// is.
    ///
    /// Error: only a [`CallError`], as the tool returned it.
    pub async fn execute(
        &self,
        call: ToolCall,
        approver: &dyn Approver,
    ) -> Result<ToolResult, CallError> {
        let index = self.indices.get(&call.name);
        let Some((spec, tool)) = index.map(|index| &self.tools[*index]) else {
            let text = format!("there is no tool `{}`", call.name);
            return Ok(ToolResult::failure(&text));
        };
        let decision = match spec.risk {
            Risk::Auto => Decision::Allow,
            _ => approver.decide(spec, &call).await,
        };
        if let Decision::Deny { reason } = decision {
            let text = format!("the call of `{}` was refused: {reason}", call.name);
            return Ok(ToolResult::failure(&text));
        }
        tool::run(&**tool, Call::new(call.arguments)).await
    }
    // ANCHOR_END: execute-call
}
