//! Stage 6: the whole loop. A model calls a tool that runs in another process.

use anyhow::ensure;
use clap::Parser;
use mcp_from_scratch::{
    agent::{Entry, ScriptedModel, Turn},
    bridge::{self, Options},
    cli::client::{ServerArgs, names, parse_call},
    cli::echo::{self, serve_echo},
    cli::output::{self, Out, notes},
    client::Client,
    frame::FramingMode,
    local_tools, params,
    registry::{ToolRegistry, deny_all},
    transcript::{MAX_SHOWN, escape_untrusted, truncate_escaped},
};
use serde_json::{Map, Value};
use std::process::ExitCode;

/// One agent turn: from the model through registry and wire to the server, and back.
///
/// Without COMMAND the server is the course's own echo server.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    server: ServerArgs,
    /// The call that the scripted model makes [default: echo {"text":"hello from MCP"}]
    #[arg(long, num_args = 1..=2, value_names = ["NAME", "JSON"])]
    call: Vec<String>,
}

fn main() -> ExitCode {
    let args: Args = output::arguments();
    let out = Out::stdout();
    let result = if args.server.serve {
        echo::run(serve_echo(FramingMode::Auto, notes(Out::stderr())))
    } else {
        choose_call(&args.call).and_then(|call| echo::run(demo(&out, &args, call)))
    };
    output::end(&out, result)
}

fn choose_call(words: &[String]) -> anyhow::Result<(String, Map<String, Value>)> {
    if words.is_empty() {
        return Ok(("echo".into(), params! { "text": "hello from MCP" }));
    }
    Ok(parse_call(words)?)
}

// ANCHOR: demo
async fn demo(
    out: &Out,
    args: &Args,
    (name, arguments): (String, Map<String, Value>),
) -> anyhow::Result<()> {
    let whole = async |client: &Client| {
        let listed = handshake(out, client, &args.server.protocol_version).await?;
        let (registry, remote) = merge(out, client, &listed)?;
        ensure!(registry.contains(&name), "there is no tool `{name}` to call");
        let model = ScriptedModel::calling(&name, arguments);
        title(out, &name, remote.contains(&name));
        turn(out, &registry, model).await
    };
    args.server.with_client(out, whole).await
}
// ANCHOR_END: demo

async fn handshake(
    out: &Out,
    client: &Client,
    version: &str,
) -> anyhow::Result<Vec<Value>> {
    out.heading(1, "MCP 握手（JSON-RPC 2.0 over stdio）", "handshake");
    let result = client.initialize(version).await?;
    out.line(format_args!("  · server says: {result}"));
    client.initialized().await?;
    let listed = client.list_tools().await?;
    let names = names(&listed);
    out.line(format_args!("  · discovered {} remote tool(s): {names}", listed.len()));
    Ok(listed)
}

/// The registry, and the names of the tools in it that are remote.
fn merge(
    out: &Out,
    client: &Client,
    listed: &[Value],
) -> anyhow::Result<(ToolRegistry, Vec<String>)> {
    out.heading(
        2,
        "工具并入本地注册表（register_mcp_tools）",
        "merge into the local registry",
    );
    let mut registry = local_tools::registry("notes");
    // `register_mcp_tools` would list the tools again.
    let merged =
        bridge::merge_remote(&mut registry, client, listed, &Options::default())?;
    let names: Vec<_> = registry.specs().map(|spec| spec.name()).collect();
    out.line(format_args!(
        "  · merged {} remote tool(s); registry now has {} tools total",
        merged.names.len(),
        names.len()
    ));
    out.line(format_args!("    - {}", names.join(" / ")));
    for skipped in &merged.skipped {
        out.line(format_args!("  · skipped {skipped}"));
    }
    Ok((registry, merged.names))
}

fn title(out: &Out, tool: &str, is_remote: bool) {
    let tool = escape_untrusted(tool.as_bytes());
    let kind = if is_remote { "远程工具" } else { "工具" };
    let chinese = format!("Agent 一轮对话（mock LLM 请求{kind} {tool}）");
    out.heading(3, &chinese, "one agent turn");
}

// ANCHOR: turn
async fn turn(
    out: &Out,
    registry: &ToolRegistry,
    mut model: ScriptedModel,
) -> anyhow::Result<()> {
    let request = "Use the tool and tell me what it says.";
    let mut conversation = vec![Entry::User(request.into())];
    let mut on_entry = |entry: &Entry| {
        let text = truncate_escaped(entry.text().as_bytes(), MAX_SHOWN);
        match entry {
            Entry::User(_) => {}
            Entry::Answer(_) => out.line(text),
            Entry::Call(_) => out.line(format_args!("  · act   : {text}")),
            _ => out.line(format_args!("  · obs   : -> {text}")),
        }
    };
    let turn = Turn::new(registry, &deny_all);
    turn.run(&mut model, &mut conversation, &mut on_entry).await?;
    Ok(())
}
// ANCHOR_END: turn
