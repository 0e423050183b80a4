//! The course's client with the small servers of the four SDKs.
//!
//! All four have the same tools, so a test holds for each of them; where they differ,
//! [`SERVERS`] says how, as measured.

use crate::{
    connection::texts,
    harness::Test,
    small_servers::{SERVERS, Server, Unknown},
};
use mcp_from_scratch::{
    client::ClientError,
    protocol::{LATEST, VERSIONS},
};
use serde_json::{Value, json};
use std::time::Duration;

pub fn tests() -> Vec<Test> {
    SERVERS.iter().flat_map(of_one).collect()
}

fn of_one(server: &'static Server) -> Vec<Test> {
    macro_rules! tests {
        ($($name:ident)*) => { vec![$({
            let name = format!("our_client::{}::{}", server.name, stringify!($name));
            Test::new(name, server.packages, || crate::block_on($name(server)))
        }),*] };
    }
    tests! {
        every_revision_that_we_offer_is_agreed_on
        an_unknown_revision_is_answered_with_one_that_we_speak
        the_tools_are_listed_with_their_schemas
        text_comes_back_as_it_was
        a_failing_tool_is_data
        bad_arguments_are_data
        an_unknown_tool_is_what_this_sdk_makes_of_it
        a_ping_is_answered
        answers_may_overtake_each_other
        its_pings_during_a_call_are_answered_whatever_their_ids
        its_request_that_we_do_not_know_is_refused
        it_ends_with_its_input_and_leaves_nothing
    }
}

async fn every_revision_that_we_offer_is_agreed_on(server: &Server) {
    for version in VERSIONS {
        let server = server.start();
        let hello = server.client.initialize(version).await.expect("an answer");
        assert_eq!(version, hello.version);
        assert!(hello.has_tools);
        server.client.initialized().await.expect("sent");
        server.client.ping().await.expect("it takes the notification");
        // No server here minds if it never comes, so nobody else would notice.
        let sent = server.sent();
        let methods: Vec<_> = sent.iter().map(|frame| &frame["method"]).collect();
        assert_eq!(["initialize", "notifications/initialized", "ping"], methods[..]);
        server.end().await;
    }
}

async fn an_unknown_revision_is_answered_with_one_that_we_speak(server: &Server) {
    let server = server.start();
    let hello = server.client.initialize("1999-01-01").await.expect("no error");
    assert_eq!(LATEST, hello.version, "all four offer the same");
    server.end().await;
}

async fn the_tools_are_listed_with_their_schemas(server: &Server) {
    let server = server.ready().await;
    let tools = server.client.list_tools().await.expect("a list");
    let mut names: Vec<_> =
        tools.iter().map(|tool| tool["name"].as_str().expect("a name")).collect();
    names.sort_unstable(); // rmcp sorts them, the others keep the order of the program
    assert_eq!(["ask_roots", "echo", "fail", "ping_back", "wait"], names[..]);
    let echo = tools.iter().find(|tool| tool["name"] == "echo").expect("found");
    let schema = &echo["inputSchema"];
    assert_eq!(
        (&json!("object"), &json!("string"), &json!(["text"])),
        (&schema["type"], &schema["properties"]["text"]["type"], &schema["required"])
    );
    server.end().await;
}

async fn text_comes_back_as_it_was(server: &Server) {
    let server = server.ready().await;
    // A raw newline would end the frame; U+2028 is a line end to some readers only.
    for text in ["你好", "two\nlines\r\n", "\u{2028}\u{0}\"\\", "🦀"] {
        let outcome = server.call("echo", json!({ "text": text })).await;
        let outcome = outcome.expect("a result");
        assert_eq!((vec![text], false), (texts(&outcome), outcome.is_error));
    }
    server.end().await;
}

async fn a_failing_tool_is_data(server: &Server) {
    let connected = server.ready().await;
    let outcome = connected.call("fail", json!({})).await.expect("a result");
    assert_eq!((vec![server.failure], true), (texts(&outcome), outcome.is_error));
    connected.end().await;
}

/// SEP-1303: so that the model can mend its call.
async fn bad_arguments_are_data(server: &Server) {
    let connected = server.ready().await;
    let outcome = connected.call("echo", json!({ "text": 5 })).await;
    let outcome = outcome.expect("a result");
    assert!(outcome.is_error);
    let text = texts(&outcome).concat();
    assert!(text.contains(server.bad_argument), "{text}");
    connected.end().await;
}

async fn an_unknown_tool_is_what_this_sdk_makes_of_it(server: &Server) {
    let connected = server.ready().await;
    let result = connected.call("no_such_tool", json!({})).await;
    match (&server.unknown_tool, result) {
        (Unknown::InvalidParams, Err(ClientError::Server(error))) => {
            assert_eq!(-32602, error.code, "{error}");
        }
        (Unknown::Text(text), Ok(outcome)) => {
            assert_eq!((vec![*text], true), (texts(&outcome), outcome.is_error));
        }
        (_, other) => panic!("it answers otherwise: {other:?}"),
    }
    connected.end().await;
}

async fn a_ping_is_answered(server: &Server) {
    let server = server.ready().await;
    server.client.ping().await.expect("a pong");
    server.end().await;
}

async fn answers_may_overtake_each_other(server: &Server) {
    let server = server.ready().await;
    let (slow, fast) = tokio::join!(
        server.call("wait", json!({ "ms": 700 })),
        server.call("echo", json!({ "text": "fast" })),
    );
    assert_eq!(vec!["700"], texts(&slow.expect("a result")));
    assert_eq!(vec!["fast"], texts(&fast.expect("a result")));
    let answers: Vec<_> = server
        .received()
        .into_iter()
        .filter_map(|frame| frame["id"].as_i64())
        .collect();
    assert_eq!([1, 3, 2], answers[..], "`wait` was asked before `echo`");
    server.end().await;
}

/// Its ids run into ours: one of them is the id of the very call that waits.
async fn its_pings_during_a_call_are_answered_whatever_their_ids(server: &Server) {
    let connected = server.ready().await;
    let outcome = connected.call("ping_back", json!({ "times": 4 })).await;
    assert_eq!(vec!["4 pongs"], texts(&outcome.expect("our call id is 2")));
    let ids: Vec<i64> = (server.first_id..).take(4).collect();
    assert!(ids.contains(&2));
    let pings = connected.received().into_iter().filter(|it| it["method"] == "ping");
    assert_eq!(ids, pings.filter_map(|ping| ping["id"].as_i64()).collect::<Vec<_>>());
    let pongs = connected.sent().into_iter().filter(|it| it["result"] == json!({}));
    assert_eq!(ids, pongs.filter_map(|pong| pong["id"].as_i64()).collect::<Vec<_>>());
    connected.end().await;
}

async fn its_request_that_we_do_not_know_is_refused(server: &Server) {
    let connected = server.ready().await;
    let outcome = connected.call("ask_roots", json!({})).await.expect("a result");
    assert_eq!(vec!["-32601"], texts(&outcome));
    let is_refusal = |frame: &&Value| frame["error"]["code"] == -32601;
    let sent = connected.sent();
    let refusal = sent.iter().find(is_refusal).expect("our answer");
    assert_eq!(json!(server.first_id), refusal["id"]);
    connected.end().await;
}

async fn it_ends_with_its_input_and_leaves_nothing(server: &Server) {
    let connected = server.ready().await;
    assert!(connected.runs(), "the mark finds it");
    connected.call("echo", json!({ "text": "bye" })).await.expect("a result");
    let time = connected.end().await;
    // Far below the step after which it would get SIGTERM.
    assert!(time < Duration::from_secs(5), "{time:?}");
}
