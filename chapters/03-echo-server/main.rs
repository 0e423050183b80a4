//! Stage 3: an MCP server with one tool, on stdin and stdout.

use anyhow::{Context, bail, ensure};
use clap::Parser;
use mcp_from_scratch::{
    cli::echo::{self, REVISION, serve_echo},
    cli::output::{self, Out, notes, printing},
    frame::{Framing, FramingMode},
    jsonrpc::{self, Message, Request},
    params,
    protocol::{self, Implementation},
    transport::Transport,
};
use std::{
    io::{self, IsTerminal},
    process::{ExitCode, Stdio},
    time::Duration,
};
use tokio::{process::Command, time::timeout};

/// How long a response may take. Without a timeout, the wait may never end.
const TIMEOUT: Duration = Duration::from_secs(10);

/// An MCP server with one tool, `echo {text}`, on stdin and stdout.
///
/// Standard output carries only frames. The server ends with exit code 0 at the end of
/// its input.
#[derive(Parser)]
struct Args {
    /// auto (respond in the framing of the first message), newline or content-length
    #[arg(long, default_value = "auto", hide_default_value = true)]
    #[arg(value_name = "FRAMING")]
    framing: FramingMode,
    /// Print the transcript on stderr
    #[arg(long)]
    trace: bool,
    /// Run a whole conversation with this server and print it
    #[arg(long, conflicts_with = "trace")]
    demo: bool,
}

fn main() -> ExitCode {
    let args: Args = output::arguments();
    let out = Out::stdout();
    let result = match args.framing {
        _ if !args.demo => echo::run(serve(args.framing, args.trace)),
        FramingMode::Auto => echo::run(demo(&out, Framing::Newline)),
        FramingMode::Fixed(framing) => echo::run(demo(&out, framing)),
    };
    output::end(&out, result)
}

async fn serve(framing: FramingMode, trace: bool) -> anyhow::Result<()> {
    let log = Out::stderr();
    if io::stdin().is_terminal() {
        greet(&log, framing);
    }
    let tap = if trace { printing(log.clone(), log) } else { notes(log) };
    serve_echo(framing, tap).await
}

/// Without these lines, a person at a terminal sees only a cursor.
fn greet(log: &Out, framing: FramingMode) {
    if framing == FramingMode::Fixed(Framing::ContentLength) {
        log.line("这是一个 MCP 服务器，正在等待 Content-Length 帧；要手工输入消息，请用 --framing newline。");
        log.line(
            "This is an MCP server. It waits for Content-Length frames; \
             to type messages, use --framing newline.",
        );
        return;
    }
    let person = Implementation::new("a-person", "1.0.0");
    log.line("这是一个 MCP 服务器，正在等待 JSON-RPC 消息，每行一条；按 Ctrl-D 结束。");
    log.line(
        "This is an MCP server. It waits for JSON-RPC messages, one per line; \
         Ctrl-D ends it.",
    );
    log.line("Paste these lines, one at a time:");
    for message in [
        Message::Request(protocol::initialize(1, REVISION, &person)),
        protocol::initialized(),
        Message::Request(protocol::list_tools(2, None)),
        Message::Request(protocol::call_tool(3, "echo", params! { "text": "hello" })),
    ] {
        log.line(format_args!("  {}", String::from_utf8_lossy(&message.encode())));
    }
}

/// The server is a child of this process: the same executable, over real pipes.
async fn demo(out: &Out, framing: Framing) -> anyhow::Result<()> {
    let mut child = Command::new(echo::this_program()?)
        .args(["--framing", &framing.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("cannot start the server")?;
    let stdin = child.stdin.take().context("the child has no stdin")?;
    let stdout = child.stdout.take().context("the child has no stdout")?;
    let tap = printing(out.clone(), Out::stderr());
    let mut server = Transport::over(stdout, stdin, framing, tap);

    handshake(out, &mut server).await?;
    tools(out, &mut server).await?;
    failures(out, &mut server).await?;

    out.heading(4, "输入结束", "end of input");
    server.sender.close();
    let end = timeout(TIMEOUT, child.wait()).await;
    let status = end.context("the server does not exit")??;
    out.line(format_args!("  · server: {status}"));
    ensure!(status.success(), "the server failed");
    Ok(())
}

async fn handshake(out: &Out, server: &mut Transport) -> anyhow::Result<()> {
    out.heading(1, "握手", "handshake");
    let person = Implementation::new("a-person", "1.0.0");
    request(server, protocol::initialize(1, REVISION, &person)).await?;
    server.sender.send_and_flush(protocol::initialized().encode()).await?;
    Ok(())
}

async fn tools(out: &Out, server: &mut Transport) -> anyhow::Result<()> {
    out.heading(2, "列出并调用工具", "list the tools and call one");
    request(server, protocol::list_tools(2, None)).await?;
    let arguments = params! { "text": "hello from MCP" };
    request(server, protocol::call_tool(3, "echo", arguments)).await
}

async fn failures(out: &Out, server: &mut Transport) -> anyhow::Result<()> {
    out.heading(3, "两种失败", "two kinds of failure");
    out.line("  · a tool that fails: a result with isError, which the model can read");
    request(server, protocol::call_tool(4, "echo", params! { "text": 5 })).await?;
    out.line("  · an unknown tool: a protocol error");
    request(server, protocol::call_tool(5, "no_such_tool", params! {})).await
}

// ANCHOR: request
/// Sends one request and waits for the response that carries its id.
async fn request(server: &mut Transport, request: Request) -> anyhow::Result<()> {
    let id = request.id.clone();
    server.sender.send_and_flush(Message::Request(request).encode()).await?;
    let frame = timeout(TIMEOUT, server.receiver.receive()).await;
    let body = frame.context("no response")?.context("the server ended early")??;
    match jsonrpc::parse(&body)? {
        Message::Response(response) if response.id.as_ref() == Some(&id) => Ok(()),
        other => bail!("expected the response to {id}, got {other:?}"),
    }
}
// ANCHOR_END: request
