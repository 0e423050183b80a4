//! The agent's tools: one registry, whoever runs them, with risk levels and a gate.
//!
//! A model sees names, descriptions and schemas. Where a tool lives, in this process or
//! in another, only its [`Executor`] knows.

mod parameters;

pub use parameters::{Parameter, Parameters};

use crate::{
    jsonrpc::ErrorObject,
    tool::{self, Arguments, BoxFuture, Outcome, Tool},
};
use serde_json::{Map, Value, json};
use std::{collections::HashMap, fmt};

// ANCHOR: risk
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
// ANCHOR_END: tool-spec

// ANCHOR: tool-call
/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub name: String,
    pub arguments: Map<String, Value>,
}
// ANCHOR_END: tool-call

impl fmt::Display for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments = Value::Object(self.arguments.clone());
        write!(f, "{}({arguments})", self.name)
    }
}

// ANCHOR: broken
/// The way to the tool is broken, so there is no outcome. (A tool that fails has one.)
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Broken {
    /// A JSON-RPC error: the server did not accept the request.
    #[error("the server answered with {0}")]
    Refused(ErrorObject),
    #[error("{0}; whether the tool ran is unknown")]
    TimedOut(String),
    #[error("cancelled by the user; a tool that was called may have run")]
    Cancelled,
    /// The connection is over, or what came over it is no answer.
    #[error("{0}")]
    Connection(String),
}
// ANCHOR_END: broken

// ANCHOR: executor
/// What runs a tool, here or elsewhere. Every [`Tool`] is one.
pub trait Executor: Send + Sync {
    fn execute(&self, arguments: Arguments) -> BoxFuture<'_, Result<Outcome, Broken>>;
}

impl<T: Tool> Executor for T {
    fn execute(&self, arguments: Arguments) -> BoxFuture<'_, Result<Outcome, Broken>> {
        Box::pin(async move { Ok(tool::run(self, arguments).await) })
    }
}
// ANCHOR_END: executor

// ANCHOR: gate
/// Decides on calls that do not run by themselves. It is asked anew for each call, with
/// the very arguments, and is never told where the tool lives.
pub trait Gate: Send + Sync {
    /// Whether this call may run. Never asked for [`Risk::Auto`].
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool>;
}

impl<F: Fn(Risk, &ToolCall) -> bool + Send + Sync> Gate for F {
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool> {
        Box::pin(async move { self(risk, call) })
    }
}

/// A gate for when nobody can be asked: no.
pub fn nobody_to_ask(_: Risk, _: &ToolCall) -> bool {
    false
}
// ANCHOR_END: gate

// ANCHOR: registry
/// The name is taken. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a tool `{0}` already")]
pub struct Collision(pub String);

/// The tools, in the order of their registration.
#[derive(Default)]
pub struct ToolRegistry {
    tools: Vec<(ToolSpec, Box<dyn Executor>)>,
    /// Where each name stands in `tools`.
    places: HashMap<String, usize>,
}
// ANCHOR_END: registry

impl ToolRegistry {
    pub fn new() -> Self {
        Self::default()
    }

    // ANCHOR: register
    /// Adds a tool after those that are here. Names are compared whole and in their
    /// very spelling.
    ///
    /// Error: the name is taken. Never an overwrite: the first one's risk was decided
    /// for the first one.
    pub fn register(
        &mut self,
        spec: ToolSpec,
        executor: impl Executor + 'static,
    ) -> Result<(), Collision> {
        if self.contains(&spec.name) {
            return Err(Collision(spec.name));
        }
        self.places.insert(spec.name.clone(), self.tools.len());
        self.tools.push((spec, Box::new(executor)));
        Ok(())
    }
    // ANCHOR_END: register

    pub fn contains(&self, name: &str) -> bool {
        self.places.contains_key(name)
    }

    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.tools.iter().map(|(spec, _)| spec)
    }

    // ANCHOR: model-tools
    /// What a model is given of each tool, in the order of registration: the members
    /// `name`, `description` and `input_schema` and no others. (Model APIs spell it so;
    /// MCP writes `inputSchema`.) The schema is the one that came.
    pub fn model_tools(&self) -> Vec<Value> {
        let tool = |spec: &ToolSpec| {
            json!({
                "name": spec.name,
                "description": spec.description,
                "input_schema": spec.parameters.schema,
            })
        };
        self.specs().map(tool).collect()
    }
    // ANCHOR_END: model-tools

    // ANCHOR: execute-call
    /// Runs a call. The gate is asked first, once for each call, unless the risk is
    /// [`Risk::Auto`]; after a no the tool is not touched.
    ///
    /// A refusal and a name that is not here are data, like every failure that the
    /// model can read and act on: an [`Outcome::failure`] whose text says which it was.
    ///
    /// Error: only a broken way to the tool, as the executor gave it.
    pub async fn execute(
        &self,
        call: &ToolCall,
        gate: &dyn Gate,
    ) -> Result<Outcome, Broken> {
        let place = self.places.get(&call.name);
        let Some((spec, executor)) = place.map(|place| &self.tools[*place]) else {
            let text = format!("there is no tool `{}`", call.name);
            return Ok(Outcome::failure(&text));
        };
        let allowed = spec.risk == Risk::Auto || gate.allows(spec.risk, call).await;
        if !allowed {
            let text =
                format!("refused: the user did not allow this call of `{}`", spec.name);
            return Ok(Outcome::failure(&text));
        }
        executor.execute(Arguments(call.arguments.clone())).await
    }
    // ANCHOR_END: execute-call
}
