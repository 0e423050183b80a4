//! The agent loop: a model, a registry, and turns between them.
//!
//! The loop knows no tool's home: it goes through the registry. Two kinds of failure
//! stay apart: a failed tool is something the model reads, and the loop goes on; a
//! broken way to a tool ends the turn, and its details go to the caller, not into the
//! model's context.

#![allow(unused)]

use crate::{
    bridge::to_text,
    registry::{Approver, CallError, ToolCall, ToolRegistry},
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
    /// What is recorded of a call that has ended: the tool's text, whether it succeeded
    /// or failed; that the user stopped it; or that the way to it is broken. Of how it
    /// broke the conversation learns nothing.
    pub fn end_of_call(result: &Result<String, CallError>) -> Self {
        todo!("task 6.2: say what the model reads of a call")
    }

    /// What the model reads of it, where it reads text: what was said, as it was said;
    /// a call as it prints; `skipped: ` and the call; `tool execution failed`;
    /// `cancelled by the user`.
    pub fn text(&self) -> String {
        todo!("task 6.2: say what the model reads of a call")
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
    CallError(CallError),
    #[error("the model failed: {0}")]
    Model(String),
    #[error("no answer after {0} steps")]
    TooManySteps(usize),
}

/// What a turn works with.
pub struct Turn<'a> {
    pub tools: &'a ToolRegistry,
    pub gate: &'a dyn Approver,
    pub max_steps: usize,
    /// Ready when the user has had enough.
    pub cancelled: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}

impl<'a> Turn<'a> {
    pub fn new(tools: &'a ToolRegistry, gate: &'a dyn Approver) -> Self {
        Self { tools, gate, max_steps: MAX_STEPS, cancelled: Box::pin(pending()) }
    }

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
        todo!("task 6.4: ask until there is an answer")
    }

    /// What the model wants next. Errors: it failed, or the user has had enough.
    async fn ask(
        &mut self,
        model: &mut dyn Model,
        talk: &[Entry],
        tools: &[Value],
    ) -> Result<Step, TurnError> {
        todo!("task 6.4: ask until there is an answer")
    }

    /// Makes the calls of one step, one after the other, and records each one before it
    /// is made and its end after it. Error: one of them broke, see [`Recorder::skip_remaining`].
    async fn make(
        &mut self,
        calls: Vec<ToolCall>,
        talk: &mut Recorder<'_>,
    ) -> Result<(), TurnError> {
        todo!("task 6.5: make the calls of a step")
    }

    /// Makes one call: through the registry, which asks the gate. Returns the outcome's
    /// text, whether the tool succeeded or failed. Errors: the way to the tool broke,
    /// or the user has had enough.
    async fn execute(&mut self, call: &ToolCall) -> Result<String, CallError> {
        todo!("task 6.5: make the calls of a step")
    }
}

/// Does `work` until it is done, or until the user has had enough. Then the work is
/// dropped, and nothing new begins: if both are ready, the user comes first.
pub async fn run_until_cancelled<T>(
    work: impl Future<Output = T>,
    cancelled: &mut (impl Future<Output = ()> + Unpin),
) -> Result<T, CallError> {
    todo!("task 6.3: stop when the user has had enough")
}

/// A conversation that somebody follows.
struct Recorder<'a> {
    entries: &'a mut Vec<Entry>,
    seen: &'a mut (dyn FnMut(&Entry) + Send),
}

impl Recorder<'_> {
    fn record(&mut self, entry: Entry) {
        (self.seen)(&entry);
        self.entries.push(entry);
    }

    /// Records the calls that will not be made any more, because one before them broke.
    /// Returns why the turn ends: for the caller, with all that is known.
    fn skip_remaining(
        &mut self,
        broken: CallError,
        rest: impl Iterator<Item = ToolCall>,
    ) -> TurnError {
        todo!("task 6.6: break off when the way to a tool is broken")
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
    /// Its call; or, if the last entry is what a tool said, the answer
    /// `NAME 工具返回了：TEXT`, with the name of the tool and all of that text.
    /// A call that broke, was cancelled or skipped has said nothing.
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, String>> {
        todo!("task 6.1: play the model's part")
    }
}
