//! The other end of a client's connection, played by the test line by line.

use crate::common::notes::{Notes, notes};
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    transport::Transport,
};
use std::time::Duration;
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
    "protocolVersion":"2025-11-25","capabilities":{},
    "clientInfo":{"name":"mcp-from-scratch","version":"1.0.0"}}}"#;
pub const WELCOME: &str = r#"{"jsonrpc":"2.0","id":1,"result":{
    "protocolVersion":"2025-11-25","capabilities":{"tools":{}},
    "serverInfo":{"name":"s","version":"0"}}}"#;
pub const INITIALIZED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Speaks raw lines, so that it shares no code with what it tests.
pub struct RawServer {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    to: WriteHalf<DuplexStream>,
}

impl RawServer {
    /// The very next line from the client is this one.
    #[track_caller]
    pub fn expect(&mut self, line: impl Into<String>) -> impl Future<Output = ()> {
        let (line, at) = (one_line(line), std::panic::Location::caller());
        async move {
            let came = self.next().await;
            assert_eq!(Some(line), came, "expected at {at}");
        }
    }

    /// The next line, `None` at the end of input.
    pub async fn next(&mut self) -> Option<String> {
        self.lines.next_line().await.expect("the client's lines are UTF-8")
    }

    pub async fn say(&mut self, line: impl Into<String>) {
        let line = one_line(line) + "\n";
        self.write(line.as_bytes()).await;
    }

    pub async fn write(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).await.expect("the client reads");
    }

    /// Reads one request and answers it.
    #[track_caller]
    pub fn answer(
        &mut self,
        request: impl Into<String>,
        answer: impl Into<String>,
    ) -> impl Future<Output = ()> {
        let (line, at) = (one_line(request), std::panic::Location::caller());
        async move {
            let came = self.next().await;
            assert_eq!(Some(line), came, "expected at {at}");
            self.say(answer).await;
        }
    }
}

/// What goes over the wire for a literal: the literal may be broken over lines.
pub fn one_line(literal: impl Into<String>) -> String {
    literal.into().lines().map(str::trim_start).collect()
}

/// A new client with these settings, and its peer.
pub fn connect_with(settings: ClientConfig) -> (Client, RawServer, Notes) {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (from, to) = tokio::io::split(ours);
    let (tap, notes) = notes();
    let transport = Transport::over(from, to, Framing::Newline, tap);
    let (from, to) = tokio::io::split(theirs);
    let peer = RawServer { lines: BufReader::new(from).lines(), to };
    (Client::over(transport, settings), peer, notes)
}

pub fn connect() -> (Client, RawServer, Notes) {
    connect_with(ClientConfig::default())
}

/// A client in state `ready`. Its next request has the id 2.
pub async fn ready_with(settings: ClientConfig) -> (Client, RawServer, Notes) {
    let (client, mut peer, notes) = connect_with(settings);
    let script = async {
        peer.answer(INITIALIZE, WELCOME).await;
        peer.expect(INITIALIZED).await;
    };
    let (hello, ()) = tokio::join!(client.handshake(), script);
    hello.expect("the handshake succeeds");
    (client, peer, notes)
}

pub async fn ready() -> (Client, RawServer, Notes) {
    ready_with(ClientConfig::default()).await
}

pub fn timeout(milliseconds: u64) -> ClientConfig {
    let timeout = Duration::from_millis(milliseconds);
    ClientConfig { timeout, ..ClientConfig::default() }
}

/// The line of a `ping` request.
pub fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

/// An answer whose result is `{}`.
pub fn empty(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// The line of a call of the tool `t` without arguments.
pub fn call(id: u32) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call",
            "params":{{"name":"t","arguments":{{}}}}}}"#
    )
}

/// A tool's answer with one text.
pub fn text(id: u32, text: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},
            "result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}
