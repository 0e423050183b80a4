//! The turn loop over a connection, and what the graders of exercise 6 leave open.

use crate::common::{
    limit::run,
    plan::{Plan, call},
    scripted::{Answer, connect},
};
use mcp_from_scratch::{
    agent::{Entry, MAX_STEPS, Step, Turn, TurnError},
    bridge::{Options, register_mcp_tools},
    registry::{ToolRegistry, deny_all},
};

const FINE: &str =
    r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}"#;
const BOOM: &str =
    r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"boom"}}"#;
const TOOLS: &str = r#"[{"name":"work","inputSchema":{}},{"name":"break","inputSchema":{}},{"name":"hang","inputSchema":{}}]"#;

fn script(name: &str) -> Answer {
    match name {
        "work" => Answer::Line(FINE),
        "break" => Answer::Line(BOOM),
        _ => Answer::Silence,
    }
}

fn calls(names: &[&str]) -> Step {
    Step::Calls(names.iter().map(|name| call(name, "{}")).collect())
}

fn said(text: &str) -> Entry {
    Entry::Observation(text.into())
}

fn answer(text: &str) -> Step {
    Step::Answer(text.into())
}

/// Runs a turn; returns its result and what was added to the conversation.
async fn play(
    turn: Turn<'_>,
    model: &mut Plan,
) -> (Result<String, TurnError>, Vec<Entry>) {
    let mut talk = vec![Entry::User("Go!".into())];
    let result = turn.run(model, &mut talk, &mut |_| {}).await;
    (result, talk.split_off(1))
}

// ANCHOR: skipped
#[test]
fn after_a_broken_call_the_rest_of_the_step_is_skipped_and_recorded() {
    run(async {
        let mut server = connect(TOOLS, script).await;
        let mut registry = ToolRegistry::new();
        let options = Options::default();
        register_mcp_tools(&mut registry, &server.client, &options)
            .await
            .expect("tools");
        let steps = [calls(&["work", "break", "work", "hang"]), answer("never")];
        let mut plan = Plan::new(steps);
        let turn = Turn::new(&registry, &deny_all);
        let (result, talk) = play(turn, &mut plan).await;
        let cause =
            "tool execution failed: the server responded with error -32603: boom";
        assert_eq!(cause, result.expect_err("broken").to_string());
        let whole = [
            Entry::Call(call("work", "{}")),
            said("fine"),
            Entry::Call(call("break", "{}")),
            Entry::ToolExecutionFailed,
            Entry::Skipped(call("work", "{}")),
            Entry::Skipped(call("hang", "{}")),
        ];
        assert_eq!(whole, talk[..]);
        assert_eq!(1, plan.shown.len(), "the model is not asked again");
        assert_eq!(2, server.heard().len(), "what is skipped is not sent");
        let read: Vec<_> = talk[3..].iter().map(Entry::text).collect();
        let skipped =
            ["tool execution failed", "skipped: work({})", "skipped: hang({})"];
        assert_eq!(skipped, read[..]);
    });
}
// ANCHOR_END: skipped

#[test]
fn a_turn_has_eight_steps_by_default_and_an_answer_at_the_last_one_counts() {
    run(async {
        let registry = ToolRegistry::new();
        let mut steps: Vec<_> = (1..MAX_STEPS).map(|_| calls(&["nope"])).collect();
        steps.push(answer("at last"));
        assert_eq!(8, steps.len());
        let turn = Turn::new(&registry, &deny_all);
        let (result, _) = play(turn, &mut Plan::new(steps)).await;
        assert_eq!(Ok("at last".into()), result);
        let mut too_many = Plan::new((0..=MAX_STEPS).map(|_| calls(&["nope"])));
        let turn = Turn::new(&registry, &deny_all);
        let (result, _) = play(turn, &mut too_many).await;
        assert_eq!("no answer after 8 steps", result.expect_err("eight").to_string());
    });
}
