//! Stage 6: the whole loop. A model asks for a tool that lives in another process.

use clap::Parser;
use mcp_from_scratch::{
    agent::{Entry, ScriptedModel, Turn},
    bridge::{self, Options, RemoteTool},
    client::{Client, Settings},
    console::{self, Out},
    local_tools,
    process::Spec,
    protocol::object,
    registry::{ToolRegistry, nobody_to_ask},
    stage::{self, ServerArgs, parse_call, serve_echo},
    transcript::visible,
    transport::{notes, printing},
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
    /// The revision to offer
    #[arg(long, value_name = "V", default_value = "2025-06-18")]
    protocol_version: String,
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

async fn demo(
    out: &Out,
    args: &Args,
    (name, arguments): (String, Map<String, Value>),
) -> anyhow::Result<()> {
    let (program, server_args) = args.server.program()?;
    let spec = Spec { program, args: server_args, ..Spec::default() };
    let tap = printing(out.clone(), Out::stderr());
    let client = Client::spawn(&spec, args.server.framing(), Settings::default(), tap)?;
    let whole = async {
        let listed = handshake(out, &client, &args.protocol_version).await?;
        let registry = merge(out, &client, &listed)?;
        let model = ScriptedModel::calling(&name, arguments);
        turn(out, &registry, &name, model).await
    };
    let result = stage::until_interrupted(whole).await;
    client.close().await;
    result
}

async fn handshake(
    out: &Out,
    client: &Client,
    version: &str,
) -> anyhow::Result<Vec<Value>> {
    out.heading(1, "MCP 握手（JSON-RPC 2.0 over stdio）", "handshake");
    let hello = client.initialize(version).await?;
    let info = visible(hello.info.to_string().as_bytes());
    let version = visible(hello.version.as_bytes());
    out.line(format_args!("  · server says: {info} protocol {version}"));
    client.initialized().await?;
    let listed = client.list_tools().await?;
    let names: Vec<_> =
        listed.iter().filter_map(|tool| tool["name"].as_str()).collect();
    let names = visible(names.join(", ").as_bytes());
    out.line(format_args!("  · discovered {} remote tool(s): {names}", listed.len()));
    Ok(listed)
}

fn merge(out: &Out, client: &Client, listed: &[Value]) -> anyhow::Result<ToolRegistry> {
    out.heading(
        2,
        "工具并入本地注册表（register_mcp_tools）",
        "merge into the local registry",
    );
    let mut registry = local_tools::registry("notes");
    // `register_mcp_tools` lists and merges; here the list is already on the screen.
    let forwarder = |name: &str| RemoteTool::new(client.clone(), name);
    let merged = bridge::merge(&mut registry, listed, &Options::default(), forwarder)?;
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
    Ok(registry)
}

async fn turn(
    out: &Out,
    registry: &ToolRegistry,
    tool: &str,
    mut model: ScriptedModel,
) -> anyhow::Result<()> {
    let tool = visible(tool.as_bytes());
    let chinese = format!("Agent 一轮对话（mock LLM 请求远程工具 {tool}）");
    out.heading(3, &chinese, "one agent turn");
    let mut talk = vec![Entry::User("Use the tool and tell me what it says.".into())];
    let mut seen = |entry: &Entry| {
        let text = visible(entry.text().as_bytes());
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
