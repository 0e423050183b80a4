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

// ANCHOR: entry
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
// ANCHOR_END: entry

impl Entry {
    // ANCHOR: end-of-call
    /// What is recorded of a call that has ended: the tool's text, whether it succeeded
    /// or failed; that the user stopped it; or that the way to it is broken. Of how it
    /// broke the conversation learns nothing.
    pub fn end_of_call(result: &Result<String, Broken>) -> Self {
        match result {
            Ok(text) => Self::Observation(text.clone()),
            Err(Broken::Cancelled) => Self::Cancelled,
            Err(_) => Self::ToolExecutionFailed,
        }
    }
    // ANCHOR_END: end-of-call

    // ANCHOR: entry-text
    /// What the model reads of it, where it reads text: what was said, as it was said;
    /// a call as it prints; `skipped: ` and the call; `tool execution failed`;
    /// `cancelled by the user`.
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
// ANCHOR_END: model

// ANCHOR: turn-error
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
// ANCHOR_END: turn-error

// ANCHOR: turn
/// What a turn works with.
pub struct Turn<'a> {
    pub tools: &'a ToolRegistry,
    pub gate: &'a dyn Gate,
    pub max_steps: usize,
    /// Ready when the user has had enough.
    pub cancelled: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}
// ANCHOR_END: turn

impl<'a> Turn<'a> {
    pub fn new(tools: &'a ToolRegistry, gate: &'a dyn Gate) -> Self {
        Self { tools, gate, max_steps: MAX_STEPS, cancelled: Box::pin(pending()) }
    }

    // ANCHOR: run
    /// Runs until the model answers, and returns the answer. `talk` gets every entry,
    /// the answer too, and `seen` sees each one as it happens. The model is asked at
    /// most `max_steps` times. After an error `talk` is still whole: every call has its
    /// entry.
    pub async fn run(
        mut self,
        model: &mut dyn Model,
        talk: &mut Vec<Entry>,
        seen: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<String, TurnError> {
        let tools = self.tools.model_tools();
        let mut talk = Talk { entries: talk, seen };
        for _ in 0..self.max_steps {
            match self.ask(model, talk.entries, &tools).await? {
                Step::Calls(calls) => self.make(calls, &mut talk).await?,
                Step::Answer(text) => {
                    talk.record(Entry::Answer(text.clone()));
                    return Ok(text);
                }
            }
        }
        Err(TurnError::TooManySteps(self.max_steps))
    }

    /// What the model wants next. Errors: it failed, or the user has had enough.
    async fn ask(
        &mut self,
        model: &mut dyn Model,
        talk: &[Entry],
        tools: &[Value],
    ) -> Result<Step, TurnError> {
        let step = or_cancelled(model.next(talk, tools), &mut self.cancelled).await;
        step.map_err(TurnError::Broken)?.map_err(TurnError::Model)
    }
    // ANCHOR_END: run

    // ANCHOR: make-calls
    /// Makes the calls of one step, one after the other, and records each one before it
    /// is made and its end after it. Error: one of them broke, see [`Talk::break_off`].
    async fn make(
        &mut self,
        calls: Vec<ToolCall>,
        talk: &mut Talk<'_>,
    ) -> Result<(), TurnError> {
        let mut calls = calls.into_iter();
        while let Some(call) = calls.next() {
            talk.record(Entry::Call(call.clone()));
            let result = self.execute(&call).await;
            talk.record(Entry::end_of_call(&result));
            if let Err(broken) = result {
                return Err(talk.break_off(broken, calls));
            }
        }
        Ok(())
    }

    /// Makes one call: through the registry, which asks the gate. Returns the outcome's
    /// text, whether the tool succeeded or failed. Errors: the way to the tool broke,
    /// or the user has had enough.
    async fn execute(&mut self, call: &ToolCall) -> Result<String, Broken> {
        // Dropping the call tells the server.
        let call = self.tools.execute(call, self.gate);
        let outcome = or_cancelled(call, &mut self.cancelled).await??;
        Ok(to_text(&outcome))
    }
    // ANCHOR_END: make-calls
}

// ANCHOR: or-cancelled
/// Does `work` until it is done, or until the user has had enough. Then the work is
/// dropped, and nothing new begins: if both are ready, the user comes first.
pub async fn or_cancelled<T>(
    work: impl Future<Output = T>,
    cancelled: &mut (impl Future<Output = ()> + Unpin),
) -> Result<T, Broken> {
    tokio::select! {
        biased;
        () = cancelled => Err(Broken::Cancelled),
        result = work => Ok(result),
    }
}
// ANCHOR_END: or-cancelled

/// A conversation that somebody follows.
struct Talk<'a> {
    entries: &'a mut Vec<Entry>,
    seen: &'a mut (dyn FnMut(&Entry) + Send),
}

impl Talk<'_> {
    fn record(&mut self, entry: Entry) {
        (self.seen)(&entry);
        self.entries.push(entry);
    }

    // ANCHOR: break-off
    /// Records the calls that will not be made any more, because one before them broke.
    /// Returns why the turn ends: for the caller, with all that is known.
    fn break_off(
        &mut self,
        broken: Broken,
        rest: impl Iterator<Item = ToolCall>,
    ) -> TurnError {
        rest.for_each(|call| self.record(Entry::Skipped(call)));
        TurnError::Broken(broken)
    }
    // ANCHOR_END: break-off
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
    // ANCHOR: scripted-model
    /// Its call; or, if the last entry is what a tool said, the answer
    /// `NAME 工具返回了：TEXT`, with the name of the tool and all of that text.
    /// A call that broke, was cancelled or skipped has said nothing.
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
    // ANCHOR_END: scripted-model
}
