//! The agent loop: a model, a registry, and turns between them.
//!
//! The loop knows only the registry, not where a tool runs. It separates two kinds of
//! failure: a failed tool is text that the model reads, and the loop continues; a
//! [`CallError`] ends the turn, and its details go to the caller, not into the model's
//! context.

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

// ANCHOR: entry
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
// ANCHOR_END: entry

impl Entry {
    // ANCHOR: end-of-call
    /// The entry for a call that has ended: the tool's text, whether it succeeded or
    /// failed; that the user stopped it; or that it has no result, without the reason.
    pub fn end_of_call(result: &Result<String, CallError>) -> Self {
        match result {
            Ok(text) => Self::Observation(text.clone()),
            Err(CallError::Cancelled) => Self::Cancelled,
            Err(_) => Self::ToolExecutionFailed,
        }
    }
    // ANCHOR_END: end-of-call

    // ANCHOR: entry-text
    /// The entry as text for a model: the text of the user, the tool or the model
    /// unchanged; a call as it prints; `skipped: ` and the call; `tool execution
    /// failed`; `cancelled by the user`.
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
    // ANCHOR_END: entry-text
}

// ANCHOR: model
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
// ANCHOR_END: model

// ANCHOR: turn-error
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
// ANCHOR_END: turn-error

// ANCHOR: turn
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
// ANCHOR_END: turn

impl<'a> Turn<'a> {
    /// A turn of [`MAX_STEPS`] that is never cancelled.
    pub fn new(tools: &'a ToolRegistry, approver: &'a dyn Approver) -> Self {
        Self { tools, approver, max_steps: MAX_STEPS, cancelled: Box::pin(pending()) }
    }

    // ANCHOR: run
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
        let tools = self.tools.model_tools();
        let mut recorder = Recorder { entries: conversation, on_entry };
        for _ in 0..self.max_steps {
            match self.ask(model, recorder.entries, &tools).await? {
                Step::Calls(calls) => self.make(calls, &mut recorder).await?,
                Step::Answer(text) => {
                    recorder.record(Entry::Answer(text.clone()));
                    return Ok(text);
                }
            }
        }
        Err(TurnError::TooManySteps(self.max_steps))
    }

    /// What the model wants next. Errors: it failed, or the user cancelled the turn.
    async fn ask(
        &mut self,
        model: &mut dyn Model,
        conversation: &[Entry],
        tools: &[Value],
    ) -> Result<Step, TurnError> {
        let step = model.next(conversation, tools);
        let step = run_until_cancelled(step, &mut self.cancelled).await;
        step.map_err(TurnError::Call)?.map_err(TurnError::Model)
    }
    // ANCHOR_END: run

    // ANCHOR: make-calls
    /// Makes the calls of one step in order. Records each call before it is made and
    /// its result after it. Error: one has no result; the calls after it are not made,
    /// see [`Recorder::skip_remaining`].
    async fn make(
        &mut self,
        calls: Vec<ToolCall>,
        recorder: &mut Recorder<'_>,
    ) -> Result<(), TurnError> {
        let mut calls = calls.into_iter();
        while let Some(call) = calls.next() {
            recorder.record(Entry::Call(call.clone()));
            let result = self.execute(call).await;
            recorder.record(Entry::end_of_call(&result));
            if let Err(error) = result {
                return Err(recorder.skip_remaining(error, calls));
            }
        }
        Ok(())
    }

    /// Makes one call through the registry, which asks the approver. Returns the
    /// result's text, whether the tool succeeded or failed. Errors: the call has no
    /// result, or the user cancelled the turn.
    async fn execute(&mut self, call: ToolCall) -> Result<String, CallError> {
        // Dropping the call sends the cancellation to the server.
        let call = self.tools.execute(call, self.approver);
        let result = run_until_cancelled(call, &mut self.cancelled).await??;
        Ok(to_text(&result))
    }
    // ANCHOR_END: make-calls
}

// ANCHOR: run-until-cancelled
/// Runs `work` to its end, or drops it when `cancelled` is ready. If both are ready,
/// the cancellation comes first, so that nothing new begins.
///
/// Error: [`CallError::Cancelled`].
pub async fn run_until_cancelled<T>(
    work: impl Future<Output = T>,
    cancelled: &mut (impl Future<Output = ()> + Unpin),
) -> Result<T, CallError> {
    tokio::select! {
        biased;
        () = cancelled => Err(CallError::Cancelled),
        result = work => Ok(result),
    }
}
// ANCHOR_END: run-until-cancelled

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

    // ANCHOR: skip-remaining
    /// Records the calls that are not made, because an earlier one has no result.
    /// Returns why the turn ends, for the caller, with all details.
    fn skip_remaining(
        &mut self,
        error: CallError,
        rest: impl Iterator<Item = ToolCall>,
    ) -> TurnError {
        rest.for_each(|call| self.record(Entry::Skipped(call)));
        TurnError::Call(error)
    }
    // ANCHOR_END: skip-remaining
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
    // ANCHOR: scripted-model
    /// The call; or, if the last entry is a tool's text, the answer
    /// `NAME 工具返回了：TEXT`, with the tool's name and the whole text. A call that has no
    /// result, was cancelled or skipped has no text.
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        let step = match conversation.last() {
            Some(Entry::Observation(text)) => {
                Step::Answer(format!("{} 工具返回了：{text}", self.call.name))
            }
            _ => Step::Calls(vec![self.call.clone()]),
        };
        Box::pin(async { Ok(step) })
    }
    // ANCHOR_END: scripted-model
}
