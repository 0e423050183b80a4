//! The turn loop with a model from a list and tools in this process.

#[path = "../common/limit.rs"]
mod limit;
#[path = "../common/plan.rs"]
mod plan;
#[path = "../common/scripted.rs"]
mod scripted;

mod broken;

use limit::run;
use mcp_from_scratch::{
    agent::{
        Entry, MAX_STEPS, Model, ScriptedModel, Step, Turn, TurnError,
        run_until_cancelled,
    },
    local_tools,
    registry::{CallError, deny_all},
    tool::BoxFuture,
};
use plan::{Plan, call};
use serde_json::Value;

fn calls(names: &[&str]) -> Step {
    Step::Calls(names.iter().map(|name| call(name, "{}")).collect())
}

fn said(text: &str) -> Entry {
    Entry::Observation(text.into())
}

fn answer(text: &str) -> Step {
    Step::Answer(text.into())
}

/// Runs a turn; the conversation so far, and what `seen` saw, which must be the same.
async fn play(
    turn: Turn<'_>,
    model: &mut dyn Model,
) -> (Result<String, TurnError>, Vec<Entry>) {
    let mut talk = vec![Entry::User("Go!".into())];
    let mut seen = Vec::new();
    let result = turn.run(model, &mut talk, &mut |e| seen.push(e.clone())).await;
    assert_eq!(talk[1..], seen[..], "what was seen, in this order");
    (result, seen)
}

async fn local(plan: &mut dyn Model) -> (Result<String, TurnError>, Vec<Entry>) {
    let registry = local_tools::registry("/nowhere");
    play(Turn::new(&registry, &deny_all), plan).await
}

#[test]
fn an_answer_ends_the_turn_and_is_its_result() {
    run(async {
        let (result, talk) = local(&mut Plan::new([answer("hello")])).await;
        assert_eq!(Ok("hello".into()), result);
        assert_eq!([Entry::Answer("hello".into())], talk[..]);
    });
}

#[test]
fn the_model_sees_the_tools_and_at_each_step_all_that_was_said() {
    run(async {
        let add = call("add", r#"{"a":2,"b":40}"#);
        let mut plan = Plan::new([Step::Calls(vec![add.clone()]), answer("42!")]);
        let registry = local_tools::registry("/nowhere");
        let turn = Turn::new(&registry, &deny_all);
        let (result, _) = play(turn, &mut plan).await;
        assert_eq!(Ok("42!".into()), result);
        assert_eq!(registry.model_tools(), plan.tools);
        let user = Entry::User("Go!".into());
        let second = vec![user.clone(), Entry::Call(add), said("42")];
        assert_eq!([vec![user], second], plan.shown[..]);
    });
}

#[test]
fn the_calls_of_one_step_run_in_their_order() {
    run(async {
        let (two, three) =
            (call("add", r#"{"a":1,"b":1}"#), call("add", r#"{"a":1,"b":2}"#));
        let steps = [Step::Calls(vec![two.clone(), three.clone()]), answer("ok")];
        let (result, talk) = local(&mut Plan::new(steps)).await;
        assert_eq!(Ok("ok".into()), result);
        let whole = [
            Entry::Call(two),
            said("2"),
            Entry::Call(three),
            said("3"),
            Entry::Answer("ok".into()),
        ];
        assert_eq!(whole, talk[..]);
    });
}

#[test]
fn failed_tools_refusals_and_unknown_names_are_read_and_the_loop_goes_on() {
    run(async {
        let steps = [calls(&["add", "delete_file", "nope"]), answer("I see")];
        let (result, talk) = local(&mut Plan::new(steps)).await;
        assert_eq!(Ok("I see".into()), result);
        let whole = [
            Entry::Call(call("add", "{}")),
            said("argument `a` is missing"),
            Entry::Call(call("delete_file", "{}")),
            said("refused: the user did not allow this call of `delete_file`"),
            Entry::Call(call("nope", "{}")),
            said("there is no tool `nope`"),
            Entry::Answer("I see".into()),
        ];
        assert_eq!(whole, talk[..]);
    });
}

#[test]
fn a_model_without_an_end_is_stopped_at_the_limit() {
    run(async {
        let registry = local_tools::registry("/nowhere");
        for limit in [0, 1, 3] {
            let mut plan = Plan::new((0..limit).map(|_| calls(&["nope"])));
            let mut turn = Turn::new(&registry, &deny_all);
            turn.max_steps = limit;
            let (result, talk) = play(turn, &mut plan).await;
            assert_eq!(Err(TurnError::TooManySteps(limit)), result);
            assert_eq!(limit, plan.shown.len());
            assert_eq!(2 * limit, talk.len(), "each call has its observation");
        }
        let said = TurnError::TooManySteps(3).to_string();
        assert_eq!("no answer after 3 steps", said);
    });
}

#[test]
fn an_answer_at_the_last_step_counts() {
    run(async {
        let mut steps: Vec<_> = (1..MAX_STEPS).map(|_| calls(&["nope"])).collect();
        steps.push(answer("at last"));
        assert_eq!(8, steps.len());
        let (result, _) = local(&mut Plan::new(steps)).await;
        assert_eq!(Ok("at last".into()), result);
        let too_many = (0..=MAX_STEPS).map(|_| calls(&["nope"]));
        let (result, _) = local(&mut Plan::new(too_many)).await;
        assert_eq!(Err(TurnError::TooManySteps(8)), result);
    });
}

#[test]
fn a_model_that_asks_for_nothing_is_stopped_too() {
    run(async {
        let (result, talk) = local(&mut Plan::new((0..8).map(|_| calls(&[])))).await;
        assert_eq!(Err(TurnError::TooManySteps(8)), result);
        assert_eq!(Vec::<Entry>::new(), talk);
    });
}

#[test]
fn the_scripted_model_answers_with_what_it_read() {
    run(async {
        let wanted = call("echo", r#"{"text":"a"}"#);
        let mut model = ScriptedModel::calling("echo", wanted.arguments.clone());
        let mut talk = vec![Entry::User("Go!".into())];
        let asked = model.next(&talk, &[]).await;
        assert_eq!(Ok(Step::Calls(vec![wanted.clone()])), asked);
        talk.push(Entry::Call(wanted));
        for text in ["a", "something else", ""] {
            talk.push(said(text));
            let said = model.next(&talk, &[]).await;
            assert_eq!(Ok(answer(&format!("echo 工具返回了：{text}"))), said);
        }
    });
}

/// A model behind a network that fails, or never comes back.
struct Remote(Option<&'static str>);

impl Model for Remote {
    fn next<'a>(
        &'a mut self,
        _: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, String>> {
        let failure = self.0.take();
        Box::pin(async move {
            match failure {
                Some(text) => Err(text.into()),
                None => std::future::pending().await,
            }
        })
    }
}

#[test]
fn a_model_that_fails_ends_the_turn_and_the_caller_learns_why() {
    run(async {
        let (result, talk) = local(&mut Remote(Some("overloaded"))).await;
        assert_eq!(Err(TurnError::Model("overloaded".into())), result);
        assert_eq!(Vec::<Entry>::new(), talk);
    });
}

#[test]
fn a_model_that_thinks_for_ever_can_be_cancelled() {
    run(async {
        let registry = local_tools::registry("/nowhere");
        let mut turn = Turn::new(&registry, &deny_all);
        turn.cancelled = Box::pin(async {});
        let (result, _) = play(turn, &mut Remote(None)).await;
        assert_eq!(Err(TurnError::Call(CallError::Cancelled)), result);
    });
}

/// Polling a call for the first time may send it.
#[test]
fn after_the_user_has_had_enough_no_work_begins() {
    run(async {
        let mut begun = false;
        let work = async { begun = true };
        let result = run_until_cancelled(work, &mut std::future::ready(())).await;
        assert_eq!(Err(CallError::Cancelled), result);
        assert!(!begun);
    });
}

#[test]
fn the_scripted_models_turn_ends_with_what_the_tool_said() {
    run(async {
        let arguments = call("add", r#"{"a":2,"b":40}"#).arguments;
        let (result, _) = local(&mut ScriptedModel::calling("add", arguments)).await;
        assert_eq!(Ok("add 工具返回了：42".into()), result);
    });
}
