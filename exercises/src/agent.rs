//! The agent loop: a model, a registry, and turns between them.
//!
//! The loop knows only the registry, not where a tool runs. It separates two kinds of
//! failure: a failed tool is text that the model reads, and the loop continues; a
//! [`CallError`] ends the turn, and its details go to the caller, not into the model's
//! context.

#![allow(unused)]

use crate::{
    registry::{Approver, ToolCall, ToolRegistry},
    tool::{BoxFuture, CallError, to_text},
};
use serde_json::{Map, Value};
use std::{
    future::{Future, pending},
    pin::Pin,
};

/// How many steps a turn has at most, by default.
pub const MAX_STEPS: usize = 8;

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// What the user wrote.
    User(String),
    /// A call that the model wants.
    Call(ToolCall),
    /// The tool's text, including failures and denials.
    Observation(String),
    /// The call has no result. The model learns no more than that.
    ToolExecutionFailed,
    /// The user stopped the call.
    Cancelled,
    /// A call that was not made, because an earlier one had no result.
    Skipped(ToolCall),
    /// The model's final text.
    Answer(String),
}

impl Entry {
    /// The entry for a call that has ended: the tool's text, whether it succeeded or
    /// failed; that the user stopped it; or that it has no result, without the reason.
    pub fn end_of_call(result: &Result<String, CallError>) -> Self {
        todo!("task 6.2: write what the model reads about a call")
    }

    /// The entry as text for a model: the text of the user, the tool or the model
    /// unchanged; a call as it prints; `skipped: ` and the call; `tool execution
    /// failed`; `cancelled by the user`.
    pub fn text(&self) -> String {
        todo!("task 6.2: write what the model reads about a call")
    }
}

/// What a model wants next.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Make these calls, then ask again.
    Calls(Vec<ToolCall>),
    /// The final answer.
    Answer(String),
}

/// A language model, or a substitute for one.
pub trait Model: Send {
    /// `tools`: what [`ToolRegistry::model_tools`] returns. A model that waits must not
    /// block its thread, or pings and deadlines wait as well. Error: why there is no
    /// step.
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        tools: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>>;
}

/// The model has no next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ModelError(pub String);

/// Why a turn has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// A call has no result, or the user cancelled the turn.
    #[error("tool execution failed: {0}")]
    Call(CallError),
    /// The model failed.
    #[error("the model failed: {0}")]
    Model(ModelError),
    /// The model asked for calls in every step.
    #[error("no answer after {0} steps")]
    TooManySteps(usize),
}

/// What a turn works with.
pub struct Turn<'a> {
    /// The tools that the model may call.
    pub tools: &'a ToolRegistry,
    /// Decides about risky calls.
    pub approver: &'a dyn Approver,
    /// How many times the model is asked at most.
    pub max_steps: usize,
    /// Ready when the user cancels the turn.
    pub cancelled: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}

impl<'a> Turn<'a> {
    /// A turn of [`MAX_STEPS`] that is never cancelled.
    pub fn new(tools: &'a ToolRegistry, approver: &'a dyn Approver) -> Self {
        Self { tools, approver, max_steps: MAX_STEPS, cancelled: Box::pin(pending()) }
    }

    /// Runs until the model answers, and returns the answer. Every entry, including the
    /// answer, is added to `conversation` and passed to `on_entry` at once. The model
    /// is asked at most `max_steps` times. After an error `conversation` is complete:
    /// every call has its result.
    pub async fn run(
        mut self,
        model: &mut dyn Model,
        conversation: &mut Vec<Entry>,
        on_entry: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<String, TurnError> {
        todo!("task 6.4: ask until there is an answer")
    }

    /// What the model wants next. Errors: it failed, or the user cancelled the turn.
    async fn ask(
        &mut self,
        model: &mut dyn Model,
        conversation: &[Entry],
        tools: &[Value],
    ) -> Result<Step, TurnError> {
        todo!("task 6.4: ask until there is an answer")
    }

    /// Makes the calls of one step in order. Records each call before it is made and
    /// its result after it. Error: one has no result; the calls after it are not made,
    /// see [`Recorder::skip_remaining`].
    async fn make(
        &mut self,
        calls: Vec<ToolCall>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), TurnError> {
        todo!("task 6.5: make the calls of a step")
    }

    /// Makes one call through the registry, which asks the approver. Returns the
    /// result's text, whether the tool succeeded or failed. Errors: the call has no
    /// result, or the user cancelled the turn.
    async fn execute(&mut self, call: ToolCall) -> Result<String, CallError> {
        todo!("task 6.5: make the calls of a step")
    }
}

/// Runs `work` to its end, or drops it when `cancelled` is ready. If both are ready,
/// the cancellation comes first, so that nothing new begins.
///
/// Error: [`CallError::Cancelled`].
pub async fn run_until_cancelled<T>(
    work: impl Future<Output = T>,
    cancelled: &mut (impl Future<Output = ()> + Unpin),
) -> Result<T, CallError> {
    todo!("task 6.3: stop when the user cancels")
}

/// Adds entries to a conversation and passes each one to an observer.
struct Recorder<'a> {
    entries: &'a mut Vec<Entry>,
    on_entry: &'a mut (dyn FnMut(&Entry) + Send),
}

impl Recorder<'_> {
    fn record(&mut self, entry: Entry) {
        (self.on_entry)(&entry);
        self.entries.push(entry);
    }

    /// Records the calls that are not made, because an earlier one has no result.
    /// Returns why the turn ends, for the caller, with all details.
    fn skip_remaining(
        &mut self,
        error: CallError,
        rest: impl Iterator<Item = ToolCall>,
    ) -> TurnError {
        todo!("task 6.6: end the turn when a call has no result")
    }
}

/// A model without a network: it makes one call, reads the result, and answers with
/// what it read.
pub struct ScriptedModel {
    call: ToolCall,
}

impl ScriptedModel {
    /// A model that makes this call.
    pub fn calling(name: &str, arguments: Map<String, Value>) -> Self {
        Self { call: ToolCall { name: name.into(), arguments } }
    }
}

impl Model for ScriptedModel {
    /// The call; or, if the last entry is a tool's text, the answer
    /// `NAME 工具返回了：TEXT`, with the tool's name and the whole text. A call that has no
    /// result, was cancelled or skipped has no text.
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        todo!("task 6.1: write a scripted model")
    }
}
