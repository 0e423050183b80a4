//! An MCP server in this process that does what a test says.

#![allow(dead_code)] // Each test target uses a part of this.

use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    transport::{Transport, silent},
};
use serde_json::Value;
use std::time::Duration;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, split},
    sync::mpsc,
};

const WELCOME: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}"#;

/// What the server does when a tool is called.
pub enum Answer {
    /// Sends this line, with the request's id in the place of `ID`.
    Line(&'static str),
    Silence,
    HangUp,
}

/// A client whose handshake is done, and what its server hears from then on.
pub struct Scripted {
    pub client: Client,
    heard: mpsc::UnboundedReceiver<String>,
}

impl Scripted {
    /// The next line that does not request the list of tools.
    pub async fn hears(&mut self) -> String {
        self.heard.recv().await.expect("the server hears more")
    }

    /// What it heard so far beside that.
    pub fn heard(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.heard.try_recv().ok()).collect()
    }
}

/// A server with these tools, a JSON array, whose calls end as `script` says for each
/// name.
pub async fn connect(
    tools: &str,
    script: impl Fn(&str) -> Answer + Send + 'static,
) -> Scripted {
    connect_with_timeout(tools, ClientConfig::default().timeout, script).await
}

pub async fn connect_with_timeout(
    tools: &str,
    timeout: Duration,
    script: impl Fn(&str) -> Answer + Send + 'static,
) -> Scripted {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (from, to) = split(ours);
    let transport = Transport::over(from, to, Framing::Newline, silent());
    let (tell, heard) = mpsc::unbounded_channel();
    tokio::spawn(serve(theirs, tools.to_owned(), script, tell));
    let settings = ClientConfig { timeout, ..ClientConfig::default() };
    let client = Client::over(transport, settings);
    client.handshake().await.expect("the script shakes hands");
    Scripted { client, heard }
}

async fn serve(
    stream: DuplexStream,
    tools: String,
    script: impl Fn(&str) -> Answer + Send + 'static,
    tell: mpsc::UnboundedSender<String>,
) {
    let (from, mut to) = split(stream);
    let mut lines = BufReader::new(from).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let message: Value = serde_json::from_str(&line).expect("JSON from the client");
        let answer = match message["method"].as_str().expect("only requests come") {
            "initialize" => WELCOME.to_owned(),
            "notifications/initialized" => continue,
            "tools/list" => {
                format!(r#"{{"jsonrpc":"2.0","id":ID,"result":{{"tools":{tools}}}}}"#)
            }
            method => {
                let _ = tell.send(line.clone()); // the test may be over
                let name = message["params"]["name"].as_str().unwrap_or_default();
                match method {
                    "tools/call" => match script(name) {
                        Answer::Line(line) => line.to_owned(),
                        Answer::Silence => continue,
                        Answer::HangUp => return,
                    },
                    _ => continue,
                }
            }
        };
        let answer = answer.replace("ID", &message["id"].to_string()) + "\n";
        if to.write_all(answer.as_bytes()).await.is_err() {
            return; // the client is gone
        }
    }
}
