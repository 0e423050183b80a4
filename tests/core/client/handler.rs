//! The handler of the server's own requests and notifications.

use super::peer::*;
use crate::common::limit::run;
use mcp_from_scratch::{
    client::{ClientConfig, Handler},
    jsonrpc::{ErrorObject, Notification, Request},
    tool::BoxFuture,
};
use serde_json::{Value, json};
use std::{future::pending, sync::Arc};

/// Does what the method says.
struct ByMethod;

impl Handler for ByMethod {
    fn notification(&self, notification: Notification) {
        assert_ne!("panic", notification.method);
    }

    fn request(&self, request: Request) -> BoxFuture<'_, Result<Value, ErrorObject>> {
        Box::pin(async move {
            match request.method.as_str() {
                "panic" => panic!("as the test asks"),
                "never" => pending().await,
                _ => Ok(json!({})),
            }
        })
    }
}

fn config() -> ClientConfig {
    ClientConfig { handler: Arc::new(ByMethod), ..ClientConfig::default() }
}

fn request(id: usize, method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#)
}

fn error(id: usize, message: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32603,"message":"{message}"}}}}"#
    )
}

#[test]
fn a_slow_request_does_not_delay_another_one() {
    run(async {
        let (_client, mut peer, _) = ready_with(config()).await;
        peer.say(request(1, "never")).await;
        peer.say(request(2, "anything")).await;
        peer.expect(empty(2)).await;
    });
}

#[test]
fn a_handler_that_panics_costs_only_its_own_message() {
    run(async {
        let (_client, mut peer, mut notes) = ready_with(config()).await;
        peer.say(request(1, "panic")).await;
        peer.expect(error(1, "the handler panicked")).await;
        peer.say(r#"{"jsonrpc":"2.0","method":"panic"}"#).await;
        peer.say(request(2, "anything")).await;
        peer.expect(empty(2)).await;
        assert_eq!(vec!["the handler of a notification panicked"], notes.rest());
    });
}

/// Otherwise a server could fill the client's memory.
#[test]
fn more_than_64_requests_at_a_time_are_refused() {
    run(async {
        let (_client, mut peer, _) = ready_with(config()).await;
        for id in 1..=65 {
            peer.say(request(id, "never")).await;
        }
        peer.expect(error(65, "too many requests at a time")).await;
    });
}

#[test]
fn a_closed_client_handles_nothing_more() {
    run(async {
        let (client, mut peer, mut notes) = ready_with(config()).await;
        client.close().await;
        peer.say(r#"{"jsonrpc":"2.0","method":"panic"}"#).await;
        assert_eq!(None, peer.next().await);
        assert_eq!(Vec::<String>::new(), notes.rest());
    });
}
