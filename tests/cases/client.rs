//! A client and a server that follows a script: what the client sends, what its callers
//! get, what it notes, step by step.

use crate::{
    common::{
        notes::{Notes, notes},
        serving::soon,
    },
    data::{Framings, Piece},
    operations::Operations,
    pattern::check,
    wire::RawServer,
};
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    transport::Transport,
};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;
use tokio::io::{duplex, split};

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    #[serde(default)]
    framing: Framings,
    timeout_ms: Option<u64>,
    script: Vec<Step>,
}

#[derive(Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    /// The handshake. The client's next request has the id 2.
    Ready,
    /// A caller starts: `initialize`, `handshake`, `ping`, `list` or `call NAME`.
    Start(String),
    /// The oldest pending call gets what fits.
    Gets(Value),
    /// The client's next message fits.
    Hear(Value),
    /// The server says one message, or several.
    Say(Piece),
    SayAll(Vec<Piece>),
    /// The server writes any bytes, such as a part of a frame.
    Write(Piece),
    /// The client has noted these, and nothing else.
    Notes(Vec<Value>),
    Pause(u64),
    State(String),
    Pending(usize),
}

/// One run under way.
struct Play {
    client: Client,
    peer: RawServer,
    notes: Notes,
    callers: Operations,
}

impl Run {
    /// In each framing, the server's bytes whole and one by one.
    pub async fn check(&self) {
        for framing in self.framing.each() {
            for chunk in [64 * 1024, self.smallest_chunk()] {
                let how = format!("{framing}, {chunk} bytes a read");
                let mut play = self.begin(*framing, chunk);
                for (number, step) in self.script.iter().enumerate() {
                    let done = soon(play.step(step)).await;
                    done.unwrap_or_else(|why| panic!("{how}: step {number}: {why}"));
                }
                let rest = soon(play.end()).await;
                rest.unwrap_or_else(|why| panic!("{how}: after the script: {why}"));
            }
        }
    }

    /// One byte, unless a message is so long that this would take seconds.
    fn smallest_chunk(&self) -> usize {
        let long = |step: &Step| match step {
            Step::Say(body) => body.bytes().len() > 64 * 1024,
            _ => false,
        };
        if self.script.iter().any(long) { 1021 } else { 1 }
    }

    fn begin(&self, framing: Framing, chunk: usize) -> Play {
        let (to_client, from_server) = duplex(chunk);
        let (to_server, from_client) = duplex(64 * 1024);
        let (tap, notes) = notes();
        let (from, _) = split(from_server);
        let (_, to) = split(to_server);
        let transport = Transport::over(from, to, framing, tap);
        let mut settings = ClientConfig::default();
        if let Some(timeout) = self.timeout_ms {
            settings.timeout = Duration::from_millis(timeout);
        }
        let client = Client::over(transport, settings);
        let callers = Operations::of(client.clone());
        let peer = RawServer::new(framing, from_client, to_client);
        Play { client, peer, notes, callers }
    }
}

impl Play {
    async fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Ready => self.ready().await,
            Step::Start(what) => {
                self.callers.start(what);
                Ok(())
            }
            Step::Gets(pattern) => check(pattern, &self.callers.next().await),
            Step::Hear(pattern) => match self.peer.hear().await {
                Some(message) => check(pattern, &message),
                None => Err("the client has ended the connection".into()),
            },
            Step::Say(body) => self.peer.say(&body.bytes()).await,
            Step::SayAll(bodies) => {
                for body in bodies {
                    self.peer.say(&body.bytes()).await?;
                }
                Ok(())
            }
            Step::Write(bytes) => self.peer.write(&bytes.bytes()).await,
            Step::Notes(patterns) => self.noted(patterns).await,
            Step::Pause(ms) => {
                tokio::time::sleep(Duration::from_millis(*ms)).await;
                Ok(())
            }
            Step::State(name) => same(name.clone(), self.client.state().to_string()),
            Step::Pending(count) => same(*count, self.client.pending()),
        }
    }

    async fn ready(&mut self) -> Result<(), String> {
        self.callers.start("handshake");
        let request = self.peer.hear().await.ok_or("no initialize")?;
        check(&serde_json::json!({"id": 1, "method": "initialize"}), &request)?;
        let welcome = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}"#;
        self.peer.say(welcome.as_bytes()).await?;
        self.peer.hear().await.ok_or("no initialized")?;
        check(&serde_json::json!({"ok": "?"}), &self.callers.next().await)
    }

    async fn noted(&mut self, patterns: &[Value]) -> Result<(), String> {
        for pattern in patterns {
            check(pattern, &self.notes.next().await.into())?;
        }
        self.nothing_noted()
    }

    fn nothing_noted(&mut self) -> Result<(), String> {
        same(Vec::<String>::new(), self.notes.rest())
    }

    /// Nothing is left: no pending call, no message, no note.
    async fn end(mut self) -> Result<(), String> {
        same(0, self.callers.waiting())?;
        self.client.close().await;
        if let Some(message) = self.peer.hear().await {
            return Err(format!("the client has also sent {message}"));
        }
        self.nothing_noted()
    }
}

fn same<T: PartialEq + std::fmt::Debug>(expected: T, came: T) -> Result<(), String> {
    let wrong = || format!("expected {expected:?}, got {came:?}");
    if expected == came { Ok(()) } else { Err(wrong()) }
}
