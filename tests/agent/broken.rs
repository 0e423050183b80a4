//! Turns that a broken way to a tool ends, and what is left of the conversation.

use crate::{
    answer, calls,
    limit::run,
    plan::{Plan, call},
    play, said,
    scripted::{Answer, connect},
};
use mcp_from_scratch::{
    agent::{Entry, Turn, TurnError},
    bridge::{Options, register_mcp_tools},
    registry::{CallError, ToolRegistry, deny_all},
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
            "tool execution failed: the server answered with error -32603: boom";
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
fn cancelling_drops_the_call_tells_the_server_and_skips_the_rest() {
    run(async {
        let mut server = connect(TOOLS, script).await;
        let client = server.client.clone();
        let mut registry = ToolRegistry::new();
        let options = Options::default();
        register_mcp_tools(&mut registry, &client, &options).await.expect("tools");
        let mut turn = Turn::new(&registry, &deny_all);
        turn.cancelled = Box::pin(async {
            server.hears().await; // The server has the call: now the user has had enough.
        });
        let mut plan = Plan::new([calls(&["hang", "work"])]);
        let (result, talk) = play(turn, &mut plan).await;
        assert_eq!(Err(TurnError::Call(CallError::Cancelled)), result);
        let whole = [
            Entry::Call(call("hang", "{}")),
            Entry::Cancelled,
            Entry::Skipped(call("work", "{}")),
        ];
        assert_eq!(whole, talk[..]);
        assert_eq!(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"the caller gave up"}}"#,
            server.hears().await
        );
        assert_eq!(0, client.pending());
    });
}

/// The next turn starts from a conversation in which nothing dangles.
#[test]
fn after_an_error_the_same_conversation_goes_on() {
    run(async {
        let server = connect(TOOLS, script).await;
        let mut registry = ToolRegistry::new();
        let options = Options::default();
        register_mcp_tools(&mut registry, &server.client, &options)
            .await
            .expect("tools");
        let mut talk = vec![Entry::User("Go!".into())];
        let mut plan = Plan::new([calls(&["break"]), calls(&["work"]), answer("done")]);
        let turn = Turn::new(&registry, &deny_all);
        turn.run(&mut plan, &mut talk, &mut |_| {}).await.expect_err("broken");
        talk.push(Entry::User("Again!".into()));
        let turn = Turn::new(&registry, &deny_all);
        let result = turn.run(&mut plan, &mut talk, &mut |_| {}).await;
        assert_eq!(Ok("done".into()), result);
        let read: Vec<_> = talk.iter().map(Entry::text).collect();
        let whole = [
            "Go!",
            "break({})",
            "tool execution failed",
            "Again!",
            "work({})",
            "fine",
            "done",
        ];
        assert_eq!(whole, read[..]);
    });
}
