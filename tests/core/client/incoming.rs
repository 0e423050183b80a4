//! What a server says unasked: requests, notifications, noise.

use super::peer::*;
use crate::common::limit::run;

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
        let note = "not a message: `params` must be an object, got an array";
        assert_eq!(vec![note], notes.rest());
    });
}

/// Its sender waits, unlike the program that printed a log line.
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
