//! Stage 5: the tool registry with its gate, and the bridge that fills it.

use anyhow::Context;
use clap::Parser;
use mcp_from_scratch::{
    bridge::{self, Options, exposed_name, parameters, to_text},
    client::Client,
    console::{self, Out},
    jsonrpc::object,
    launch::ServerArgs,
    local_tools,
    registry::{
        Gate, Parameter, Parameters, Risk, ToolCall, ToolRegistry, nobody_to_ask,
    },
    stage::{self, serve_echo},
    transcript::{MAX_SHOWN, shortened, visible},
    transport::notes,
};
use serde_json::{Value, json};
use std::{path::PathBuf, process::ExitCode, time::SystemTime};

/// The tool registry before and after a server's tools are merged into it.
///
/// Without COMMAND the server is the course's own echo server.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    server: ServerArgs,
    /// Set before the name of every remote tool; hosts use mcp__<server>__
    #[arg(long, value_name = "P", default_value = "")]
    #[arg(hide_default_value = true)]
    prefix: String,
}

fn main() -> ExitCode {
    let args: Args = console::arguments();
    let out = Out::stdout();
    let result = if args.server.serve {
        stage::run(serve_echo(None, notes(Out::stderr())))
    } else {
        stage::run(bridge_tools(&out, &args))
    };
    console::end(&out, result)
}

async fn bridge_tools(out: &Out, args: &Args) -> anyhow::Result<()> {
    let options = Options { prefix: args.prefix.clone(), ..Options::default() };
    let parts = async |client: &Client| {
        let notes = NotesDirectory::new()?;
        let mut registry = before(out, &notes);
        let listed = list(out, client, &args.server.protocol_version).await?;
        merge(out, &mut registry, client, &listed, &options)?;
        collide(out, &mut registry, client, &listed, &options)?;
        fail_and_mend(out, &registry, &options.prefix).await?;
        gate(out, &registry).await
    };
    args.server.with_client(out, parts).await
}

/// A directory of this run's own, so that no note of the user's is touched.
struct NotesDirectory(PathBuf);

impl NotesDirectory {
    fn new() -> anyhow::Result<Self> {
        // One that was killed may have left a directory under the same process id.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
        let name = format!("mcp-from-scratch-{}-{now}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).context("cannot make a directory for notes")?;
        Ok(Self(path))
    }
}

impl Drop for NotesDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // nothing here is worth an error
    }
}

fn before(out: &Out, notes: &NotesDirectory) -> ToolRegistry {
    out.heading(1, "合并之前的注册表", "the registry before");
    let registry = local_tools::registry(&notes.0);
    show(out, &registry);
    registry
}

fn show(out: &Out, registry: &ToolRegistry) {
    let width = registry.specs().map(|spec| spec.name.len()).max().unwrap_or(0);
    for spec in registry.specs() {
        let view = view(&spec.parameters);
        out.line(format_args!("    - {:<width$}  {:<8} {view}", spec.name, spec.risk));
    }
}

/// `text: string, limit?: integer`
fn view(parameters: &Parameters) -> String {
    let one = |parameter: &Parameter| {
        let optional = if parameter.required { "" } else { "?" };
        format!("{}{optional}: {}", parameter.name, parameter.kind)
    };
    let all: Vec<_> = parameters.list.iter().map(one).collect();
    visible(format!("({})", all.join(", ")).as_bytes())
}

async fn list(out: &Out, client: &Client, version: &str) -> anyhow::Result<Vec<Value>> {
    out.heading(2, "发现远程工具", "discover the remote tools");
    client.initialize(version).await?;
    client.initialized().await?;
    let listed = client.list_tools().await?;
    for tool in &listed {
        let name = visible(tool["name"].as_str().unwrap_or("?").as_bytes());
        match parameters(&tool["inputSchema"]) {
            Ok(parameters) => {
                out.line(format_args!(
                    "  · {name}: inputSchema → {}",
                    view(&parameters)
                ));
            }
            Err(why) => {
                out.line(format_args!("  · {name}: {}", visible(why.as_bytes())))
            }
        }
    }
    Ok(listed)
}

fn merge(
    out: &Out,
    registry: &mut ToolRegistry,
    client: &Client,
    listed: &[Value],
    options: &Options,
) -> anyhow::Result<()> {
    out.heading(3, "合并之后的注册表", "the registry after");
    merge_once(out, registry, client, listed, options)?;
    show(out, registry);
    Ok(())
}

/// A name that is taken is reported. A prefix makes room.
fn collide(
    out: &Out,
    registry: &mut ToolRegistry,
    client: &Client,
    listed: &[Value],
    options: &Options,
) -> anyhow::Result<()> {
    out.heading(4, "重名与前缀", "collision and prefix");
    merge_once(out, registry, client, listed, options)?;
    let options = Options { prefix: "mcp__second__".into(), ..Options::default() };
    merge_once(out, registry, client, listed, &options)
}

fn merge_once(
    out: &Out,
    registry: &mut ToolRegistry,
    client: &Client,
    listed: &[Value],
    options: &Options,
) -> anyhow::Result<()> {
    let merged = bridge::merge_remote(registry, client, listed, options)?;
    for name in &merged.names {
        out.line(format_args!("  · merged {name}"));
    }
    for skipped in &merged.skipped {
        out.line(format_args!("  · skipped {skipped}"));
    }
    Ok(())
}

/// A failure of the remote tool comes back as text. The model reads it and mends its
/// call.
async fn fail_and_mend(
    out: &Out,
    registry: &ToolRegistry,
    prefix: &str,
) -> anyhow::Result<()> {
    out.heading(
        5,
        "远程失败是模型可读的文本",
        "a remote failure is text for the model",
    );
    let Some(echo) =
        exposed_name(prefix, "echo").ok().filter(|name| registry.contains(name))
    else {
        out.line("  · this server has no tool `echo`, so nothing is called");
        return Ok(());
    };
    for arguments in [json!({}), json!({ "text": "hello from MCP" })] {
        let call = ToolCall { name: echo.clone(), arguments: object(arguments) };
        execute(out, registry, &call, &nobody_to_ask).await?;
    }
    Ok(())
}

// ANCHOR: gate
/// The gate is asked for the very call, and knows nothing else. A yes for one file is
/// no yes for another.
async fn gate(out: &Out, registry: &ToolRegistry) -> anyhow::Result<()> {
    out.heading(6, "审批关卡", "the approval gate");
    let gate = |risk: Risk, call: &ToolCall| {
        let yes = call.arguments["name"] == "draft.md";
        let answer = if yes { "yes" } else { "no" };
        out.line(format_args!("  · gate  : {risk} {call}? {answer}"));
        yes
    };
    for (tool, arguments) in [
        ("add", json!({ "a": 2, "b": 40 })),
        ("write_note", json!({ "name": "draft.md", "text": "你好" })),
        ("delete_file", json!({ "name": "diary.md" })),
        ("delete_file", json!({ "name": "draft.md" })),
    ] {
        let call = ToolCall { name: tool.into(), arguments: object(arguments) };
        execute(out, registry, &call, &gate).await?;
    }
    Ok(())
}
// ANCHOR_END: gate

async fn execute(
    out: &Out,
    registry: &ToolRegistry,
    call: &ToolCall,
    gate: &dyn Gate,
) -> anyhow::Result<()> {
    out.line(format_args!("  · act   : {call}"));
    let outcome = registry.execute(call, gate).await?;
    let kind = if outcome.is_error { "failed" } else { "result" };
    let text = shortened(to_text(&outcome).as_bytes(), MAX_SHOWN);
    out.line(format_args!("  · {kind}: {text}"));
    Ok(())
}
