//! The order of things: what a client may say when.

use super::peer::*;
use crate::common::limit::run;
use mcp_from_scratch::{client::ClientError, lifecycle::State, protocol::LATEST};
use serde_json::{Map, json};

/// The message of an operation that must fail.
fn said<T: std::fmt::Debug>(result: Result<T, ClientError>) -> String {
    result.expect_err("a failure").to_string()
}

/// `initialize`, as the client sends it under another id.
fn initialize(id: u32) -> String {
    INITIALIZE.replace(r#""id":1"#, &format!(r#""id":{id}"#))
}

fn welcome(id: u32) -> String {
    WELCOME.replace(r#""id":1"#, &format!(r#""id":{id}"#))
}

#[test]
fn the_handshake_sends_initialize_and_after_its_answer_initialized() {
    run(async {
        let (client, mut peer, _) = connect();
        assert_eq!(State::New, client.state());
        let (hello, ()) =
            tokio::join!(client.initialize(LATEST), peer.answer(INITIALIZE, WELCOME));
        let hello = hello.expect("a server that answers");
        assert_eq!("2025-11-25", hello.version);
        assert_eq!(json!({"name": "s", "version": "0"}), hello.info);
        assert_eq!(State::Initialized, client.state());
        client.initialized().await.expect("the response is there");
        assert_eq!(State::Ready, client.state());
        peer.expect(INITIALIZED).await;
    });
}

#[test]
fn before_initialize_all_else_is_refused_and_nothing_is_sent() {
    run(async {
        let (client, mut peer, _) = connect();
        let refused = "is not allowed in state `new`: call initialize first";
        let request = format!("a request {refused}");
        assert_eq!(request, said(client.list_tools().await));
        assert_eq!(request, said(client.call_tool("t", Map::new()).await));
        assert_eq!(request, said(client.ping().await));
        let initialized = format!("the initialized notification {refused}");
        assert_eq!(initialized, said(client.initialized().await));
        assert_eq!(0, client.pending());
        let (hello, ()) =
            tokio::join!(client.initialize(LATEST), peer.answer(INITIALIZE, WELCOME));
        hello.expect("the first line was initialize, with the id 1");
    });
}

#[test]
fn an_initialize_in_flight_is_not_doubled_and_not_disturbed() {
    run(async {
        let (client, mut peer, _) = connect();
        let script = async {
            peer.expect(INITIALIZE).await;
            for _ in 0..2 {
                let refused = "initialize is not allowed in state `new`: \
                               initialize is under way";
                assert_eq!(refused, said(client.initialize(LATEST).await));
            }
            peer.say(WELCOME).await;
        };
        let (hello, ()) = tokio::join!(client.initialize(LATEST), script);
        hello.expect("the first one continues");
        client.initialized().await.expect("its answer was taken");
        peer.expect(INITIALIZED).await;
    });
}

#[test]
fn a_failed_initialize_may_be_retried() {
    let malformed = "malformed response to `initialize`: ";
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"not yet"}}"#,
            "the server responded with error -32603: not yet".to_owned(),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}}"#,
            format!("{malformed}`protocolVersion` must be a string, got null"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,
                "result":{"protocolVersion":20251125,"capabilities":{}}}"#,
            format!("{malformed}`protocolVersion` must be a string, got 20251125"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}"#,
            format!("{malformed}`capabilities` must be an object, got null"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            format!("{malformed}a result must be an object, got null"),
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}"#,
            format!("{malformed}has both a `result` and an `error`"),
        ),
    ];
    for (answer, expected) in cases {
        run(async move {
            let (client, mut peer, _) = connect();
            let (failed, ()) = tokio::join!(
                client.initialize(LATEST),
                peer.answer(INITIALIZE, answer)
            );
            assert_eq!(expected, said(failed), "{answer}");
            assert_eq!(State::New, client.state());
            let (hello, ()) = tokio::join!(
                client.initialize(LATEST),
                peer.answer(initialize(2), welcome(2))
            );
            hello.expect("the second one succeeds");
        });
    }
}

#[test]
fn an_initialize_without_a_response_is_not_cancelled_and_may_be_retried() {
    run(async {
        let (client, mut peer, mut notes) = connect_with(timeout(300));
        let late = said(client.initialize(LATEST).await);
        assert_eq!("no response to `initialize` within 0.3 s", late);
        assert_eq!((State::New, 0), (client.state(), client.pending()));
        let script = async {
            peer.expect(INITIALIZE).await;
            peer.expect(initialize(2)).await;
            peer.say(WELCOME).await;
            peer.say(welcome(2)).await;
        };
        let (hello, ()) = tokio::join!(client.initialize(LATEST), script);
        hello.expect("the second one succeeds");
        assert_eq!("response to unknown request id 1", notes.next().await);
    });
}

#[test]
fn an_initialize_whose_caller_gives_up_may_be_retried() {
    run(async {
        let (client, mut peer, _) = connect();
        tokio::select! {
            biased;
            _ = client.initialize(LATEST) => panic!("no response comes"),
            () = peer.expect(INITIALIZE) => {}
        }
        assert_eq!((State::New, 0), (client.state(), client.pending()));
        let (hello, ()) = tokio::join!(
            client.initialize(LATEST),
            peer.answer(initialize(2), welcome(2))
        );
        hello.expect("the second one succeeds");
    });
}

#[test]
fn a_server_without_tools_is_not_asked_for_them() {
    run(async {
        let (client, mut peer, _) = connect();
        let script = async {
            let answer = WELCOME.replace(r#"{"tools":{}}"#, r#"{"prompts":{}}"#);
            peer.answer(INITIALIZE, &answer).await;
            peer.expect(INITIALIZED).await;
        };
        let (hello, ()) = tokio::join!(client.handshake(), script);
        hello.expect("a server that answers");
        assert_eq!(0, client.list_tools().await.expect("an empty list").len());
        let call = client.call_tool("t", Map::new()).await;
        assert_eq!("the server declares no `tools` capability", said(call));
        let (pong, ()) = tokio::join!(client.ping(), peer.answer(ping(2), empty(2)));
        pong.expect("nothing was asked before");
    });
}
