//! Callers of a client, each in a separate task, and what they get, as JSON.

use mcp_from_scratch::{
    client::{Client, ClientError},
    protocol::LATEST,
    tool::to_text,
};
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use tokio::task::JoinHandle;

pub struct Operations {
    client: Client,
    waiting: VecDeque<JoinHandle<Value>>,
}

impl Operations {
    pub fn of(client: Client) -> Self {
        Self { client, waiting: VecDeque::new() }
    }

    pub fn start(&mut self, what: &str) {
        let (client, what) = (self.client.clone(), what.to_owned());
        self.waiting.push_back(tokio::spawn(async move {
            match result(&client, &what).await {
                Ok(value) => json!({ "ok": value }),
                Err(error) => {
                    json!({ "error": error.to_string(), "kind": kind(&error) })
                }
            }
        }));
    }

    /// What the longest waiting caller gets.
    pub async fn next(&mut self) -> Value {
        let caller = self.waiting.pop_front().expect("a caller");
        caller.await.expect("no panic")
    }

    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

async fn result(client: &Client, what: &str) -> Result<Value, ClientError> {
    match what.split_once(' ').unwrap_or((what, "")) {
        ("initialize", _) => Ok(client.initialize(LATEST).await?.version.into()),
        ("handshake", _) => Ok(client.handshake().await?.version.into()),
        ("ping", _) => client.ping().await.map(|()| json!({})),
        ("list", _) => client.list_tools().await.map(Value::from),
        ("call", name) => {
            let outcome = client.call_tool(name, Map::new()).await?;
            Ok(json!({
                "text": to_text(&outcome),
                "failed": outcome.is_error,
                "blocks": outcome.content.len(),
            }))
        }
        _ => panic!("no operation is called {what}"),
    }
}

fn kind(error: &ClientError) -> &'static str {
    match error {
        ClientError::Rpc(_) => "server",
        ClientError::Malformed { .. } => "malformed",
        ClientError::Timeout { .. } => "timeout",
        ClientError::Version { .. } => "version",
        ClientError::Closed(_) => "closed",
        _ => "other",
    }
}
