//! The agent's tools: one registry, whoever runs them, with risk levels and a gate.
//!
//! A model sees names, descriptions and schemas. Where a tool lives, in this process or
//! in another, only its [`Executor`] knows.

#![allow(unused)]

mod parameters;

pub use parameters::{Parameter, Parameters};

use crate::{
    jsonrpc::ErrorObject,
    tool::{self, Arguments, BoxFuture, Tool, ToolResult},
};
use serde_json::{Map, Value, json};
use std::{collections::HashMap, fmt};

/// What it takes for a call to run, from the loosest to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Runs.
    Auto,
    /// Is shown first and may be vetoed.
    Suggest,
    /// Runs only after a yes for that very call.
    Approve,
}

impl fmt::Display for Risk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Auto => "auto",
            Self::Suggest => "suggest",
            Self::Approve => "approve",
        })
    }
}

/// What the registry knows of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// The name that the model calls it by; a remote tool may have another one at home.
    pub name: String,
    /// For the model; a remote one is untrusted text.
    pub description: String,
    pub parameters: Parameters,
    /// Decided by the host, never by the server.
    pub risk: Risk,
}

/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub name: String,
    pub arguments: Map<String, Value>,
}

impl fmt::Display for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = Value::Object(self.arguments.clone());
        write!(f, "{}({arguments})", self.name)
    }
}

/// The way to the tool is broken, so there is no outcome. (A tool that fails has one.)
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CallError {
    /// A JSON-RPC error: the server did not accept the request.
    #[error("the server answered with {0}")]
    InvalidTransition(ErrorObject),
    #[error("{0}; whether the tool ran is unknown")]
    TimedOut(String),
    #[error("cancelled by the user; a tool that was called may have run")]
    Cancelled,
    /// The connection is over, or what came over it is no answer.
    #[error("{0}")]
    Connection(String),
}

/// What runs a tool, here or elsewhere. Every [`Tool`] is one.
pub trait Executor: Send + Sync {
    fn execute(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'_, Result<ToolResult, CallError>>;
}

impl<T: Tool> Executor for T {
    fn execute(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move { Ok(tool::run(self, arguments).await) })
    }
}

/// Decides on calls that do not run by themselves. It is asked anew for each call, with
/// the very arguments, and is never told where the tool lives.
pub trait Approver: Send + Sync {
    /// Whether this call may run. Never asked for [`Risk::Auto`].
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool>;
}

impl<F: Fn(Risk, &ToolCall) -> bool + Send + Sync> Approver for F {
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool> {
        Box::pin(async move { self(risk, call) })
    }
}

/// A gate for when nobody can be asked: no.
pub fn deny_all(_: Risk, _: &ToolCall) -> bool {
    false
}

/// The name is taken. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a tool `{0}` already")]
pub struct DuplicateTool(pub String);

/// The tools, in the order of their registration.
#[derive(Default)]
pub struct ToolRegistry {
    tools: Vec<(ToolSpec, Box<dyn Executor>)>,
    /// Where each name stands in `tools`.
    places: HashMap<String, usize>,
}

impl ToolRegistry {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool after those that are here. Names are compared whole and in their
    /// very spelling.
    ///
    /// Error: the name is taken. Never an overwrite: the first one's risk was decided
    /// for the first one.
    pub fn register(
        &mut self,
        spec: ToolSpec,
        executor: impl Executor + 'static,
    ) -> Result<(), DuplicateTool> {
        todo!("task 5.1: register a tool")
    }

    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|(spec, _)| spec)
    }

    /// What a model is given of each tool, in the order of registration: the members
    /// `name`, `description` and `input_schema` and no others. (Model APIs spell it so;
    /// MCP writes `inputSchema`.) The schema is the one that came.
    pub fn model_tools(&self) -> Vec<Value> {
        todo!("task 5.2: tell the model what tools there are")
    }

    /// Runs a call. The gate is asked first, once for each call, unless the risk is
    /// [`Risk::Auto`]; after a no the tool is not touched.
    ///
    /// A refusal and a name that is not here are data, like every failure that the
    /// model can read and act on: an [`ToolResult::failure`] whose text says which it was.
    ///
    /// Error: only a broken way to the tool, as the executor gave it.
    pub async fn execute(
        &self,
        call: &ToolCall,
        gate: &dyn Approver,
    ) -> Result<ToolResult, CallError> {
        todo!("task 5.3: ask before a call runs")
    }
}
