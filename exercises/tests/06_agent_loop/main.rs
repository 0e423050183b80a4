//! Exercise 6: the agent loop
//!
//! You write one turn of an agent: the loop asks a model, makes its calls and shows it
//! the results, until the model gives a final answer.
//!
//! Where   `exercises/src/agent.rs`. A function to write contains `todo!("task 6.…")`;
//!         the comment above it specifies what it takes and returns. You may use or
//!         replace what is already written; what is `pub` keeps its signature.
//! Tasks   6.1  write a scripted model
//!         6.2  write what the model reads about a call
//!         6.3  stop when the user cancels
//!         6.4  ask until there is an answer
//!         6.5  make the calls of a step
//!         6.6  end the turn when a call has no result
//! Order   as numbered. 6.1, 6.2 and 6.3 need no other task; from 6.4 on each task
//!         needs those before it.
//! Given   `Recorder::record`, which takes every entry; the registry and its approver
//!         from chapter 5. The tools of the tests are fakes that record their calls.
//! Read    the book, chapter 6; MCP 2025-11-25, server/tools (Error Handling) and
//!         basic/utilities/cancellation.
//! Judge   cargo test -p exercises --test 06_agent_loop t6_1
//!         (without `t6_1` all tasks; all exercises, if all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    run `cargo run --bin 06-full-demo` and compare the output with the
//!         transcript.
//!         (In the course's repository, first copy your module over the one in `src/`;
//!         the tests of the book then miss marks, and `git restore src` restores them.)

mod fakes;
mod t6_1;
mod t6_2;
mod t6_3;
mod t6_4;
mod t6_5;
mod t6_6;

#[cfg(feature = "reference")]
use mcp_from_scratch::agent;
#[cfg(not(feature = "reference"))]
#[path = "../../src"]
#[allow(clippy::ptr_arg)] // a stub does not grow its conversation yet
mod exercise {
    pub mod agent;
}
#[cfg(not(feature = "reference"))]
use exercise::agent;
// From earlier chapters; your module finds them as `crate::bridge` and so on.
use agent::{
    Entry, Model, ModelError, ScriptedModel, Step, Turn, TurnError, run_until_cancelled,
};
use exercises::{Explain, Failure, Verdict, holds, judge, judge_async, same};
use fakes::*;
use jsonrpc::ErrorObject;
#[allow(unused_imports)]
use mcp_from_scratch::{bridge, jsonrpc, registry, tool};
use registry::{Approver, Decision, Risk, ToolCall, ToolRegistry, ToolSpec};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    future::{Future, pending, poll_fn, ready},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::Poll,
};
use tokio::task::yield_now;
use tool::{BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult};

fn call(name: &str, arguments: Value) -> ToolCall {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    ToolCall { name: name.into(), arguments }
}

fn said(text: &str) -> Entry {
    Entry::Observation(text.into())
}

fn answer(text: &str) -> Step {
    Step::Answer(text.into())
}

/// The result of `work`. No time passes in these tests: a future that is not ready
/// after a hundred polls waits for an event that never happens.
async fn done<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let mut work = pin!(work);
    for _ in 0..100 {
        let look = poll_fn(|context| Poll::Ready(work.as_mut().poll(context)));
        if let Poll::Ready(done) = look.await {
            return Ok(done);
        }
        yield_now().await;
    }
    Err(Failure::new("no end: it still waits")
        .because("work without an end is waited for alone; look at the user as well"))
}

/// What happened, in its order.
#[derive(Clone, Default)]
struct Diary(Arc<Mutex<Vec<String>>>);

impl Diary {
    fn note(&self, what: impl Into<String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(what.into());
    }

    /// All of it, a line each.
    fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).join("\n")
    }
}

/// The diary must read so.
fn reads(diary: &Diary, expected: &[&str]) -> Verdict {
    let got = diary.text();
    holds(got == expected.join("\n"), expected.join("\n"), Lines(got))
}

/// Prints as it is, and not with `\n` for an end of line.
struct Lines(String);

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "nothing" } else { &self.0 })
    }
}

async fn asked(
    model: &mut ScriptedModel,
    conversation: &[Entry],
) -> Result<Step, Failure> {
    done(model.next(conversation, &[])).await?.map_err(|error| Failure::new(error.0))
}

/// One turn over the fakes.
struct Played {
    result: Result<String, TurnError>,
    conversation: Vec<Entry>,
    /// Calls, tools, approver and `on_entry`, in the order in which they happened.
    diary: Diary,
    tools: Vec<Value>,
}

struct Setting<U> {
    max_steps: usize,
    user: U,
}

async fn play(plan: &mut dyn Model) -> Result<Played, Failure> {
    play_with(plan, Setting { max_steps: 8, user: pending() }).await
}

async fn play_with(
    plan: &mut dyn Model,
    setting: Setting<impl Future<Output = ()> + Send>,
) -> Result<Played, Failure> {
    let diary = Diary::default();
    let (tools, approver) = (fakes(&diary)?, Asked(diary.clone()));
    let mut turn = Turn::new(&tools, &approver);
    turn.max_steps = setting.max_steps;
    turn.cancelled = Box::pin(setting.user);
    let mut conversation = vec![Entry::User("Go!".into())];
    let mut on_entry = |entry: &Entry| diary.note(format!("entry: {}", entry.text()));
    let result = done(turn.run(plan, &mut conversation, &mut on_entry)).await?;
    let tools = tools.model_tools();
    Ok(Played { result, conversation: conversation.split_off(1), diary, tools })
}

fn plain(name: &str) -> ToolCall {
    call(name, json!({}))
}

fn calls(names: &[&str]) -> Step {
    Step::Calls(names.iter().map(|name| plain(name)).collect())
}
