//! Answers that nobody waits for, and answers that are none.

use crate::{limit::run, peer::*};
use serde_json::Map;

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
            "an answer that nobody waits for, id \"2\" \
             (the same with another type is waited for)",
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
            r#"{"jsonrpc":"2.0","id":null,
                "error":{"code":-32700,"message":"Parse error"}}"#,
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
            r#"{"jsonrpc":"2.0","id":2,
                "result":{"content":[],"structuredContent":{"text":"cut \ud83d"}}}"#,
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
            let error = r#"{"jsonrpc":"2.0","id":3,"result":null,
                "error":{"code":-32000,"message":"x"}}"#;
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

/// The whole answer may be a hundred megabytes long, and a terminal is not.
#[test]
fn an_error_quotes_no_more_than_the_beginning() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let long = "x".repeat(100_000);
        let answer = format!(r#"{{"jsonrpc":"2.0","id":2,"result":"{long}"}}"#);
        let (failed, ()) = tokio::join!(client.ping(), peer.answer(ping(2), answer));
        let error = failed.expect_err("no object").to_string();
        assert!(error.contains(r#"got "xxx"#) && error.len() < 200, "{error}");
    });
}
