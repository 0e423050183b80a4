//! (5) A log line on stdout, between the frames.

use crate::lab::{Kind, Lab, VERSION, call, initialize, initialized, server_command};
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

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("stdout 上的日志", "stdout-noise: a log line on stdout");
    for framing in FRAMINGS {
        lab.wrong(&format!(
            "a server that logs to stdout, a client that expects frames ({framing})"
        ));
        if let Err(error) = strict_client(lab, framing).await {
            lab.print(format_args!("the client gives up: {error:#}"));
        }
    }
    lab.cause(
        "服务器的 stdout 只能传输帧，写到那里的日志会被解析为无效的消息",
        "A server's stdout carries only frames, so a client parses a log line there as \
         a malformed message",
    );
    for framing in FRAMINGS {
        lab.right(&format!("the real client logs the noise and continues ({framing})"));
        real_client(lab, Kind::LogOnStdout, framing, lab.tap()).await?;
    }
    lab.right("a server that logs to stderr");
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
    lab.print(format_args!("the caller got: {}", to_text(&result)));
    let exit = client.close().await.context("the process was already closed")?;
    for logged in exit.stderr_tail {
        lab.print(format_args!("the server's stderr: {logged}"));
    }
    Ok(())
}

fn hello() -> Map<String, Value> {
    params! { "text": "hello" }
}

async fn strict_client(lab: &Lab, framing: Framing) -> anyhow::Result<()> {
    let (process, mut stdin, stdout) =
        Process::spawn(&server_command(Kind::LogOnStdout)?, silent())?;
    let mut stdout = BufReader::new(stdout);
    let conversation = async {
        for message in [initialize(VERSION), initialized(), call(2, "echo", hello())] {
            let body = message.encode();
            stdin.write_all(&framing.encode(&body)).await?;
            lab.out.line(format_args!("  {}", line(Direction::Send, &body)));
            if matches!(message, Message::Request(_)) {
                let body = next_body(framing, &mut stdout).await?;
                lab.out.line(format_args!("  {}", line(Direction::Receive, &body)));
                serde_json::from_slice::<Value>(&body).context("not valid JSON")?;
            }
        }
        bail!("no failure occurred")
    };
    let result = conversation.await;
    drop(stdin);
    process.shut_down(SHUTDOWN_WAIT).await;
    result
}

// ANCHOR: next-body
/// The mistake: every line is expected to be a message or a header.
async fn next_body(
    framing: Framing,
    stdout: &mut BufReader<ChildStdout>,
) -> anyhow::Result<Vec<u8>> {
    let mut line = String::new();
    stdout.read_line(&mut line).await?;
    let line = line.trim_end();
    if framing == Framing::Newline {
        return Ok(line.into());
    }
    let Some(length) = line.strip_prefix("Content-Length: ") else {
        bail!("expected Content-Length, got `{line}`");
    };
    stdout.read_line(&mut String::new()).await?; // the empty line
    let mut body = vec![0; length.parse()?];
    stdout.read_exact(&mut body).await?;
    Ok(body)
}
// ANCHOR_END: next-body

/// The course's `echo`, which writes each call to `log`. With stdout, that is the
/// mistake of a developer who debugs with `print`.
pub fn server(log: Out) -> Result<Server, DuplicateTool> {
    let (info, _) = echo();
    let tool = from_fn(move |arguments| {
        log.line("[echo] called");
        let text: String = arguments.required("text")?;
        Ok(ToolResult::text(&text))
    });
    Server::new(Implementation::new("chatty", "1.0.0")).with((info, tool))
}
