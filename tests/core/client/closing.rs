//! The end of a connection, by either side.

use super::peer::*;
use crate::common::limit::run;
use mcp_from_scratch::{client::Client, lifecycle::State, protocol::LATEST};
use serde_json::Map;

/// Everything is refused, with the reason that the connection is over.
async fn assert_over(client: &Client, reason: &str) {
    assert_eq!((State::Closed, 0), (client.state(), client.pending()));
    let errors = [
        client.initialize(LATEST).await.err(),
        client.initialized().await.err(),
        client.list_tools().await.err(),
        client.call_tool("t", Map::new()).await.err(),
        client.ping().await.err(),
    ];
    for error in errors {
        assert_eq!(Some(reason.to_owned()), error.map(|error| error.to_string()));
    }
}

const CLOSED: &str = "the client was closed";
const LEFT: &str = "the peer closed the connection";

#[test]
fn a_new_client_may_be_closed() {
    run(async {
        let (client, mut peer, _) = connect();
        client.close().await;
        assert_eq!(None, peer.next().await, "nothing is sent");
        assert_over(&client, CLOSED).await;
    });
}

#[test]
fn closing_fails_an_initialize_in_flight() {
    run(async {
        let (client, mut peer, _) = connect();
        let script = async {
            peer.expect(INITIALIZE).await;
            client.close().await;
            assert_eq!(None, peer.next().await, "nothing more is sent");
        };
        let (hello, ()) = tokio::join!(client.initialize(LATEST), script);
        assert_eq!(CLOSED, hello.expect_err("closed").to_string());
        assert_over(&client, CLOSED).await;
    });
}

#[test]
fn closing_fails_the_calls_in_flight_and_tells_no_more() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.expect(call(2)).await;
            peer.expect(ping(3)).await;
            client.close().await;
            assert_eq!(None, peer.next().await, "nothing more is sent");
        };
        let call = client.call_tool("t", Map::new());
        let (call, pong, ()) = tokio::join!(call, client.ping(), script);
        assert_eq!(CLOSED, call.expect_err("closed").to_string());
        assert_eq!(CLOSED, pong.expect_err("closed").to_string());
        assert_over(&client, CLOSED).await;
    });
}

#[test]
fn closing_twice_or_at_the_same_time_is_closing() {
    run(async {
        let (client, mut peer, _) = ready().await;
        tokio::join!(client.close(), client.close());
        client.close().await;
        assert_eq!(None, peer.next().await);
        assert_over(&client, CLOSED).await;
    });
}

#[test]
fn a_server_that_leaves_fails_all_calls_at_once() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.expect(call(2)).await;
            peer.expect(ping(3)).await;
            drop(peer);
        };
        let call = client.call_tool("t", Map::new());
        let (call, pong, ()) = tokio::join!(call, client.ping(), script);
        assert_eq!(LEFT, call.expect_err("gone").to_string());
        assert_eq!(LEFT, pong.expect_err("gone").to_string());
        assert_over(&client, LEFT).await;
        client.close().await;
        assert_over(&client, LEFT).await; // closing later does not change the reason
    });
}

#[test]
fn a_server_with_the_other_framing_is_an_error_and_no_hang() {
    run(async {
        let (client, mut peer, _) = connect();
        let script = async {
            peer.expect(INITIALIZE).await;
            let header = format!("Content-Length: {}\r\n\r\n", WELCOME.len());
            peer.write(header.as_bytes()).await;
            peer.write(WELCOME.as_bytes()).await;
        };
        let (hello, ()) = tokio::join!(client.initialize(LATEST), script);
        let reason = "the peer uses content-length framing, expected newline";
        assert_eq!(reason, hello.expect_err("the other framing").to_string());
        assert_over(&client, reason).await;
    });
}

#[test]
fn the_last_clone_that_is_dropped_ends_the_connection() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let clone = client.clone();
        drop(client);
        let (pong, ()) = tokio::join!(clone.ping(), peer.answer(ping(2), empty(2)));
        pong.expect("a clone keeps it alive");
        drop(clone);
        assert_eq!(None, peer.next().await);
    });
}
