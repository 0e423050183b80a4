//! Whose answer is whose, and what its caller gets.

use crate::{limit::run, peer::*};
use mcp_from_scratch::client::ClientError;
use serde_json::{Map, Value, json};
use std::time::Duration;

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn a_call_carries_the_next_id_and_brings_back_the_result() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call",
            "params":{"name":"add","arguments":{"a":2,"b":40}}}"#;
        let (outcome, ()) = tokio::join!(
            client.call_tool("add", object(json!({"a": 2, "b": 40}))),
            peer.answer(request, text(2, "42"))
        );
        let outcome = outcome.expect("a result");
        assert_eq!(vec![json!({"type": "text", "text": "42"})], outcome.content);
        assert!(!outcome.is_error);
    });
}

#[test]
fn answers_may_come_in_any_order() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            for id in 2..=4 {
                peer.expect(call(id)).await;
            }
            for id in [4, 2, 3] {
                peer.say(text(id, &format!("answer {id}"))).await;
            }
        };
        let call = || client.call_tool("t", Map::new());
        let (a, b, c, ()) = tokio::join!(call(), call(), call(), script);
        for (id, outcome) in (2..).zip([a, b, c]) {
            let outcome = outcome.expect("a result");
            assert_eq!(json!(format!("answer {id}")), outcome.content[0]["text"]);
        }
    });
}

#[test]
fn a_hundred_calls_in_flight_are_answered_in_reverse() {
    run(async {
        let (client, mut peer, notes) = ready().await;
        let mut calls = tokio::task::JoinSet::new();
        for _ in 0..100 {
            let client = client.clone();
            calls.spawn(async move { client.call_tool("t", Map::new()).await });
        }
        for id in 2..=101 {
            peer.expect(call(id)).await;
        }
        assert_eq!(100, client.pending());
        for id in (2..=101).rev() {
            peer.say(text(id, &id.to_string())).await;
        }
        let mut texts: Vec<u32> = Vec::new();
        for outcome in calls.join_all().await {
            let content = outcome.expect("a result").content;
            let text = content[0]["text"].as_str().expect("a text");
            texts.push(text.parse().expect("a number"));
        }
        texts.sort();
        assert_eq!((2..=101).collect::<Vec<_>>(), texts);
        assert_eq!(0, client.pending());
        drop(notes);
    });
}

/// Case T20: three outcomes, which the caller can tell apart.
#[test]
fn a_failed_tool_is_a_result_and_a_protocol_error_is_not() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let (failed, ()) = tokio::join!(
            client.call_tool("t", Map::new()),
            peer.answer(
                call(2),
                r#"{"jsonrpc":"2.0","id":2,"result":{
                    "isError":true,"content":[{"type":"text","text":"disk full"}]}}"#
            )
        );
        let failed = failed.expect("a failed tool is a result");
        assert_eq!(
            (true, &json!("disk full")),
            (failed.is_error, &failed.content[0]["text"])
        );
        let (error, ()) = tokio::join!(
            client.call_tool("t", Map::new()),
            peer.answer(
                call(3),
                r#"{"jsonrpc":"2.0","id":3,
                    "error":{"code":-32000,"message":"boom","data":{"k":[1]}}}"#
            )
        );
        match error {
            Err(ClientError::Server(error)) => {
                assert_eq!((-32000, "boom"), (error.code, &*error.message));
                assert_eq!(Some(json!({"k": [1]})), error.data);
            }
            other => panic!("expected a protocol error, got {other:?}"),
        }
        let (pong, ()) = tokio::join!(client.ping(), peer.answer(ping(4), empty(4)));
        pong.expect("the connection stays");
    });
}

/// Case T14: what a server leaves out is not missed.
#[test]
fn content_and_is_error_may_be_missing() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let (outcome, ()) = tokio::join!(
            client.call_tool("t", Map::new()),
            peer.answer(call(2), empty(2))
        );
        let outcome = outcome.expect("an empty success");
        assert_eq!((0, false), (outcome.content.len(), outcome.is_error));
    });
}

/// Case N16: a partial line lives in the reader, whatever else goes on meanwhile.
#[test]
fn half_a_line_then_a_pause_then_the_rest_is_one_answer() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let answer = one_line(text(2, "你好"));
        let half = answer.find("你").expect("it is there") + 1; // inside the character
        let script = async {
            peer.expect(call(2)).await;
            peer.write(&answer.as_bytes()[..half]).await;
            // The client reads and sends in between.
            peer.expect(call(3)).await;
            tokio::time::sleep(Duration::from_millis(20)).await;
            peer.write(&answer.as_bytes()[half..]).await;
            peer.write(b"\n").await;
            peer.say(empty(3)).await;
        };
        let call = || client.call_tool("t", Map::new());
        let later = async {
            tokio::task::yield_now().await;
            call().await
        };
        let (outcome, later, ()) = tokio::join!(call(), later, script);
        assert_eq!(json!("你好"), outcome.expect("a result").content[0]["text"]);
        later.expect("a result");
    });
}
