//! The course's client with one server: the frames, and that no process is left.

use crate::marks::{assert_nothing_runs, mark, runs};
use mcp_from_scratch::{
    client::{Client, ClientConfig, ClientError},
    frame::Framing,
    process::ServerCommand,
    tool::ToolResult,
    transcript::Direction,
    transport::{Tap, Tapped},
};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// For one response, and for one step of the shutdown ladder. A peer that exits only after
/// a signal has no exit status 0.
const TIMEOUT: Duration = Duration::from_secs(60);

pub struct Connected {
    pub client: Client,
    frames: Arc<Mutex<Vec<(Direction, Value)>>>,
    mark: String,
}

impl Connected {
    /// Starts the server, without a handshake.
    pub fn start(command: Vec<String>) -> Self {
        let frames = Arc::new(Mutex::new(Vec::new()));
        let keep = frames.clone();
        let tap: Tap = Arc::new(move |event| {
            if let Tapped::Frame(direction, body) = event {
                let body = serde_json::from_slice(body).expect("JSON");
                keep.lock().expect("no panic").push((direction, body));
            }
        });
        let mark = mark();
        let env = vec![("TEST_MARK".to_owned(), mark.clone())];
        let mut words = command.into_iter();
        let program = words.next().expect("a program");
        let server = ServerCommand { program, args: words.collect(), env };
        let config = ClientConfig {
            timeout: TIMEOUT,
            shutdown_wait: TIMEOUT,
            ..ClientConfig::default()
        };
        let client = Client::spawn(&server, Framing::Newline, config, tap);
        Self { client: client.expect("it starts"), frames, mark }
    }

    pub async fn call(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<ToolResult, ClientError> {
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        self.client.call_tool(tool, arguments).await
    }

    pub fn sent(&self) -> Vec<Value> {
        self.frames(Direction::Send)
    }

    pub fn received(&self) -> Vec<Value> {
        self.frames(Direction::Receive)
    }

    fn frames(&self, wanted: Direction) -> Vec<Value> {
        let frames = self.frames.lock().expect("no panic");
        let of_one = frames.iter().filter(|(direction, _)| *direction == wanted);
        of_one.map(|(_, frame)| frame.clone()).collect()
    }

    pub fn runs(&self) -> bool {
        runs(&self.mark)
    }

    /// Closes: the server must exit by itself with status 0, no process may be left,
    /// and no request may be pending.
    pub async fn end(self) {
        let exit = self.client.close().await.expect("there is a process");
        let status = exit.status.expect("it has exited");
        assert_eq!(Some(0), status.code(), "{exit}");
        assert_eq!(0, self.client.pending());
        assert_nothing_runs(&self.mark);
    }
}

/// The texts of a result.
pub fn texts(result: &ToolResult) -> Vec<&str> {
    result.content.iter().filter_map(|block| block["text"].as_str()).collect()
}
