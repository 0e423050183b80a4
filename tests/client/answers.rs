//! Whose answer is whose, and what a bad one costs.

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
        let request = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":40}}}"#;
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
                r#"{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#
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
                r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32000,"message":"boom","data":{"k":[1]}}}"#
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

/// Cases J04, J08, J13, J25: each is noted, and none of them answers request 2.
#[test]
fn an_answer_that_nobody_waits_for_is_noted() {
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":999,"result":{}}"#,
            "an answer that nobody waits for, id 999",
        ),
        (
            r#"{"jsonrpc":"2.0","id":"2","result":{"wrong":1}}"#,
            r#"an answer that nobody waits for, id "2""#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":998,"error":{"code":1,"message":"x"}}"#,
            "an answer that nobody waits for, id 998",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            "an answer that nobody waits for, id 1",
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
            "the server could not read us: error -32700: Parse error",
        ),
        (
            r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"bad"}}"#,
            "the server could not read us: error -32600: bad",
        ),
        (
            r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
            "no message: a result needs the `id` of its request",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2.0,"result":{}}"#,
            "no message: `id` must be a string or an integer, got 2.0",
        ),
    ];
    run(async move {
        let (client, mut peer, mut notes) = ready().await;
        let script = async {
            peer.expect(ping(2)).await;
            for (line, _) in cases {
                peer.say(line).await;
            }
            for (_, note) in cases {
                assert_eq!(note, notes.next().await);
            }
            assert_eq!(1, client.pending());
            peer.say(empty(2)).await;
            peer.answer(ping(3), empty(3)).await;
        };
        let calls = async {
            client.ping().await.expect("its own answer");
            client.ping().await.expect("nothing was sent for the noise");
        };
        tokio::join!(calls, script);
    });
}

/// Cases J11, J20: the id can still be read, so only that call fails.
#[test]
fn a_malformed_answer_fails_its_own_call_only() {
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":2,"result":{}{}}}"#,
        r#"{"a":"#.repeat(1000),
        "1".to_owned() + &"}".repeat(1000)
    );
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"cut \ud83d"}]}}"#,
            "`result` cannot be read: ",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"x"}}"#,
            "has both a `result` and an `error`",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":null}"#,
            "a result must be an object, got null",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":[]}"#,
            "a result must be an object, got []",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"error":"boom"}"#,
            "`error` must be an object, got a string",
        ),
        (
            r#"{"jsonrpc":"1.0","id":2,"result":{}}"#,
            r#"`jsonrpc` must be "2.0", got "1.0""#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{"content":"text"}}"#,
            "`content` must be an array, got \"text\"",
        ),
        (deep.as_str(), "`result` cannot be read: recursion limit exceeded"),
    ];
    for (answer, reason) in cases.map(|(answer, reason)| (answer.to_owned(), reason)) {
        run(async move {
            let (client, mut peer, _) = ready().await;
            let script = async {
                peer.expect(call(2)).await;
                peer.expect(ping(3)).await;
                peer.say(&answer).await;
                peer.say(empty(3)).await;
            };
            let call = client.call_tool("t", Map::new());
            let (failed, other, ()) = tokio::join!(call, client.ping(), script);
            let failed = failed.expect_err("malformed").to_string();
            let expected = format!("malformed answer to `tools/call`: {reason}");
            assert!(failed.starts_with(&expected), "{failed}");
            other.expect("the other call lives");
            assert_eq!(0, client.pending());
        });
    }
}

/// Case J11: a null member beside a non-null one counts as absent.
#[test]
fn a_null_beside_the_outcome_does_not_matter() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.expect(ping(2)).await;
            peer.say(r#"{"jsonrpc":"2.0","id":2,"result":{"a":1},"error":null}"#).await;
            let error = r#"{"jsonrpc":"2.0","id":3,"result":null,"error":{"code":-32000,"message":"x"}}"#;
            peer.answer(ping(3), error).await;
        };
        let calls = async {
            client.ping().await.expect("a result");
            let error = client.ping().await.expect_err("an error").to_string();
            assert_eq!("the server answered with error -32000: x", error);
        };
        tokio::join!(calls, script);
    });
}

/// Case N16: a partial line lives in the reader, whatever else goes on meanwhile.
#[test]
fn half_a_line_then_a_pause_then_the_rest_is_one_answer() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let answer = text(2, "你好");
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
