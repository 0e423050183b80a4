//! What a server says unasked: requests, notifications, noise.

use crate::{limit::run, peer::*};
use mcp_from_scratch::protocol::LATEST;
use serde_json::Map;

/// Case L10: such a server answers `initialize` only after that.
#[test]
fn a_ping_during_the_handshake_is_answered_while_we_wait() {
    run(async {
        let (client, mut peer, _) = connect();
        let script = async {
            peer.expect(INITIALIZE).await;
            peer.say(r#"{"jsonrpc":"2.0","id":"s1","method":"ping"}"#).await;
            peer.expect(r#"{"jsonrpc":"2.0","id":"s1","result":{}}"#).await;
            peer.say(WELCOME).await;
        };
        let (hello, ()) = tokio::join!(client.initialize(LATEST), script);
        hello.expect("the answer comes after the ping");
    });
}

/// Case L12: each direction counts its ids by itself.
#[test]
fn a_server_request_with_the_id_of_ours_does_not_answer_ours() {
    run(async {
        let (client, mut peer, mut notes) = ready().await;
        let script = async {
            peer.expect(call(2)).await;
            peer.say(ping(2)).await;
            peer.expect(empty(2)).await;
            assert_eq!(1, client.pending());
            peer.say(text(2, "mine")).await;
        };
        let (outcome, ()) = tokio::join!(client.call_tool("t", Map::new()), script);
        assert_eq!("mine", outcome.expect("a result").content[0]["text"]);
        assert_eq!(Vec::<String>::new(), notes.rest());
    });
}

/// Case L11. An id of 0 or "" is an id like any other.
#[test]
fn a_request_that_we_do_not_serve_gets_method_not_found() {
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":0,"method":"roots/list"}"#,
            r#"{"jsonrpc":"2.0","id":0,
                "error":{"code":-32601,"message":"no method `roots/list`"}}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":"e",
                "error":{"code":-32601,"message":"no method `elicitation/create`"}}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":"","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":"",
                "error":{"code":-32601,"message":"no method `tools/list`"}}"#,
        ),
        (
            r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":0,"result":{}}"#,
        ),
    ];
    run(async move {
        let (_client, mut peer, _) = ready().await;
        for (request, answer) in cases {
            peer.say(request).await;
            peer.expect(answer).await;
        }
    });
}

#[test]
fn notifications_in_between_are_never_answered() {
    run(async {
        let (client, mut peer, mut notes) = ready().await;
        let script = async {
            peer.expect(ping(2)).await;
            for notification in [
                r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#,
                r#"{"jsonrpc":"2.0","method":"ping"}"#,
                r#"{"jsonrpc":"2.0","method":"no/such","params":{"a":1}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/message","params":[]}"#,
            ] {
                peer.say(notification).await;
            }
            peer.say(empty(2)).await;
            peer.answer(ping(3), empty(3)).await;
        };
        let calls = async {
            client.ping().await.expect("an answer");
            client.ping().await.expect("no line of ours came before this one");
        };
        tokio::join!(calls, script);
        let note = "no message: `params` must be an object, got an array";
        assert_eq!(vec![note], notes.rest());
    });
}

/// Cases N04, N05, J23: skipped, noted with its escapes shown, and never answered.
#[test]
fn noise_is_noted_and_never_answered() {
    let noise = [
        "Starting server v1.2",
        "\u{1b}[32mready\u{1b}[0m",
        "[dotenv@17.0.0] injecting env",
        "42",
        "null",
        "[]",
        "{",
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ];
    run(async move {
        let (client, mut peer, mut notes) = connect();
        let script = async {
            peer.expect(INITIALIZE).await;
            for line in noise {
                peer.say(line).await;
            }
            peer.write(b"\xff\xfe not UTF-8\n\n\r\n").await;
            peer.say(WELCOME).await;
            peer.expect(INITIALIZED).await;
        };
        let (hello, ()) = tokio::join!(client.handshake(), script);
        hello.expect("the answer comes after the noise");
        let noted = notes.rest();
        assert_eq!(noise.len() + 1, noted.len(), "{noted:#?}");
        assert!(
            noted.iter().all(|note| note.starts_with("no message: ")),
            "{noted:#?}"
        );
    });
}

/// Its sender waits, unlike whoever printed a line of log.
#[test]
fn a_malformed_request_whose_id_can_be_read_is_answered() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.expect(ping(2)).await;
            peer.say(r#"{"jsonrpc":"2.0","id":2,"method":1}"#).await;
            peer.expect(r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"`method` must be a string, got 1"}}"#).await;
            peer.say(empty(2)).await;
        };
        let (answer, ()) = tokio::join!(client.ping(), script);
        answer.expect("the other direction's id 2 is not ours");
    });
}

/// Case N10: a message that spans lines is noise line by line; `}` and `1` are no
/// messages either.
#[test]
fn a_pretty_printed_answer_is_noise_and_the_compact_one_counts() {
    run(async {
        let (client, mut peer, _) = connect();
        let pretty: serde_json::Value = serde_json::from_str(WELCOME).expect("JSON");
        let pretty = serde_json::to_string_pretty(&pretty).expect("JSON");
        let script = async {
            peer.expect(INITIALIZE).await;
            peer.write((pretty + "\n").as_bytes()).await;
            peer.say(WELCOME).await;
            peer.expect(INITIALIZED).await;
        };
        let (hello, ()) = tokio::join!(client.handshake(), script);
        hello.expect("the compact answer counts");
    });
}
