//! Stage 3: a real MCP server on stdin and stdout, with one tool.

use anyhow::{Context, bail, ensure};
use clap::Parser;
use mcp_from_scratch::{
    console::{self, Out},
    frame::Framing,
    jsonrpc::{self, Message, object},
    protocol::{Peer, initialize_params, method},
    stage::{self, REVISION, serve_echo},
    transport::{Transport, notes, printing},
};
use serde_json::{Map, Value, json};
use std::{
    io::{self, IsTerminal},
    process::{ExitCode, Stdio},
    time::Duration,
};
use tokio::{process::Command, time::timeout};

/// How long an answer may take. Whoever waits without a limit waits for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// An MCP server with one tool, `echo {text}`, on stdin and stdout.
///
/// Standard output carries frames and nothing else. The server ends with exit code 0
/// when its input ends.
#[derive(Parser)]
struct Args {
    /// auto (answer in the framing of the first message), newline or content-length
    #[arg(long, default_value = "auto", hide_default_value = true)]
    #[arg(value_name = "FRAMING", value_parser = framing_or_auto)]
    framing: FramingOrAuto,
    /// Print the transcript on stderr
    #[arg(long)]
    trace: bool,
    /// Play a whole conversation against this server and print it
    #[arg(long, conflicts_with = "trace")]
    demo: bool,
}

/// A type of its own, because an `Option` would make the argument optional.
#[derive(Clone, Copy)]
struct FramingOrAuto(Option<Framing>);

fn framing_or_auto(text: &str) -> Result<FramingOrAuto, String> {
    match text {
        "auto" => Ok(FramingOrAuto(None)),
        _ => text.parse().map(|framing| FramingOrAuto(Some(framing))),
    }
    .map_err(|_: String| "expected auto, newline or content-length".into())
}

fn main() -> ExitCode {
    let args: Args = console::arguments();
    let out = Out::stdout();
    let framing = args.framing.0;
    let result = if args.demo {
        stage::run(demo(&out, framing.unwrap_or(Framing::Newline)))
    } else {
        stage::run(serve(framing, args.trace))
    };
    console::end(&out, result)
}

async fn serve(framing: Option<Framing>, trace: bool) -> anyhow::Result<()> {
    let log = Out::stderr();
    if io::stdin().is_terminal() {
        greet(&log, framing);
    }
    let tap = if trace { printing(log.clone(), log) } else { notes(log) };
    serve_echo(framing, tap).await
}

/// A person at the terminal sees nothing but a cursor otherwise.
fn greet(log: &Out, framing: Option<Framing>) {
    if framing == Some(Framing::ContentLength) {
        log.line("这是一个 MCP 服务器，正在等待 Content-Length 帧；手工输入请用 --framing newline。");
        log.line(
            "This is an MCP server. It waits for Content-Length frames; \
             to type messages, use --framing newline.",
        );
        return;
    }
    let me = Peer::new("a-person", "1.0.0");
    let hello = initialize_params(REVISION, &me);
    log.line("这是一个 MCP 服务器，正在等待一行一条的 JSON-RPC 消息；Ctrl-D 结束。");
    log.line(
        "This is an MCP server. It waits for JSON-RPC messages, one a line; \
         Ctrl-D ends it.",
    );
    log.line("Paste these lines, one after the other:");
    for message in [
        Message::request(1, method::INITIALIZE, Some(hello)),
        Message::notification(method::INITIALIZED, None),
        list(2),
        call(3, "echo", json!({ "text": "hello" })),
    ] {
        log.line(format_args!("  {}", String::from_utf8_lossy(&message.encode())));
    }
}

/// The server is a child of this process: the same file, over real pipes.
async fn demo(out: &Out, framing: Framing) -> anyhow::Result<()> {
    let mut child = Command::new(stage::this_program()?)
        .args(["--framing", &framing.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start the server")?;
    let stdin = child.stdin.take().context("the child has no stdin")?;
    let stdout = child.stdout.take().context("the child has no stdout")?;
    let tap = printing(out.clone(), Out::stderr());
    let mut server = Transport::new(stdout, stdin, Some(framing), tap);

    handshake(out, &mut server).await?;
    tools(out, &mut server).await?;
    failures(out, &mut server).await?;

    out.heading(4, "输入结束", "end of input");
    server.sender.close();
    let end = timeout(PATIENCE, child.wait()).await;
    let status = end.context("the server does not end")??;
    out.line(format_args!("  · server: {status}"));
    ensure!(status.success(), "the server failed");
    Ok(())
}

async fn handshake(out: &Out, server: &mut Transport) -> anyhow::Result<()> {
    out.heading(1, "握手", "handshake");
    let params = initialize_params(REVISION, &Peer::new("a-person", "1.0.0"));
    ask(server, Message::request(1, method::INITIALIZE, Some(params))).await?;
    let initialized = Message::notification(method::INITIALIZED, None);
    server.sender.send(initialized.encode()).await?;
    Ok(())
}

async fn tools(out: &Out, server: &mut Transport) -> anyhow::Result<()> {
    out.heading(2, "列出并调用工具", "list the tools, call one");
    ask(server, list(2)).await?;
    ask(server, call(3, "echo", json!({ "text": "hello from MCP" }))).await
}

async fn failures(out: &Out, server: &mut Transport) -> anyhow::Result<()> {
    out.heading(3, "两种失败", "two kinds of failure");
    out.line("  · a tool that fails: a result that the model can read");
    ask(server, call(4, "echo", json!({ "text": 5 }))).await?;
    out.line("  · a tool that does not exist: a protocol error");
    ask(server, call(5, "no_such_tool", json!({}))).await
}

fn list(id: i128) -> Message {
    Message::request(id, method::TOOLS_LIST, None)
}

fn call(id: i128, name: &str, arguments: Value) -> Message {
    let params: Map<_, _> = object(json!({ "name": name, "arguments": arguments }));
    Message::request(id, method::TOOLS_CALL, Some(params))
}

// ANCHOR: ask
/// Sends one request and waits for the answer that carries its id.
async fn ask(server: &mut Transport, message: Message) -> anyhow::Result<()> {
    server.sender.send(message.encode()).await?;
    let Message::Request(request) = message else {
        bail!("only a request is answered")
    };
    let answer = timeout(PATIENCE, server.receiver.receive()).await;
    let body = answer.context("no answer")?.context("the server ended early")??;
    match jsonrpc::parse(&body)? {
        Message::Response(answer) if answer.id.as_ref() == Some(&request.id) => Ok(()),
        other => bail!("expected the answer to {}, got {other:?}", request.id),
    }
}
// ANCHOR_END: ask
