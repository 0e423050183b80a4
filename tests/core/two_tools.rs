//! The example with two tools, from a client's side.

#[allow(dead_code)] // Its `main` is not started here.
#[path = "../../examples/two_tools.rs"]
mod example;

use crate::common::limit::run;
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    tool::ToolResult,
    transport::{Transport, silent},
};
use serde_json::{Value, json};

/// A client whose handshake with the example's server is done.
async fn client() -> Client {
    let (ours, theirs) = Transport::pair(silent());
    let server = example::server().expect("two names");
    tokio::spawn(async move { server.serve(theirs).await });
    let client = Client::over(ours, ClientConfig::default());
    client.handshake().await.expect("the example shakes hands");
    client
}

async fn random_number(client: &Client, arguments: Value) -> ToolResult {
    let call = client
        .call_tool("random_number", arguments.as_object().cloned().expect("an object"));
    call.await.expect("a tool that fails is a result, too")
}

#[test]
fn both_tools_are_discovered() {
    run(async {
        let tools = client().await.list_tools().await.expect("a list");
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str()).collect();
        assert_eq!([Some("echo"), Some("random_number")], names[..]);
    });
}

#[test]
fn a_die_shows_each_of_its_sides_and_no_other() {
    run(async {
        let client = client().await;
        let mut seen = std::collections::BTreeSet::new();
        // That one of six sides stays away 600 times has a chance of 2 in 10^47.
        for _ in 0..600 {
            let outcome = random_number(&client, json!({"min": -1, "max": 4})).await;
            seen.insert(outcome.content[0]["text"].to_string());
        }
        let sides = ["\"-1\"", "\"0\"", "\"1\"", "\"2\"", "\"3\"", "\"4\""];
        assert_eq!(sides, seen.iter().map(String::as_str).collect::<Vec<_>>()[..]);
    });
}

#[test]
fn the_widest_range_is_one_like_any_other() {
    run(async {
        let client = client().await;
        let all = json!({"min": i64::MIN, "max": i64::MAX});
        let outcome = random_number(&client, all).await;
        assert!(!outcome.is_error, "{outcome:?}");
        let one = json!({"min": i64::MAX, "max": i64::MAX});
        let expected = ToolResult::text("9223372036854775807");
        assert_eq!(expected, random_number(&client, one).await);
    });
}

#[test]
fn what_cannot_be_rolled_is_a_failed_tool_that_says_why() {
    run(async {
        let client = client().await;
        for (text, arguments) in [
            ("argument `max` is missing", json!({"min": 1})),
            ("`min` must not be above `max`", json!({"min": 2, "max": 1})),
            (
                "argument `min`: invalid type: string \"1\", expected i64",
                json!({"min": "1", "max": 6}),
            ),
        ] {
            let outcome = random_number(&client, arguments).await;
            assert_eq!(ToolResult::failure(text), outcome);
        }
    });
}
