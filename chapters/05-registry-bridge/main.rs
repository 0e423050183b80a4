//! Stage 5: the tool registry with its approver, and the bridge that adds remote tools.

use anyhow::Context;
use clap::Parser;
use mcp_from_scratch::{
    bridge::{self, Options, exposed_name},
    cli::client::ServerArgs,
    cli::echo::{self, serve_echo},
    cli::output::{self, Out, notes},
    client::Client,
    frame::FramingMode,
    local_tools, params,
    registry::{
        Approver, Decision, Parameter, ToolCall, ToolRegistry, ToolSpec, deny_all,
        parameters,
    },
    tool::to_text,
    transcript::{MAX_SHOWN, escape_untrusted, truncate_escaped},
};
use serde_json::Value;
use std::{path::PathBuf, process::ExitCode, time::SystemTime};

/// The tool registry before and after a server's tools are merged into it.
///
/// Without COMMAND the server is the course's own echo server.
#[derive(Parser)]
struct Args {
    #[command(flatten)]
    server: ServerArgs,
    /// The prefix of every remote tool's name; hosts use mcp__<server>__
    #[arg(long, value_name = "P", default_value = "")]
    #[arg(hide_default_value = true)]
    prefix: String,
}

fn main() -> ExitCode {
    let args: Args = output::arguments();
    let out = Out::stdout();
    let result = if args.server.serve {
        echo::run(serve_echo(FramingMode::Auto, notes(Out::stderr())))
    } else {
        echo::run(bridge_tools(&out, &args))
    };
    output::end(&out, result)
}

async fn bridge_tools(out: &Out, args: &Args) -> anyhow::Result<()> {
    let options = Options { prefix: args.prefix.clone(), ..Options::default() };
    let parts = async |client: &Client| {
        let notes = NotesDirectory::new()?;
        let mut registry = before(out, &notes);
        let listed = list(out, client, &args.server.protocol_version).await?;
        merge(out, &mut registry, client, &listed, &options)?;
        collide(out, &mut registry, client, &listed, &options)?;
        fail_and_retry(out, &registry, &options.prefix).await?;
        approve(out, &registry).await
    };
    args.server.with_client(out, parts).await
}

/// A separate directory for this run, so that no note of the user is touched.
struct NotesDirectory(PathBuf);

impl NotesDirectory {
    fn new() -> anyhow::Result<Self> {
        // A killed run may have left a directory with the same process id.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?.as_nanos();
        let name = format!("mcp-from-scratch-{}-{now}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path).context("cannot create a directory for notes")?;
        Ok(Self(path))
    }
}

impl Drop for NotesDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // after a failure the directory stays
    }
}

fn before(out: &Out, notes: &NotesDirectory) -> ToolRegistry {
    out.heading(1, "合并之前的注册表", "the registry before the merge");
    let registry = local_tools::registry(&notes.0);
    show(out, &registry);
    registry
}

fn show(out: &Out, registry: &ToolRegistry) {
    let width = registry.specs().map(|spec| spec.name().len()).max().unwrap_or(0);
    for spec in registry.specs() {
        let (name, view) = (spec.name(), view(&spec.parameters()));
        out.line(format_args!("    - {name:<width$}  {:<8} {view}", spec.risk));
    }
}

/// `text: string, limit?: integer`
fn view(parameters: &[Parameter]) -> String {
    let one = |parameter: &Parameter| {
        let optional = if parameter.required { "" } else { "?" };
        format!("{}{optional}: {}", parameter.name, parameter.kind)
    };
    let all: Vec<_> = parameters.iter().map(one).collect();
    escape_untrusted(format!("({})", all.join(", ")).as_bytes())
}

async fn list(out: &Out, client: &Client, version: &str) -> anyhow::Result<Vec<Value>> {
    out.heading(2, "发现远程工具", "discover the remote tools");
    client.initialize(version).await?;
    client.initialized().await?;
    let listed = client.list_tools().await?;
    for tool in &listed {
        let name = escape_untrusted(tool["name"].as_str().unwrap_or("?").as_bytes());
        match parameters(&tool["inputSchema"]) {
            Ok(parameters) => {
                out.line(format_args!(
                    "  · {name}: inputSchema → {}",
                    view(&parameters)
                ));
            }
            Err(why) => out
                .line(format_args!("  · {name}: {}", escape_untrusted(why.as_bytes()))),
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
    out.heading(3, "合并之后的注册表", "the registry after the merge");
    merge_once(out, registry, client, listed, options)?;
    show(out, registry);
    Ok(())
}

/// Merges the same list twice more, as if a second server had the same tools.
fn collide(
    out: &Out,
    registry: &mut ToolRegistry,
    client: &Client,
    listed: &[Value],
    options: &Options,
) -> anyhow::Result<()> {
    out.heading(4, "重名与前缀", "collision and prefix");
    out.line(
        "  · the same list, as if from a second server (its first tool is tool 0)",
    );
    merge_once(out, registry, client, listed, options)?;
    out.line("  · the same list with a prefix for the second server");
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

/// A failure of the remote tool comes back as text. The model reads it and corrects its
/// call.
async fn fail_and_retry(
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
        out.line("  · this server has no tool `echo`, so no tool is called");
        return Ok(());
    };
    for arguments in [params! {}, params! { "text": "hello from MCP" }] {
        let call = ToolCall { name: echo.clone(), arguments };
        execute(out, registry, call, &deny_all).await?;
    }
    Ok(())
}

// ANCHOR: approve
/// The approver is asked for each call, with its arguments. Approving one file does not
/// approve another.
async fn approve(out: &Out, registry: &ToolRegistry) -> anyhow::Result<()> {
    out.heading(6, "有风险的调用需要审批", "approval of risky calls");
    let approver = |spec: &ToolSpec, call: &ToolCall| {
        let allowed = call.arguments["name"] == "draft.md";
        let answer = if allowed { "yes" } else { "no" };
        out.line(format_args!("  · asks  : {} {call}? {answer}", spec.risk));
        match allowed {
            true => Decision::Allow,
            false => Decision::Deny { reason: "the user did not allow it".into() },
        }
    };
    for (tool, arguments) in [
        ("add", params! { "a": 2, "b": 40 }),
        ("write_note", params! { "name": "draft.md", "text": "你好" }),
        ("delete_file", params! { "name": "diary.md" }),
        ("delete_file", params! { "name": "draft.md" }),
    ] {
        let call = ToolCall { name: tool.into(), arguments };
        execute(out, registry, call, &approver).await?;
    }
    Ok(())
}
// ANCHOR_END: approve

async fn execute(
    out: &Out,
    registry: &ToolRegistry,
    call: ToolCall,
    approver: &dyn Approver,
) -> anyhow::Result<()> {
    out.line(format_args!("  · act   : {call}"));
    let result = registry.execute(call, approver).await?;
    let kind = if result.is_error { "failed" } else { "result" };
    let text = truncate_escaped(to_text(&result).as_bytes(), MAX_SHOWN);
    out.line(format_args!("  · {kind}: {text}"));
    Ok(())
}
