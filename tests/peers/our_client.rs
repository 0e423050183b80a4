//! The course's client with the small servers of the four SDKs.
//!
//! All four have the same tools, so each test runs with each of them. [`SERVERS`] lists
//! the measured differences.

use crate::{
    connection::texts,
    installed::trial,
    small_servers::{SERVERS, Server, Unknown},
};
use libtest_mimic::Trial;
use mcp_from_scratch::{
    client::ClientError,
    protocol::{LATEST, VERSIONS},
};
use serde_json::{Value, json};

pub fn trials() -> Vec<Trial> {
    SERVERS.iter().flat_map(of_one).collect()
}

fn of_one(server: &'static Server) -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident)*) => { vec![$({
            let name = format!("our_client::{}::{}", server.name, stringify!($name));
            trial(name, server.packages, || crate::block_on($name(server)))
        }),*] };
    }
    trials! {
        it_agrees_on_every_revision_that_we_offer
        it_counters_an_unknown_revision_with_one_that_we_support
        it_lists_the_tools_with_their_schemas
        it_returns_text_unchanged
        a_failed_tool_is_data
        invalid_arguments_are_data
        an_unknown_tool_fails_as_this_sdk_has_it
        it_responds_to_ping
        its_responses_may_overtake_each_other
        we_respond_to_its_pings_during_a_call_with_any_ids
        we_refuse_its_unknown_request
        it_exits_at_the_end_of_input_and_leaves_no_process
    }
}

async fn it_agrees_on_every_revision_that_we_offer(server: &Server) {
    for version in VERSIONS {
        let server = server.start();
        let result = server.client.initialize(version).await.expect("a result");
        assert_eq!(version, result.version);
        assert!(result.capabilities.tools);
        server.client.initialized().await.expect("sent");
        server.client.ping().await.expect("it has read the notification");
        // No server here requires it, so no other test would fail without it.
        let sent = server.sent();
        let methods: Vec<_> = sent.iter().map(|frame| &frame["method"]).collect();
        assert_eq!(["initialize", "notifications/initialized", "ping"], methods[..]);
        server.end().await;
    }
}

async fn it_counters_an_unknown_revision_with_one_that_we_support(server: &Server) {
    let server = server.start();
    let result = server.client.initialize("1999-01-01").await.expect("a result");
    assert_eq!(LATEST, result.version, "all four name the same");
    server.end().await;
}

async fn it_lists_the_tools_with_their_schemas(server: &Server) {
    let server = server.ready().await;
    let tools = server.client.list_tools().await.expect("a list");
    let mut names: Vec<_> =
        tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    names.sort_unstable(); // rmcp sorts them
    assert_eq!(["ask_roots", "echo", "fail", "ping_back", "wait"], names[..]);
    let echo = tools.iter().find(|tool| tool["name"] == "echo").expect("found");
    let schema = &echo["inputSchema"];
    assert_eq!(
        (&json!("object"), &json!("string"), &json!(["text"])),
        (&schema["type"], &schema["properties"]["text"]["type"], &schema["required"])
    );
    server.end().await;
}

async fn it_returns_text_unchanged(server: &Server) {
    let server = server.ready().await;
    // A raw newline would end the frame; U+2028 ends a line for some readers only.
    for text in ["你好", "two\nlines\r\n", "\u{2028}\u{0}\"\\", "🦀"] {
        let result = server.call("echo", json!({ "text": text })).await;
        let result = result.expect("a result");
        assert_eq!((vec![text], false), (texts(&result), result.is_error));
    }
    server.end().await;
}

async fn a_failed_tool_is_data(server: &Server) {
    let connected = server.ready().await;
    let result = connected.call("fail", json!({})).await.expect("a result");
    assert_eq!((vec![server.failure], true), (texts(&result), result.is_error));
    connected.end().await;
}

/// SEP-1303: the model can then correct its call.
async fn invalid_arguments_are_data(server: &Server) {
    let connected = server.ready().await;
    let result = connected.call("echo", json!({ "text": 5 })).await;
    let result = result.expect("a result");
    assert!(result.is_error);
    let text = texts(&result).concat();
    assert!(text.contains(server.bad_argument), "{text}");
    connected.end().await;
}

async fn an_unknown_tool_fails_as_this_sdk_has_it(server: &Server) {
    let connected = server.ready().await;
    let result = connected.call("no_such_tool", json!({})).await;
    match (&server.unknown_tool, result) {
        (Unknown::InvalidParams, Err(ClientError::Rpc(error))) => {
            assert_eq!(-32602, error.code, "{error}");
        }
        (Unknown::Text(text), Ok(result)) => {
            assert_eq!((vec![*text], true), (texts(&result), result.is_error));
        }
        (_, other) => panic!("another result: {other:?}"),
    }
    connected.end().await;
}

async fn it_responds_to_ping(server: &Server) {
    let server = server.ready().await;
    server.client.ping().await.expect("a result");
    server.end().await;
}

async fn its_responses_may_overtake_each_other(server: &Server) {
    let server = server.ready().await;
    let (slow, fast) = tokio::join!(
        server.call("wait", json!({ "ms": 700 })),
        server.call("echo", json!({ "text": "fast" })),
    );
    assert_eq!(vec!["700"], texts(&slow.expect("a result")));
    assert_eq!(vec!["fast"], texts(&fast.expect("a result")));
    let responses: Vec<_> = server
        .received()
        .into_iter()
        .filter_map(|frame| frame["id"].as_i64())
        .collect();
    assert_eq!([1, 3, 2], responses[..], "`wait` was called before `echo`");
    server.end().await;
}

/// One of its ids equals the id of the call that is pending.
async fn we_respond_to_its_pings_during_a_call_with_any_ids(server: &Server) {
    let connected = server.ready().await;
    let result = connected.call("ping_back", json!({ "times": 4 })).await;
    assert_eq!(vec!["4 pongs"], texts(&result.expect("our call id is 2")));
    let ids: Vec<i64> = (server.first_id..).take(4).collect();
    assert!(ids.contains(&2));
    let pings = connected.received().into_iter().filter(|it| it["method"] == "ping");
    assert_eq!(ids, pings.filter_map(|ping| ping["id"].as_i64()).collect::<Vec<_>>());
    let pongs = connected.sent().into_iter().filter(|it| it["result"] == json!({}));
    assert_eq!(ids, pongs.filter_map(|pong| pong["id"].as_i64()).collect::<Vec<_>>());
    connected.end().await;
}

async fn we_refuse_its_unknown_request(server: &Server) {
    let connected = server.ready().await;
    let result = connected.call("ask_roots", json!({})).await.expect("a result");
    assert_eq!(vec!["-32601"], texts(&result));
    let is_refusal = |frame: &&Value| frame["error"]["code"] == -32601;
    let sent = connected.sent();
    let refusal = sent.iter().find(is_refusal).expect("our response");
    assert_eq!(json!(server.first_id), refusal["id"]);
    connected.end().await;
}

async fn it_exits_at_the_end_of_input_and_leaves_no_process(server: &Server) {
    let connected = server.ready().await;
    assert!(connected.runs(), "the mark finds it");
    connected.call("echo", json!({ "text": "bye" })).await.expect("a result");
    connected.end().await;
}
