//! One turn of an agent, as an agenda: what is still to be done stands in a queue.
//!
//! Right, and unlike the course's own module: there is one loop and no function for a
//! step or a call. Once an end is known, what is left on the agenda is struck off, call
//! by call. The user is looked at by hand, before the work, without `select!`.

use crate::{
    registry::{Approver, ToolCall, ToolRegistry},
    tool::{BoxFuture, CallError, to_text},
};
use serde_json::{Map, Value};
use std::{
    collections::VecDeque,
    future::{Future, pending, poll_fn},
    pin::{Pin, pin},
    task::Poll,
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
        match result {
            Ok(text) => Self::Observation(text.clone()),
            Err(CallError::Cancelled) => Self::Cancelled,
            Err(_) => Self::ToolExecutionFailed,
        }
    }

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
    pub tools: &'a ToolRegistry,
    pub approver: &'a dyn Approver,
    pub max_steps: usize,
    /// Ready when the user has had enough.
    pub cancelled: Pin<Box<dyn Future<Output = ()> + Send + 'a>>,
}

impl<'a> Turn<'a> {
    pub fn new(tools: &'a ToolRegistry, approver: &'a dyn Approver) -> Self {
        Self { tools, approver, max_steps: MAX_STEPS, cancelled: Box::pin(pending()) }
    }

    pub async fn run(
        self,
        model: &mut dyn Model,
        conversation: &mut Vec<Entry>,
        on_entry: &mut (dyn FnMut(&Entry) + Send),
    ) -> Result<String, TurnError> {
        let Turn { tools, approver, max_steps, mut cancelled } = self;
        let listed = tools.model_tools();
        let mut left = max_steps;
        let mut agenda = VecDeque::from([Item::Ask]);
        let mut end = None;
        while let Some(item) = agenda.pop_front() {
            let entries = match item {
                Item::Ask if end.is_some() => vec![],
                Item::Ask if left == 0 => {
                    end = Some(Err(TurnError::TooManySteps(max_steps)));
                    vec![]
                }
                Item::Ask => {
                    left -= 1;
                    let step =
                        run_until_cancelled(model.next(conversation, &listed), &mut cancelled).await;
                    match step {
                        Ok(Ok(Step::Calls(calls))) => {
                            agenda.extend(calls.into_iter().map(Item::Announce));
                            agenda.push_back(Item::Ask);
                            vec![]
                        }
                        Ok(Ok(Step::Answer(text))) => {
                            end = Some(Ok(text.clone()));
                            vec![Entry::Answer(text)]
                        }
                        Ok(Err(text)) => {
                            end = Some(Err(TurnError::Model(text)));
                            vec![]
                        }
                        Err(broken) => {
                            end = Some(Err(TurnError::Call(broken)));
                            vec![]
                        }
                    }
                }
                Item::Announce(call) if end.is_some() => vec![Entry::Skipped(call)],
                Item::Announce(call) => {
                    agenda.push_front(Item::Make(call.clone()));
                    vec![Entry::Call(call)]
                }
                Item::Make(call) => {
                    let work = tools.execute(call, approver);
                    let outcome = run_until_cancelled(work, &mut cancelled).await;
                    let result = outcome.and_then(|outcome| outcome);
                    let result = result.map(|outcome| to_text(&outcome));
                    let entry = Entry::end_of_call(&result);
                    end = result.err().map(|broken| Err(TurnError::Call(broken)));
                    vec![entry]
                }
            };
            entries.iter().for_each(&mut *on_entry);
            conversation.extend(entries);
        }
        end.unwrap_or(Err(TurnError::TooManySteps(max_steps)))
    }
}

/// What is still to be done in a turn.
enum Item {
    Ask,
    Announce(ToolCall),
    Make(ToolCall),
}

pub async fn run_until_cancelled<T>(
    work: impl Future<Output = T>,
    cancelled: &mut (impl Future<Output = ()> + Unpin),
) -> Result<T, CallError> {
    let mut work = pin!(work);
    poll_fn(|context| {
        if Pin::new(&mut *cancelled).poll(context).is_ready() {
            return Poll::Ready(Err(CallError::Cancelled));
        }
        work.as_mut().poll(context).map(Ok)
    })
    .await
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
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        Box::pin(async move {
            if let [.., Entry::Observation(text)] = conversation {
                let name = &self.call.name;
                return Ok(Step::Answer([name, " 工具返回了：", text].concat()));
            }
            Ok(Step::Calls(vec![self.call.clone()]))
        })
    }
}
