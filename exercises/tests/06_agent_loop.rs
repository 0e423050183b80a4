//! Exercise 6: the agent loop
//!
//! You write one turn of an agent: a model is asked, its calls are made, it reads what
//! came of them, and so on until it answers.
//!
//! Where   `exercises/src/agent.rs`. A function to write says `todo!("task 6.…")`; the
//!         lines above it say what it takes and returns. What is written already, you
//!         may use or replace; signatures that are `pub` stay as they are.
//! Tasks   6.1  play the model's part
//!         6.2  say what the model reads of a call
//!         6.3  stop when the user has had enough
//!         6.4  ask until there is an answer
//!         6.5  make the calls of a step
//!         6.6  break off when the way to a tool is broken
//! Order   as numbered. 6.1, 6.2 and 6.3 stand alone; from 6.4 on each one needs those
//!         before it.
//! Given   `Recorder::record`, through which every entry goes; the registry and its gate
//!         from chapter 5. The tools of the tests are fakes that write down what happens.
//! Read    the book, chapter 6; MCP 2025-11-25, server/tools (Error Handling) and
//!         basic/utilities/cancellation.
//! Judge   cargo test -p exercises --test 06_agent_loop t6_1
//!         (without `t6_1` all tasks; all exercises, while all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    copy your module over the one in `src/`, run `cargo run --bin 06-full-demo`,
//!         and compare with the transcript.
//!         (The tests of the book miss marks then; `git restore src` brings them back.)

#[cfg(feature = "reference")]
use mcp_from_scratch::agent;
#[cfg(not(feature = "reference"))]
#[path = "../src"]
#[allow(clippy::ptr_arg)] // a stub does not grow its conversation yet
mod exercise {
    pub mod agent;
}
#[cfg(not(feature = "reference"))]
use exercise::agent;
// From earlier chapters; your module finds them as `crate::bridge` and so on.
#[allow(unused_imports)]
use mcp_from_scratch::{bridge, jsonrpc, registry, tool};

use agent::{Entry, Model, ScriptedModel, Step, Turn, TurnError, run_until_cancelled};
use exercises::{Explain, Failure, Verdict, holds, judge, judge_async, same};
use jsonrpc::{ErrorObject, object};
use registry::{
    Approver, CallError, Executor, Parameters, Risk, ToolCall, ToolRegistry, ToolSpec,
};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    future::{Future, pending, poll_fn, ready},
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::Poll,
};
use tokio::task::yield_now;
use tool::{Arguments, BoxFuture, ToolResult};

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall { name: name.into(), arguments: object(arguments) }
}

fn said(text: &str) -> Entry {
    Entry::Observation(text.into())
}

fn answer(text: &str) -> Step {
    Step::Answer(text.into())
}

/// What `work` comes to. No time goes by in these tests: what is not done after a
/// hundred looks waits for something that will not come.
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

// Task 6.1: play the model's part

async fn asked(model: &mut ScriptedModel, talk: &[Entry]) -> Result<Step, Failure> {
    done(model.next(talk, &[])).await?.map_err(Failure::new)
}

#[test]
fn t6_1_first_it_makes_its_call() {
    judge_async("6.1", "without a result to read the model makes its call", || async {
        let echo = call("echo", json!({"text": "hi"}));
        let mut model = ScriptedModel::calling("echo", echo.arguments.clone());
        let user = Entry::User("Go!".into());
        let likely = "the call is made of the name and the arguments it was given";
        for talk in [vec![], vec![user.clone()], vec![said("old"), user]] {
            same(Step::Calls(vec![echo.clone()]), asked(&mut model, &talk).await?)
                .given(format!("a conversation that is {talk:?}"))
                .likely(likely)?;
        }
        for end in
            [Entry::ToolExecutionFailed, Entry::Cancelled, Entry::Skipped(echo.clone())]
        {
            let talk = [Entry::Call(echo.clone()), end];
            same(Step::Calls(vec![echo.clone()]), asked(&mut model, &talk).await?)
                .given(format!("a conversation that is {talk:?}"))
                .likely("here no tool has spoken, so there is nothing to repeat")?;
        }
        Ok(())
    });
}

#[test]
fn t6_1_then_it_answers_with_what_it_read() {
    judge_async("6.1", "after a tool has spoken the model repeats it", || async {
        let mut model = ScriptedModel::calling("echo", object(json!({"text": "a"})));
        let mut talk =
            vec![Entry::User("Go!".into()), Entry::Call(call("echo", json!({})))];
        for (text, expected) in [
            ("你好", "echo 工具返回了：你好"),
            ("something else", "echo 工具返回了：something else"),
            ("", "echo 工具返回了："),
            ("two\nlines\n", "echo 工具返回了：two\nlines\n"),
            (" ", "echo 工具返回了： "),
        ] {
            talk.push(said(text));
            same(answer(expected), asked(&mut model, &talk).await?)
                .given(format!("a conversation that ends with {:?}", said(text)))
                .likely("what is repeated is the last entry, not what was sent")?;
        }
        Ok(())
    });
}

// Task 6.2: say what the model reads of a call

#[test]
fn t6_2_a_tools_text_is_read_whatever_it_says() {
    judge("6.2", "what a tool says is an observation, as it was said", || {
        let likely = "the text alone does not tell success from failure";
        for text in [
            "42",
            "",
            "argument `a` is missing",
            "tool execution failed",
            "cancelled by the user",
        ] {
            same(said(text), Entry::end_of_call(&Ok(text.into())))
                .given(format!("a call that ended with Ok({text:?})"))
                .likely(likely)?;
        }
        for text in ["  indented\n", &"long ".repeat(1000)] {
            same(said(text), Entry::end_of_call(&Ok(text.into())))
                .given(format!("a call that ended with {} characters", text.len()))
                .likely("nothing is trimmed or cut: blanks and length may matter")?;
        }
        Ok(())
    });
}

/// A host's trouble, with details that are none of the model's business.
fn trouble() -> [CallError; 4] {
    [
        CallError::Rpc(ErrorObject::new(-32603, "boom at /srv/app")),
        CallError::Timeout("no answer to `tools/call` within 10s".into()),
        CallError::Transport("exit status 1, stderr: token=s3cret".into()),
        CallError::Rpc(ErrorObject::new(-32602, "unknown tool `gone`")),
    ]
}

#[test]
fn t6_2_a_broken_way_is_recorded_without_its_details() {
    judge("6.2", "of a broken way the model reads `tool execution failed`", || {
        for broken in trouble() {
            let given = format!("a call that ended with Err({broken:?})");
            let entry = Entry::end_of_call(&Err(broken));
            same(Entry::ToolExecutionFailed, entry.clone())
                .given(&given)
                .likely("the cause is for the caller; it may hold paths and secrets")?;
            same("tool execution failed".to_owned(), entry.text()).given(given)?;
        }
        Ok(())
    });
}

#[test]
fn t6_2_a_cancelled_call_is_recorded_as_such() {
    judge("6.2", "the model may know that the user stopped a call", || {
        let entry = Entry::end_of_call(&Err(CallError::Cancelled));
        same(Entry::Cancelled, entry.clone())
            .given("a call that ended with Err(Cancelled)")
            .likely("nothing is broken: the user has decided so")?;
        same("cancelled by the user".to_owned(), entry.text())
    });
}

#[test]
fn t6_2_every_entry_has_a_text() {
    judge("6.2", "each entry reads as what was said, called or left out", || {
        let add = call("add", json!({"a": 2}));
        for (expected, entry) in [
            ("Go!", Entry::User("Go!".into())),
            ("42", said("42")),
            ("done", Entry::Answer("done".into())),
            (r#"add({"a":2})"#, Entry::Call(add.clone())),
            (r#"skipped: add({"a":2})"#, Entry::Skipped(add)),
        ] {
            same(expected.to_owned(), entry.text())
                .given(format!("{entry:?}"))
                .likely("a `ToolCall` knows how it prints; a text is left as it is")?;
        }
        Ok(())
    });
}

// Task 6.3: stop when the user has had enough

/// Says when it is dropped.
struct Dropped(Diary, &'static str);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.note(format!("{} is dropped", self.1));
    }
}

/// Ready after so many looks, and from then on.
fn after_looks(looks: usize) -> impl Future<Output = ()> + Send + Unpin {
    let mut left = looks + 1;
    poll_fn(move |context| {
        left = left.saturating_sub(1);
        if left == 0 {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

#[test]
fn t6_3_work_that_is_done_is_its_result() {
    judge_async("6.3", "who is not stopped comes to the result", || async {
        let likely = "the work goes on as long as the user says nothing";
        let mut never = Box::pin(pending());
        let got = done(run_until_cancelled(ready(42), &mut never)).await?;
        same(Ok(42), got).given("work that is done at once").likely(likely)?;
        let later = async {
            after_looks(5).await;
            43
        };
        let got = done(run_until_cancelled(later, &mut never)).await?;
        same(Ok(43), got).given("work that is done at the sixth look").likely(likely)
    });
}

#[test]
fn t6_3_a_user_who_has_had_enough_ends_the_waiting() {
    judge_async("6.3", "work without an end stops when the user says so", || async {
        let likely = "wait for both, and take whichever is ready first";
        for looks in [0, 5] {
            let got =
                done(run_until_cancelled(pending::<()>(), &mut after_looks(looks)))
                    .await;
            same(Err(CallError::Cancelled), got?)
                .given(format!("work without an end; the user at look {}", looks + 1))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn t6_3_after_the_user_nothing_begins() {
    judge_async("6.3", "if both are ready, the user comes first", || async {
        // A choice by lot would pass now and then.
        for _ in 0..20 {
            let diary = Diary::default();
            let work = async { diary.note("the work has begun") };
            let got = done(run_until_cancelled(work, &mut after_looks(0))).await?;
            same(Err(CallError::Cancelled), got)
                .given("work that would be done at once, and a user who has had enough")
                .likely("the user is looked at after the work, or by lot")?;
            reads(&diary, &[]).given("what happened")?;
        }
        Ok(())
    });
}

#[test]
fn t6_3_stopped_work_is_dropped() {
    judge_async(
        "6.3",
        "work that is stopped is dropped, and not left behind",
        || async {
            let diary = Diary::default();
            let guard = Dropped(diary.clone(), "the work");
            let work = async move {
                let _guard = guard;
                pending::<()>().await
            };
            let got = done(run_until_cancelled(work, &mut after_looks(3))).await?;
            diary.note("the waiting is over");
            same(Err(CallError::Cancelled), got)?;
            reads(&diary, &["the work is dropped", "the waiting is over"])
                .likely("a dropped call is how the server learns that nobody waits")
        },
    );
}

#[test]
fn t6_3_the_user_may_be_heard_later() {
    judge_async(
        "6.3",
        "a user who said nothing yet can still stop what follows",
        || async {
            let mut user = after_looks(3);
            same(Ok(1), done(run_until_cancelled(ready(1), &mut user)).await?)?;
            let got = done(run_until_cancelled(pending::<()>(), &mut user)).await?;
            same(Err(CallError::Cancelled), got)
                .given("one piece of work that is done, then one without an end")
                .likely("what is lent is the same user, through all of the turn")
        },
    );
}

// Task 6.4: ask until there is an answer

/// A model out of a list, which writes down what it is shown.
#[derive(Default)]
struct Plan {
    steps: VecDeque<Result<Step, String>>,
    shown: Vec<Vec<Entry>>,
    tools: Vec<Value>,
}

impl Plan {
    fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().map(Ok).collect(), ..Self::default() }
    }
}

impl Model for Plan {
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        tools: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, String>> {
        self.shown.push(conversation.to_vec());
        self.tools = tools.to_vec();
        let over = || Err("asked more often than the test has steps".into());
        let step = self.steps.pop_front().unwrap_or_else(over);
        Box::pin(ready(step))
    }
}

/// A tool that writes down that it runs, and then does what its name says.
struct Fake(Diary, &'static str);

impl Executor for Fake {
    fn execute(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let arguments = Value::Object(arguments.0);
            self.0.note(format!("{} runs with {arguments}", self.1));
            let _guard = (self.1 == "hang").then(|| Dropped(self.0.clone(), "hang"));
            match self.1 {
                "fail" => Ok(ToolResult::failure("no such city")),
                "break" => Err(trouble()[2].clone()),
                "refuse" => Err(trouble()[0].clone()),
                "late" => Err(trouble()[1].clone()),
                "gone" => Err(trouble()[3].clone()),
                "blocks" => Ok(blocks()),
                "data" => Ok(ToolResult { content: vec![], ..blocks() }),
                "blank" => Ok(ToolResult { is_error: true, ..ToolResult::default() }),
                "hang" => pending().await,
                _ => {
                    yield_now().await;
                    self.0.note(format!("{} is done", self.1));
                    Ok(ToolResult::text("fine"))
                }
            }
        })
    }
}

/// More than one text.
fn blocks() -> ToolResult {
    let image = json!({"type": "image", "mimeType": "image/png", "data": "AAAA"});
    let content = vec![
        json!({"type": "text", "text": "a map"}),
        image,
        json!({"type": "text", "text": "and a key"}),
    ];
    ToolResult { content, structured: Some(json!({"n": 1})), is_error: false }
}

/// A gate that writes down what it is asked, and says yes to text `yes`.
struct Asked(Diary);

impl Approver for Asked {
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool> {
        self.0.note(format!("the gate is asked: {risk} {call}"));
        Box::pin(ready(call.arguments.get("text") == Some(&json!("yes"))))
    }
}

fn fakes(diary: &Diary) -> Result<ToolRegistry, Failure> {
    let mut tools = ToolRegistry::new();
    for (name, risk) in [
        ("work", Risk::Auto),
        ("fail", Risk::Auto),
        ("break", Risk::Auto),
        ("refuse", Risk::Auto),
        ("late", Risk::Auto),
        ("gone", Risk::Auto),
        ("blocks", Risk::Auto),
        ("data", Risk::Auto),
        ("blank", Risk::Auto),
        ("hang", Risk::Auto),
        ("guarded", Risk::Approve),
    ] {
        let parameters = Parameters::required(&[]);
        let spec = ToolSpec {
            name: name.into(),
            description: format!("Does {name}."),
            parameters,
            risk,
        };
        let added = tools.register(spec, Fake(diary.clone(), name));
        added.map_err(|error| Failure::new(error.to_string()))?;
    }
    Ok(tools)
}

/// One turn over the fakes.
struct Played {
    result: Result<String, TurnError>,
    talk: Vec<Entry>,
    /// Calls, tools, gate and `seen`, in the order in which they happened.
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
    let (tools, gate) = (fakes(&diary)?, Asked(diary.clone()));
    let mut turn = Turn::new(&tools, &gate);
    turn.max_steps = setting.max_steps;
    turn.cancelled = Box::pin(setting.user);
    let mut talk = vec![Entry::User("Go!".into())];
    let mut seen = |entry: &Entry| diary.note(format!("seen: {}", entry.text()));
    let result = done(turn.run(plan, &mut talk, &mut seen)).await?;
    let tools = tools.model_tools();
    Ok(Played { result, talk: talk.split_off(1), diary, tools })
}

#[test]
fn t6_4_an_answer_ends_the_turn_and_is_its_result() {
    judge_async(
        "6.4",
        "an answer ends the turn, is returned and is recorded",
        || async {
            let mut plan = Plan::new([answer("hello"), answer("too many")]);
            let played = play(&mut plan).await?;
            same(Ok("hello".into()), played.result)
                .likely("the model's answer is what the turn was for")?;
            same(vec![Entry::Answer("hello".into())], played.talk)
                .given("what was added to the conversation")
                .likely(
                    "the answer belongs to the conversation: the next turn reads it",
                )?;
            same(1, plan.shown.len())
                .given("how often the model was asked")
                .likely("who has answered is not asked again")?;
            reads(&played.diary, &["seen: hello"])
                .given("what happened")
                .likely("every entry goes through `Recorder::record`, once")?;
            for text in ["", " two\nlines\n"] {
                let mut plan = Plan::new([answer(text), answer("too many")]);
                let played = play(&mut plan).await?;
                let added = vec![Entry::Answer(text.into())];
                same((Ok(text.into()), added), (played.result, played.talk))
                    .given(format!("an answer that is {text:?}: result, entries"))
                    .likely("an answer is one whatever it says, and stays as it is")?;
            }
            Ok(())
        },
    );
}

#[test]
fn t6_4_the_model_gets_the_conversation_and_the_tools() {
    judge_async(
        "6.4",
        "the model reads all that was said, and has the tools",
        || async {
            let mut plan = Plan::new([answer("hello")]);
            let played = play(&mut plan).await?;
            same(vec![vec![Entry::User("Go!".into())]], plan.shown)
                .given("the conversation that the model was shown")
                .likely("it is asked with the entries that were there before, too")?;
            same(played.tools, plan.tools)
                .given("the tools that the model was shown")
                .likely("it is given what `model_tools` returns")
        },
    );
}

#[test]
fn t6_4_a_model_that_fails_ends_the_turn() {
    judge_async("6.4", "if the model fails, the caller learns why", || async {
        let mut plan = Plan::default();
        plan.steps.push_back(Err("overloaded".into()));
        let played = play(&mut plan).await?;
        same(Err(TurnError::Model("overloaded".into())), played.result)
            .given("a model that fails with `overloaded`")
            .likely("there is no step to go on with; the text is the caller's")?;
        same(vec![], played.talk)
            .given("what was added to the conversation")
            .likely("nothing was said and nothing called")
    });
}

/// A model that does not come to an end.
struct Thinker;

impl Model for Thinker {
    fn next<'a>(
        &'a mut self,
        _: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, String>> {
        Box::pin(pending())
    }
}

#[test]
fn t6_4_a_model_that_thinks_for_ever_can_be_stopped() {
    judge_async("6.4", "the user can stop the model as well as a call", || async {
        for looks in [0, 5] {
            let setting = Setting { max_steps: 8, user: after_looks(looks) };
            let played = play_with(&mut Thinker, setting).await?;
            same(Err(TurnError::Call(CallError::Cancelled)), played.result)
                .given("a model that never answers, and a user who has had enough")
                .likely("asking the model is work that can be stopped: task 6.3")?;
            same(vec![], played.talk)
                .given("what was added to the conversation")
                .likely("no call was made, so none was cancelled")?;
        }
        Ok(())
    });
}

#[test]
fn t6_4_without_steps_nobody_is_asked() {
    judge_async("6.4", "a turn with no steps left ends before the model", || async {
        let mut plan = Plan::new([answer("hello")]);
        let setting = Setting { max_steps: 0, user: pending() };
        let played = play_with(&mut plan, setting).await?;
        same(Err(TurnError::TooManySteps(0)), played.result)
            .given("`max_steps` is 0")
            .likely("the limit is looked at before the model is asked")?;
        same(0, plan.shown.len()).given("how often the model was asked")
    });
}

// Task 6.5: make the calls of a step

fn plain(name: &str) -> ToolCall {
    call(name, json!({}))
}

fn calls(names: &[&str]) -> Step {
    Step::Calls(names.iter().map(|name| plain(name)).collect())
}

#[test]
fn t6_5_each_call_is_followed_by_what_the_tool_said() {
    judge_async("6.5", "a call and its end stand in the conversation", || async {
        let work = call("work", json!({"n": 1}));
        let mut plan = Plan::new([Step::Calls(vec![work.clone()]), answer("done")]);
        let played = play(&mut plan).await?;
        let whole =
            vec![Entry::Call(work.clone()), said("fine"), Entry::Answer("done".into())];
        same(Ok("done".into()), played.result)
            .given("a call, then an answer")
            .likely("after the calls of a step the model is asked again")?;
        same(whole, played.talk)
            .given("what was added to the conversation")
            .likely("a call, what came of it, and then the model is asked again")?;
        let user = Entry::User("Go!".into());
        let second = vec![user.clone(), Entry::Call(work), said("fine")];
        same(vec![vec![user], second], plan.shown)
            .given("the conversations that the model was shown")
            .likely("the second time it reads the call and its end as well")
    });
}

#[test]
fn t6_5_calls_are_made_one_after_the_other_and_seen_as_they_happen() {
    judge_async(
        "6.5",
        "a call is seen before it runs, its end when it ended",
        || async {
            let mut plan = Plan::new([calls(&["work", "fail"]), answer("done")]);
            let played = play(&mut plan).await?;
            reads(
                &played.diary,
                &[
                    "seen: work({})",
                    "work runs with {}",
                    "work is done",
                    "seen: fine",
                    "seen: fail({})",
                    "fail runs with {}",
                    "seen: no such city",
                    "seen: done",
                ],
            )
            .given("a step with two calls, then an answer")
            .likely("entries recorded too late, or calls that run at once")
        },
    );
}

#[test]
fn t6_5_the_same_call_twice_is_made_twice() {
    judge_async("6.5", "each call of a step is made, equal ones too", || async {
        let step = calls(&["work", "work", "work"]);
        let played = play(&mut Plan::new([step, answer("done")])).await?;
        let made = played.diary.text().matches("work runs").count();
        same((3, 7), (made, played.talk.len()))
            .given("three equal calls, then an answer: how many ran, entries")
            .likely("a model may mean it: two rolls of a die are two calls")
    });
}

#[test]
fn t6_5_what_a_tool_sends_is_read_as_the_bridge_tells_it() {
    judge_async("6.5", "an observation is the outcome's whole text", || async {
        for (name, expected) in [
            ("blocks", "a map\n[image: image/png]\nand a key"),
            ("data", r#"{"n":1}"#),
            ("blank", "the tool failed and gave no reason"),
        ] {
            let mut plan = Plan::new([calls(&[name]), answer("done")]);
            let played = play(&mut plan).await?;
            let got = played.talk.get(1).cloned();
            same(Some(said(expected)), got)
                .given(match name {
                    "blocks" => "an outcome with a text, an image and a text",
                    "data" => "an outcome with structured content only",
                    _ => "a failed outcome without content",
                })
                .likely("`bridge::to_text` makes the text: all blocks, never blank")?;
        }
        Ok(())
    });
}

#[test]
fn t6_5_a_failed_tool_is_read_and_the_turn_goes_on() {
    judge_async(
        "6.5",
        "a failed tool's text is for the model, which may try again",
        || async {
            let steps = [calls(&["fail", "nobody"]), calls(&["work"]), answer("done")];
            let played = play(&mut Plan::new(steps)).await?;
            let likely = "`isError` and an unknown name are data, no broken way";
            same(Ok("done".into()), played.result)
                .given("calls of a tool that fails, of none, and of one that works")
                .likely(likely)?;
            let read: Vec<_> = played.talk.iter().map(Entry::text).collect();
            same(("fail({})", "no such city"), (&*read[0], &*read[1]))
                .given("the call that fails, and what is read of it")
                .likely(likely)?;
            same(("nobody({})", 7), (&*read[2], read.len()))
                .given("the next call, and how many entries there are")
                .likely("after a failed tool the rest of the step is made as well")
        },
    );
}

#[test]
fn t6_5_the_gate_is_asked_anew_for_each_call_with_its_arguments() {
    judge_async(
        "6.5",
        "a yes is for one call, and no call passes the gate by",
        || async {
            let guarded = |text| call("guarded", json!({"text": text}));
            let three = vec![guarded("yes"), guarded("no"), guarded("yes")];
            let mut plan = Plan::new([Step::Calls(three), answer("done")]);
            let played = play(&mut plan).await?;
            let got = played.diary.text();
            let happened: Vec<_> =
                got.lines().filter(|line| !line.starts_with("seen: ")).collect();
            let expected = vec![
                r#"the gate is asked: approve guarded({"text":"yes"})"#,
                r#"guarded runs with {"text":"yes"}"#,
                "guarded is done",
                r#"the gate is asked: approve guarded({"text":"no"})"#,
                r#"the gate is asked: approve guarded({"text":"yes"})"#,
                r#"guarded runs with {"text":"yes"}"#,
                "guarded is done",
            ];
            holds(
                expected == happened,
                expected.join("\n"),
                Lines(happened.join("\n")),
            )
            .given("three calls of a tool that needs a yes: yes, no, yes")
            .likely("the registry asks the gate that it is given: the turn's own")?;
            same(Ok("done".into()), played.result)
                .given("a refused call among others")
                .likely("a refusal is text that the model reads; the turn goes on")?;
            let refused = matches!(&played.talk[3], Entry::Observation(text) if text.contains("refused"));
            holds(refused, "an observation that it was refused", &played.talk[3])
                .given("the entry after the refused call")
        },
    );
}

#[test]
fn t6_5_the_gate_is_not_asked_for_what_runs_by_itself() {
    judge_async("6.5", "`auto` runs without a question", || async {
        let played = play(&mut Plan::new([calls(&["work"]), answer("done")])).await?;
        let got = played.diary.text();
        holds(
            got.contains("work runs") && !got.contains("gate"),
            "no question",
            Lines(got),
        )
        .given("a call of a tool whose risk is `auto`")
        .likely("the registry decides whether to ask, not the loop")
    });
}

#[test]
fn t6_5_a_model_without_an_end_is_stopped_at_the_limit() {
    judge_async("6.5", "the model is asked at most `max_steps` times", || async {
        for limit in [1, 3, 12] {
            let mut plan = Plan::new((0..20).map(|_| calls(&["work"])));
            let setting = Setting { max_steps: limit, user: pending() };
            let played = play_with(&mut plan, setting).await?;
            let given = format!("`max_steps` is {limit}, and a model that only calls");
            same(Err(TurnError::TooManySteps(limit)), played.result)
                .given(&given)
                .likely("a turn without a limit runs until the money is gone")?;
            same((limit, 2 * limit), (plan.shown.len(), played.talk.len()))
                .given(format!("{given}: times asked, entries"))
                .likely("one too many or too few; the last calls are made as well")?;
        }
        let mut plan = Plan::new([calls(&["work"]), calls(&[]), answer("at last")]);
        let setting = Setting { max_steps: 3, user: pending() };
        let played = play_with(&mut plan, setting).await?;
        same(Ok("at last".into()), played.result)
            .given("`max_steps` is 3, and an answer at the third")
            .likely("an answer at the last step counts; a step may have no calls")
    });
}

// Task 6.6: break off when the way to a tool is broken

#[test]
fn t6_6_a_broken_way_ends_the_turn_and_the_caller_learns_why() {
    judge_async("6.6", "the turn ends, and its error is the whole cause", || async {
        let ways = ["refuse", "late", "break", "gone"].into_iter().zip(trouble());
        for (name, broken) in ways {
            let mut plan = Plan::new([calls(&[name]), answer("never")]);
            let played = play(&mut plan).await?;
            same(Err(TurnError::Call(broken)), played.result)
                .given(format!("a call of `{name}`, whose way is broken"))
                .likely("the caller gets the cause as it came")?;
            same(1, plan.shown.len())
                .given("how often the model was asked")
                .likely("after a broken way the model is not asked again")?;
            same(
                vec![Entry::Call(plain(name)), Entry::ToolExecutionFailed],
                played.talk,
            )
            .given("what was added to the conversation")
            .likely("the call has an entry for its end, without the details")?;
        }
        Ok(())
    });
}

#[test]
fn t6_6_the_rest_of_the_step_is_skipped_and_recorded() {
    judge_async("6.6", "calls that are not made are recorded as skipped", || async {
        let step = calls(&["work", "break", "guarded", "fail", "work", "fail"]);
        let played = play(&mut Plan::new([step, answer("never")])).await?;
        let whole = vec![
            Entry::Call(plain("work")),
            said("fine"),
            Entry::Call(plain("break")),
            Entry::ToolExecutionFailed,
            Entry::Skipped(plain("guarded")),
            Entry::Skipped(plain("fail")),
            Entry::Skipped(plain("work")),
            Entry::Skipped(plain("fail")),
        ];
        same(whole, played.talk)
            .given("calls of work, break and four more; the way to break is broken")
            .likely(
                "each call needs an entry, in order, or the next turn starts askew",
            )?;
        reads(
            &played.diary,
            &[
                "seen: work({})",
                "work runs with {}",
                "work is done",
                "seen: fine",
                "seen: break({})",
                "break runs with {}",
                "seen: tool execution failed",
                "seen: skipped: guarded({})",
                "seen: skipped: fail({})",
                "seen: skipped: work({})",
                "seen: skipped: fail({})",
            ],
        )
        .given("the same calls: what happened")
        .likely("what is skipped neither runs nor asks, and is seen like all else")
    });
}

#[test]
fn t6_6_a_user_who_stops_a_call_ends_the_turn() {
    judge_async("6.6", "a stopped call is dropped, the rest is skipped", || async {
        let mut plan = Plan::new([calls(&["hang", "work"]), answer("never")]);
        let setting = Setting { max_steps: 8, user: after_looks(5) };
        let played = play_with(&mut plan, setting).await?;
        same(Err(TurnError::Call(CallError::Cancelled)), played.result)
            .given("a call that never ends, and a user who has had enough")
            .likely("a call is work that can be stopped: task 6.3")?;
        reads(
            &played.diary,
            &[
                "seen: hang({})",
                "hang runs with {}",
                "hang is dropped",
                "seen: cancelled by the user",
                "seen: skipped: work({})",
            ],
        )
        .likely("cancelled, not failed; and the call is dropped before it is recorded")
    });
}

#[test]
fn t6_6_the_same_conversation_goes_on_in_the_next_turn() {
    judge_async("6.6", "after an error the conversation is whole", || async {
        let diary = Diary::default();
        let (tools, gate) = (fakes(&diary)?, Asked(diary.clone()));
        let mut plan =
            Plan::new([calls(&["break", "work"]), calls(&["work"]), answer("ok")]);
        let mut talk = vec![Entry::User("Go!".into())];
        for again in ["Again!", ""] {
            let turn = Turn::new(&tools, &gate);
            let _ = done(turn.run(&mut plan, &mut talk, &mut |_| {})).await?;
            talk.push(Entry::User(again.into()));
        }
        let read: Vec<_> = talk.iter().map(Entry::text).collect();
        let whole = [
            "Go!",
            "break({})",
            "tool execution failed",
            "skipped: work({})",
            "Again!",
            "work({})",
            "fine",
            "ok",
            "",
        ];
        holds(read == whole, whole.join("\n"), Lines(read.join("\n")))
            .given("a turn that breaks off, and another one with the same conversation")
            .likely("what was recorded before the error stays, and nothing is missing")
    });
}
