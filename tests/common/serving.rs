//! A server in this process, and a client's end of its streams. Every wait is bounded.

use mcp_from_scratch::{
    frame::{FrameReader, Framing, FramingMode, MAX_MESSAGE},
    protocol::Implementation,
    server::{ServeError, Server},
    tool::{Arguments, BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult},
    transcript::Direction,
    transport::{Tap, Tapped, Transport, silent},
};
use serde_json::json;
use std::{
    future::Future,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, duplex},
    task::JoinHandle,
    time::timeout,
};

pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
pub const INITIALIZED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// `future`, or a failed test.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    timeout(super::LIMIT, future).await.expect("it took too long")
}

/// A tap that keeps what it hears, `> ` sent, `< ` received, `! ` noted.
pub fn listening() -> (Tap, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let keep = heard.clone();
    let tap = Arc::new(move |event: Tapped<'_>| {
        let text = match event {
            Tapped::Frame(Direction::Send, body) => {
                format!("> {}", String::from_utf8_lossy(body))
            }
            Tapped::Frame(Direction::Receive, body) => {
                format!("< {}", String::from_utf8_lossy(body))
            }
            Tapped::Note(note) => format!("! {note}"),
        };
        keep.lock().expect("no panic").push(text);
    });
    (tap, heard)
}

pub fn server() -> Server {
    Server::new(Implementation::new("server", "1.0.0"))
}

pub trait Offering {
    fn offering(self, tool: (ToolInfo, impl Tool + 'static)) -> Self;
}

impl Offering for Server {
    /// [`Server::with`]; two tools of one name are a mistake of the test.
    fn offering(self, tool: (ToolInfo, impl Tool + 'static)) -> Self {
        self.with(tool).expect("a free name")
    }
}

/// A tool made from a function that returns a future, as [`Server::with`] takes it.
pub fn tool<F>(
    name: &str,
    run: impl Fn(Arguments) -> F + Send + Sync + 'static,
) -> (ToolInfo, impl Tool + 'static)
where
    F: Future<Output = ToolResult> + Send + 'static,
{
    let info = ToolInfo::new(name, "For a test.", json!({"type": "object"}));
    (info, AsyncTool(run))
}

struct AsyncTool<R>(R);

impl<F, R> Tool for AsyncTool<R>
where
    F: Future<Output = ToolResult> + Send + 'static,
    R: Fn(Arguments) -> F + Send + Sync,
{
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move { Ok((self.0)(call.arguments).await) })
    }
}

pub fn call(id: u32, tool: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#
    )
}

pub fn ping(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

pub fn pong(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// The response to a call whose result is one text.
pub fn said(id: u32, text: &str) -> String {
    let content = format!(r#"[{{"type":"text","text":"{text}"}}]"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":{content}}}}}"#)
}

/// A client that sends lines and receives lines.
pub struct Client {
    pub transport: Transport,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Client {
    /// After the handshake.
    pub async fn connect(server: Server) -> Self {
        let (transport, theirs) = Transport::pair(silent());
        let server = tokio::spawn(async move { server.serve(theirs).await });
        let mut client = Self { transport, server };
        client.say(INITIALIZE).await;
        client.hear().await;
        client.say(INITIALIZED).await;
        client
    }

    /// Does not wait until the server has read it.
    pub async fn say(&self, line: &str) {
        let body = line.as_bytes().to_vec();
        soon(self.transport.sender.send(body)).await.expect("the server reads");
    }

    pub async fn hear(&mut self) -> String {
        let frame = soon(self.transport.receiver.receive()).await;
        let body = frame.expect("the server continues").expect("a frame");
        String::from_utf8(body.to_vec()).expect("UTF-8")
    }

    /// Ends the server's input; returns what it still says.
    pub async fn end(mut self) -> Vec<String> {
        self.transport.sender.close();
        let mut rest = Vec::new();
        while let Some(frame) = soon(self.transport.receiver.receive()).await {
            let body = frame.expect("a frame");
            rest.push(String::from_utf8(body.to_vec()).expect("UTF-8"));
        }
        soon(self.server).await.expect("no panic").expect("a clean end");
        rest
    }
}

/// Everything that a server writes when `input` is all that it reads.
pub async fn talk(
    server: Server,
    framing: impl Into<FramingMode>,
    input: &[u8],
) -> (Vec<u8>, Result<(), ServeError>) {
    talk_in_chunks(server, framing, input, 64 * 1024).await
}

/// The same, with a server that reads `chunk` bytes at a time.
pub async fn talk_in_chunks(
    server: Server,
    framing: impl Into<FramingMode>,
    input: &[u8],
    chunk: usize,
) -> (Vec<u8>, Result<(), ServeError>) {
    let (mut to, its_input) = duplex(chunk);
    let (its_output, mut from) = duplex(64 * 1024);
    let transport = Transport::over(its_input, its_output, framing, silent());
    let running = tokio::spawn(async move { server.serve(transport).await });
    let write = async {
        // A server that ends early leaves the rest of its input unread.
        let _ = to.write_all(input).await;
        let _ = to.shutdown().await;
    };
    let mut output = Vec::new();
    let (_, read) =
        soon(async { tokio::join!(write, from.read_to_end(&mut output)) }).await;
    read.expect("the output ends");
    (output, soon(running).await.expect("no panic"))
}

/// The bodies in a stream that must hold frames and nothing else.
#[track_caller]
pub fn bodies(framing: Framing, stream: &[u8]) -> Vec<String> {
    let mut reader = FrameReader::new(framing, MAX_MESSAGE);
    reader.feed(stream);
    let mut bodies = Vec::new();
    while let Some(frame) = reader.next_frame() {
        let body = frame.expect("nothing but frames");
        bodies.push(String::from_utf8(body.to_vec()).expect("UTF-8"));
    }
    assert_eq!(None, reader.finish(), "the last frame is whole");
    bodies
}

/// Each message in one frame.
pub fn framed<'a>(
    framing: Framing,
    messages: impl IntoIterator<Item = &'a str>,
) -> Vec<u8> {
    let frames = messages.into_iter().map(|body| framing.encode(body.as_bytes()));
    frames.collect::<Vec<_>>().concat()
}
