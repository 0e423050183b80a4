//! The agent loop: a model, a registry, and turns between them.
//!
//! The loop knows no tool's home: it goes through the registry. Two kinds of failure
//! stay apart: a failed tool is something the model reads, and the loop goes on; a
//! broken way to a tool ends the turn, and its details go to the caller, not into the
//! model's context.

use crate::{
    bridge::to_text,
    registry::{Broken, Gate, ToolCall, ToolRegistry},
    tool::BoxFuture,
};
use serde_json::{Map, Value};
use std::{
    future::{Future, pending},
    pin::Pin,
};

/// How many times the model is asked in one turn, unless told otherwise.
pub const MAX_STEPS: usize = 8;

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    User(String),
    Call(ToolCall),
    /// What the tool said, failures and refusals included.
    Observation(String),
    /// The way to the tool is broken. The model is told no more than that.
    ToolExecutionFailed,
    /// The user stopped the call.
    Cancelled,
    /// A call that was not made, because one before it broke.
    Skipped(ToolCall),
    Answer(String),
}

impl Entry {
    /// What the model reads of it, where it reads text.
    pub fn text(&self) -> String {
        match self {
            Self::User(text) | Self::Observation(text) | Self::Answer(text) => {
                text.clone()
            }
            Self::Call(call) => call.to_string(),
            Self::ToolExecutionFailed => "tool execution failed".into(),
            Self::Cancelled => "cancelled by the user".into(),
            Self::Skipped(call) => format!("skipped: {call}"),
        }
    }
}

/// What a model wants next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Calls(Vec<ToolCall>),
    Answer(String),
}

/// A language model, or something that stands in for one.
pub trait Model: Send {
    /// `tools`: what [`ToolRegistry::model_tools`] returns. Error: why no step came.
    /// A call that waits must not block its thread, or pings and deadlines wait, too.
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        tools: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, String>>;
}

/// Why a turn has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TurnError {
    #[error("tool execution failed: {0}")]
    Broken(Broken),
    #[error("the model failed: {0}")]
    Model(String),
    #[error("no answer after {0} steps")]
    TooManySteps(usize),
}

/// What a turn works with.
pub struct Turn<'a> {
    pub tools: &'a ToolRegistry,
    pub gate: &'a dyn Gate,
    pub max_steps: usize,
    /// Ready when the user has had enough.
    pub cancelled: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}

impl<'a> Turn<'a> {
    pub fn new(tools: &'a ToolRegistry, gate: &'a dyn Gate) -> Self {
        Self { tools, gate, max_steps: MAX_STEPS, cancelled: Box::pin(pending()) }
    }

    /// Runs until the model answers. `talk` gets every entry, and `seen` sees it as it
    /// happens. After an error `talk` is still whole: every call has its entry.
    pub async fn run(
        mut self,
        model: &mut dyn Model,
        talk: &mut Vec<Entry>,
        seen: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<String, TurnError> {
        let mut record = |entry: Entry, talk: &mut Vec<Entry>| {
            seen(&entry);
            talk.push(entry);
        };
        let tools = self.tools.model_tools();
        for _ in 0..self.max_steps {
            let calls = match self.ask(model, talk, &tools).await? {
                Step::Calls(calls) => calls,
                Step::Answer(text) => {
                    record(Entry::Answer(text.clone()), talk);
                    return Ok(text);
                }
            };
            let mut calls = calls.into_iter();
            while let Some(call) = calls.next() {
                record(Entry::Call(call.clone()), talk);
                let result = self.execute(&call).await;
                record(entry_for(&result), talk);
                if let Err(broken) = result {
                    calls.for_each(|call| record(Entry::Skipped(call), talk));
                    return Err(TurnError::Broken(broken));
                }
            }
        }
        Err(TurnError::TooManySteps(self.max_steps))
    }

    async fn ask(
        &mut self,
        model: &mut dyn Model,
        talk: &[Entry],
        tools: &[Value],
    ) -> Result<Step, TurnError> {
        tokio::select! {
            step = model.next(talk, tools) => step.map_err(TurnError::Model),
            () = &mut self.cancelled => Err(TurnError::Broken(Broken::Cancelled)),
        }
    }

    async fn execute(&mut self, call: &ToolCall) -> Result<String, Broken> {
        tokio::select! {
            outcome = self.tools.execute(call, self.gate) => Ok(to_text(&outcome?)),
            // Dropping the call tells the server.
            () = &mut self.cancelled => Err(Broken::Cancelled),
        }
    }
}

/// What the model reads of a call's end.
fn entry_for(result: &Result<String, Broken>) -> Entry {
    match result {
        Ok(text) => Entry::Observation(text.clone()),
        Err(Broken::Cancelled) => Entry::Cancelled,
        Err(_) => Entry::ToolExecutionFailed,
    }
}

/// A model that plays its part without a network: it makes one call, reads the result,
/// and answers with what it read.
pub struct ScriptedModel {
    call: ToolCall,
}

impl ScriptedModel {
    pub fn calling(name: &str, arguments: Map<String, Value>) -> Self {
        Self { call: ToolCall { name: name.into(), arguments } }
    }
}

impl Model for ScriptedModel {
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, String>> {
        let step = match conversation.last() {
            Some(Entry::Observation(text)) => {
                Step::Answer(format!("{} 工具返回了：{text}", self.call.name))
            }
            _ => Step::Calls(vec![self.call.clone()]),
        };
        Box::pin(async { Ok(step) })
    }
}
