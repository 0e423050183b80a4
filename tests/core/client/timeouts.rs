//! Requests that end without an answer: their time is up, or their caller gives up.

use super::peer::*;
use crate::common::limit::run;
use mcp_from_scratch::{
    client::{Client, ClientConfig, ClientError},
    frame::Framing,
    protocol::LATEST,
    transport::{Transport, silent},
};
use serde_json::{Map, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn cancelled(id: u32, reason: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled",
            "params":{{"requestId":{id},"reason":"{reason}"}}}}"#
    )
}

#[test]
fn a_deadline_is_watched_although_nothing_was_in_flight_before() {
    run(async {
        let (client, _peer, _) = connect_with(timeout(50));
        for _ in 0..10 {
            tokio::task::yield_now().await; // the client's tasks find nothing to do
        }
        match client.initialize(mcp_from_scratch::protocol::LATEST).await {
            Err(ClientError::Timeout { .. }) => {}
            other => panic!("expected a timeout, got {other:?}"),
        }
    });
}

#[test]
fn each_request_has_its_own_deadline() {
    run(async {
        let (client, mut peer, _) = ready_with(timeout(300)).await;
        let later = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            client.ping().await
        };
        let script = async {
            peer.expect(call(2)).await;
            peer.expect(ping(3)).await;
            peer.expect(cancelled(2, "the request timed out")).await;
            assert_eq!(1, client.pending());
            peer.say(empty(3)).await;
        };
        let call = client.call_tool("t", Map::new());
        let (call, pong, ()) = tokio::join!(call, later, script);
        call.expect_err("its time is up");
        pong.expect("its time is not up yet");
    });
}

#[test]
fn a_call_whose_caller_gives_up_is_cancelled() {
    run(async {
        let (client, mut peer, mut notes) = ready().await;
        tokio::select! {
            biased;
            _ = client.call_tool("t", Map::new()) => panic!("no response comes"),
            () = peer.expect(call(2)) => {}
        }
        assert_eq!(0, client.pending());
        let script = async {
            peer.expect(cancelled(2, "the caller gave up")).await;
            peer.say(text(2, "late")).await;
            peer.answer(ping(3), empty(3)).await;
        };
        let (pong, ()) = tokio::join!(client.ping(), script);
        pong.expect("the next call works");
        assert_eq!("response to unknown request id 2", notes.next().await);
    });
}

#[test]
fn a_call_that_has_its_response_is_not_cancelled() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let answered = async {
            peer.answer(call(2), text(2, "done")).await;
            while client.pending() > 0 {
                tokio::task::yield_now().await;
            }
        };
        {
            let mut call = std::pin::pin!(client.call_tool("t", Map::new()));
            // Polled once, then left alone: it never sees its answer.
            let first = std::future::poll_fn(|context| {
                std::task::Poll::Ready(call.as_mut().poll(context))
            });
            assert!(first.await.is_pending());
            answered.await;
        }
        let (pong, ()) = tokio::join!(client.ping(), peer.answer(ping(3), empty(3)));
        pong.expect("no `notifications/cancelled` came before the ping");
    });
}

/// A write that is given up leaves no half frame: what follows can still be read.
#[test]
fn a_server_that_does_not_read_costs_time_and_no_frame() {
    run(async {
        let (client, mut peer, _) = ready_with(timeout(300)).await;
        let long = "x".repeat(1024 * 1024); // more than the pipe holds
        let arguments = json!({ "text": long });
        let arguments = arguments.as_object().cloned().expect("an object");
        match client.call_tool("t", arguments).await {
            Err(ClientError::Timeout { .. }) => {}
            other => panic!("expected a timeout, got {other:?}"),
        }
        let line = peer.next().await.expect("the whole call");
        assert!(line.ends_with(r#"x"}}}"#), "{} bytes", line.len());
        peer.expect(cancelled(2, "the request timed out")).await;
    });
}

#[test]
fn a_timeout_may_have_any_length() {
    run(async {
        let timeout = Duration::MAX;
        let settings = ClientConfig { timeout, ..ClientConfig::default() };
        let (client, mut peer, _) = ready_with(settings).await;
        let (pong, ()) = tokio::join!(client.ping(), peer.answer(ping(2), empty(2)));
        pong.expect("an answer");
    });
}

#[test]
fn a_request_has_ten_seconds_by_default() {
    assert_eq!(Duration::from_secs(10), ClientConfig::default().timeout);
}

/// Sixteen bytes fit into the pipe, and then the server stops reading.
#[test]
fn a_notification_that_is_not_read_is_not_a_missing_response() {
    run(async {
        let (from, mut answers) = tokio::io::duplex(1024);
        let (to, mut requests) = tokio::io::duplex(16);
        let timeout = Duration::from_millis(300);
        let settings = ClientConfig { timeout, ..ClientConfig::default() };
        let transport = Transport::over(from, to, Framing::Newline, silent());
        let client = Client::over(transport, settings);
        let welcome = async {
            let mut byte = [0];
            while byte != *b"\n" {
                requests.read_exact(&mut byte).await.expect("initialize");
            }
            let welcome = WELCOME.replace('\n', "") + "\n";
            answers.write_all(welcome.as_bytes()).await.expect("read");
        };
        let (hello, ()) = tokio::join!(client.initialize(LATEST), welcome);
        hello.expect("welcome");
        let stuck = client
            .initialized()
            .await
            .expect_err("the server does not read")
            .to_string();
        let method = "notifications/initialized";
        assert_eq!(format!("cannot write `{method}`: not read within 0.3 s"), stuck);
    });
}
