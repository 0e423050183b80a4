//! Stage 4: a client and its life cycle: new → initialized → ready → closed.

use clap::Parser;
use mcp_from_scratch::{
    cli::client::{ServerArgs, names, parse_call},
    cli::echo::{self, serve_echo},
    cli::output::{self, Out, notes},
    client::{Client, ClientError},
    frame::FramingMode,
    params,
    transcript::{MAX_SHOWN, truncate_escaped},
};
use serde_json::{Map, Value};
use std::process::ExitCode;

/// A client's life cycle, with every frame of a conversation with a real server.
///
/// Without COMMAND the server is the course's own echo server.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    server: ServerArgs,
    /// A tool to call, and its arguments [default without COMMAND: echo]
    #[arg(long, num_args = 1..=2, value_names = ["NAME", "JSON"])]
    call: Vec<String>,
}

type Call = (String, Map<String, Value>);

fn main() -> ExitCode {
    let args: Args = output::arguments();
    let out = Out::stdout();
    let result = if args.server.serve {
        echo::run(serve_echo(FramingMode::Auto, notes(Out::stderr())))
    } else {
        choose_call(&args).and_then(|call| echo::run(life_cycle(&out, &args, call)))
    };
    output::end(&out, result)
}

// ANCHOR: choose-call
/// The tools of a named server are unknown here, so none is called by default.
fn choose_call(args: &Args) -> anyhow::Result<Option<Call>> {
    if !args.call.is_empty() {
        return Ok(Some(parse_call(&args.call)?));
    }
    let echo = ("echo".to_owned(), params! { "text": "hello from MCP" });
    Ok((!args.server.is_foreign()).then_some(echo))
}
// ANCHOR_END: choose-call

// ANCHOR: life-cycle
async fn life_cycle(out: &Out, args: &Args, call: Option<Call>) -> anyhow::Result<()> {
    let work = async |client: &Client| {
        start(out, client).await;
        handshake(out, client, &args.server.protocol_version).await?;
        use_tools(out, client, call).await?;
        close(out, client).await;
        Ok(())
    };
    args.server.with_client(out, work).await
}
// ANCHOR_END: life-cycle

async fn start(out: &Out, client: &Client) {
    out.heading(1, "启动服务器进程", "start the server process");
    state(out, client);
    refused(out, "tools/list", client.list_tools().await.err());
    refused(out, "initialized", client.initialized().await.err());
}

async fn handshake(out: &Out, client: &Client, version: &str) -> anyhow::Result<()> {
    out.heading(2, "握手", "handshake");
    let result = client.initialize(version).await?;
    state(out, client);
    out.line(format_args!("  · server says: {result}"));
    refused(out, "tools/list", client.list_tools().await.err());
    client.initialized().await?;
    state(out, client);
    refused(out, "initialize", client.initialize(&result.version).await.err());
    Ok(())
}

async fn use_tools(
    out: &Out,
    client: &Client,
    call: Option<Call>,
) -> anyhow::Result<()> {
    out.heading(3, "列出并调用工具", "list the tools and call one");
    let tools = client.list_tools().await?;
    let names = names(&tools);
    out.line(format_args!("  · discovered {} tool(s): {names}", tools.len()));
    let Some((name, arguments)) = call else {
        out.line("  · no tool is called; choose one with --call NAME JSON");
        return Ok(());
    };
    let result = client.call_tool(&name, arguments).await?;
    let kind = if result.is_error { "the tool failed" } else { "result" };
    let content = Value::from(result.content).to_string();
    let content = truncate_escaped(content.as_bytes(), MAX_SHOWN);
    out.line(format_args!("  · {kind}: {content}"));
    Ok(())
}

async fn close(out: &Out, client: &Client) {
    out.heading(4, "关闭", "close");
    let exit = client.close().await;
    state(out, client);
    if let Some(status) = exit.and_then(|exit| exit.status) {
        out.line(format_args!("  · server process: {status}"));
    }
    refused(out, "tools/list", client.list_tools().await.err());
}

fn state(out: &Out, client: &Client) {
    out.line(format_args!("  · state: {}", client.state()));
}

fn refused(out: &Out, what: &str, error: Option<ClientError>) {
    match error {
        Some(error) => out.line(format_args!("  · {what} refused: {error}")),
        None => out.line(format_args!("  · {what} was NOT refused")),
    }
}
