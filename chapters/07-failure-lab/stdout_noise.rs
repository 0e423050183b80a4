//! (5) A line of log on stdout, among the frames.

use crate::lab::{Kind, Lab, VERSION, call, initialize, initialized, spec};
use anyhow::{Context, bail};
use mcp_from_scratch::{
    cli::output::Out,
    frame::Framing,
    jsonrpc::Message,
    params,
    process::{Process, SHUTDOWN_WAIT},
    protocol::Implementation,
    server::Server,
    tool::{DuplicateTool, ToolResult, echo, from_fn, to_text},
    transcript::{Direction, line},
    transport::{Tap, silent},
};
use serde_json::{Map, Value};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    process::ChildStdout,
};

const FRAMINGS: [Framing; 2] = [Framing::Newline, Framing::ContentLength];

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("stdout 上的日志", "stdout-noise: a line of log on stdout");
    for framing in FRAMINGS {
        lab.wrong(&format!(
            "a server that logs on stdout ({framing}), a client that \
                            takes all for frames"
        ));
        if let Err(error) = trusting_client(lab, framing).await {
            lab.say(format_args!("the client gives up: {error:#}"));
        }
    }
    lab.cause(
        "server 的 stdout 只属于帧，日志写在那里就成了坏消息",
        "A server's stdout belongs to frames, so a line of log there is a bad message",
    );
    for framing in FRAMINGS {
        lab.right(&format!("the real client notes the noise and goes on ({framing})"));
        real_client(lab, Kind::LogOnStdout, framing, lab.tap()).await?;
    }
    lab.right("a server that logs on stderr");
    real_client(lab, Kind::LogOnStderr, Framing::Newline, lab.frames_only()).await
}

async fn real_client(
    lab: &Lab,
    kind: Kind,
    framing: Framing,
    tap: Tap,
) -> anyhow::Result<()> {
    let client = lab.client(kind, framing, tap).await?;
    let result = client.call_tool("echo", hello()).await?;
    lab.say(format_args!("the caller got: {}", to_text(&result)));
    let exit = client.close().await.context("the server was ours")?;
    for logged in exit.stderr_tail {
        lab.say(format_args!("the server's stderr: {logged}"));
    }
    Ok(())
}

fn hello() -> Map<String, Value> {
    params! { "text": "hello" }
}

async fn trusting_client(lab: &Lab, framing: Framing) -> anyhow::Result<()> {
    let (process, mut stdin, stdout) =
        Process::spawn(&spec(Kind::LogOnStdout)?, silent())?;
    let mut stdout = BufReader::new(stdout);
    let talk = async {
        for message in [initialize(VERSION), initialized(), call(2, "echo", hello())] {
            let body = message.encode();
            stdin.write_all(&framing.encode(&body)).await?;
            lab.out.line(format_args!("  {}", line(Direction::Send, &body)));
            if matches!(message, Message::Request(_)) {
                let body = next_body(framing, &mut stdout).await?;
                lab.out.line(format_args!("  {}", line(Direction::Receive, &body)));
                serde_json::from_slice::<Value>(&body).context("not JSON")?;
            }
        }
        bail!("nothing went wrong")
    };
    let result = talk.await;
    drop(stdin);
    process.shut_down(SHUTDOWN_WAIT).await;
    result
}

// ANCHOR: next-body
/// The mistake: what comes must be a message, or a header of one.
async fn next_body(
    framing: Framing,
    from: &mut BufReader<ChildStdout>,
) -> anyhow::Result<Vec<u8>> {
    let mut line = String::new();
    from.read_line(&mut line).await?;
    let line = line.trim_end();
    if framing == Framing::Newline {
        return Ok(line.into());
    }
    let Some(length) = line.strip_prefix("Content-Length: ") else {
        bail!("expected Content-Length, got `{line}`");
    };
    from.read_line(&mut String::new()).await?; // the empty line
    let mut body = vec![0; length.parse()?];
    from.read_exact(&mut body).await?;
    Ok(body)
}
// ANCHOR_END: next-body

/// The course's `echo`, with a log that goes to `log`. Stdout is the mistake: whoever
/// looks for an error prints, as everywhere else.
pub fn server(log: Out) -> Result<Server, DuplicateTool> {
    let (info, _) = echo();
    let tool = from_fn(move |arguments| {
        log.line("[echo] called");
        let text: String = arguments.required("text")?;
        Ok(ToolResult::text(&text))
    });
    Server::new(Implementation::new("chatty", "1.0.0")).with((info, tool))
}
