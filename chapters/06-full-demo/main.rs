//! Stage 6: the whole loop. A model asks for a tool that lives in another process.

use anyhow::ensure;
use clap::Parser;
use mcp_from_scratch::{
    agent::{Entry, ScriptedModel, Turn},
    bridge::{self, Options},
    client::Client,
    console::{self, Out},
    jsonrpc::object,
    launch::{ServerArgs, names, parse_call},
    local_tools,
    registry::{ToolRegistry, nobody_to_ask},
    stage::{self, serve_echo},
    transcript::{MAX_SHOWN, shortened, visible},
    transport::notes,
};
use serde_json::{Map, Value, json};
use std::process::ExitCode;

/// One agent turn: from the model over registry and wire to the server, and back.
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
    let args: Args = console::arguments();
    let out = Out::stdout();
    let result = if args.server.serve {
        stage::run(serve_echo(None, notes(Out::stderr())))
    } else {
        choose_call(&args.call).and_then(|call| stage::run(demo(&out, &args, call)))
    };
    console::end(&out, result)
}

fn choose_call(words: &[String]) -> anyhow::Result<(String, Map<String, Value>)> {
    if words.is_empty() {
        return Ok(("echo".into(), object(json!({ "text": "hello from MCP" }))));
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
    let hello = client.initialize(version).await?;
    out.line(format_args!("  · server says: {hello}"));
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
    // `register_mcp_tools` lists first; here the list is already on the screen.
    let merged =
        bridge::merge_remote(&mut registry, client, listed, &Options::default())?;
    let names: Vec<_> = registry.specs().map(|spec| spec.name.as_str()).collect();
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
    let tool = visible(tool.as_bytes());
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
    let mut talk = vec![Entry::User("Use the tool and tell me what it says.".into())];
    let mut seen = |entry: &Entry| {
        let text = shortened(entry.text().as_bytes(), MAX_SHOWN);
        match entry {
            Entry::User(_) => {}
            Entry::Answer(_) => out.line(text),
            Entry::Call(_) => out.line(format_args!("  · act   : {text}")),
            _ => out.line(format_args!("  · obs   : -> {text}")),
        }
    };
    Turn::new(registry, &nobody_to_ask).run(&mut model, &mut talk, &mut seen).await?;
    Ok(())
}
// ANCHOR_END: turn
