//! The agent's tools: one registry, whoever runs them, with risk levels and a gate.
//!
//! A model sees names, descriptions and schemas. Where a tool lives, in this process or
//! in another, only its [`Executor`] knows.
//!
//! Another right solution: the tools stand in a map by name, each with its number, and
//! whoever wants an order sorts by it. A call is checked by a function that returns
//! what is to be run, or why it is not.

mod parameters;

pub use parameters::{Parameter, Parameters};

use crate::{
    jsonrpc::ErrorObject,
    tool::{self, Arguments, BoxFuture, ToolResult, Tool},
};
use serde_json::{Map, Value};
use std::{
    collections::{BTreeMap, btree_map::Entry},
    fmt,
    sync::Arc,
};

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
    fn execute(&self, arguments: Arguments) -> BoxFuture<'_, Result<ToolResult, CallError>>;
}

impl<T: Tool> Executor for T {
    fn execute(&self, arguments: Arguments) -> BoxFuture<'_, Result<ToolResult, CallError>> {
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

/// The tools by name.
#[derive(Default)]
pub struct ToolRegistry {
    tools: BTreeMap<String, Known>,
}

struct Known {
    /// How many were registered before it.
    number: usize,
    spec: ToolSpec,
    executor: Arc<dyn Executor>,
}

impl ToolRegistry {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn register(
        &mut self,
        spec: ToolSpec,
        executor: impl Executor + 'static,
    ) -> Result<(), DuplicateTool> {
        let number = self.tools.len();
        match self.tools.entry(spec.name.clone()) {
            Entry::Occupied(taken) => Err(DuplicateTool(taken.key().clone())),
            Entry::Vacant(free) => {
                free.insert(Known { number, spec, executor: Arc::new(executor) });
                Ok(())
            }
        }
    }

    pub fn contains(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        let mut known: Vec<&Known> = self.tools.values().collect();
        known.sort_by_key(|known| known.number);
        known.into_iter().map(|known| &known.spec)
    }

    pub fn model_tools(&self) -> Vec<Value> {
        let mut tools = Vec::with_capacity(self.tools.len());
        for ToolSpec { name, description, parameters, .. } in self.specs() {
            let mut tool = Map::new();
            tool.insert("name".into(), name.as_str().into());
            tool.insert("description".into(), description.as_str().into());
            tool.insert("input_schema".into(), parameters.schema.clone());
            tools.push(Value::Object(tool));
        }
        tools
    }

    pub async fn execute(
        &self,
        call: &ToolCall,
        gate: &dyn Approver,
    ) -> Result<ToolResult, CallError> {
        match self.cleared(call, gate).await {
            Ok(executor) => executor.execute(Arguments(call.arguments.clone())).await,
            Err(why) => Ok(ToolResult::failure(&why)),
        }
    }

    /// What is to be run, or what the model is told in its place.
    async fn cleared(
        &self,
        call: &ToolCall,
        gate: &dyn Approver,
    ) -> Result<Arc<dyn Executor>, String> {
        let Some(known) = self.tools.get(&call.name) else {
            return Err(format!("there is no tool `{}`", call.name));
        };
        let yes = match known.spec.risk {
            Risk::Auto => true,
            risk @ (Risk::Suggest | Risk::Approve) => gate.allows(risk, call).await,
        };
        if yes {
            return Ok(known.executor.clone());
        }
        Err(format!("refused: the user did not allow this call of `{}`", call.name))
    }
}
