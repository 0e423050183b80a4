//! The bench: it starts servers, and a client's end of their pipes that sends whatever
//! bytes one likes.

use anyhow::{Context, bail};
use clap::ValueEnum;
use mcp_from_scratch::{
    cli::echo::this_program,
    cli::output::{Out, printing},
    client::{Client, ClientConfig},
    frame::Framing,
    jsonrpc::{self, Message, Response},
    process::{Exit, Process, SHUTDOWN_WAIT, ServerCommand},
    protocol::{self, Implementation},
    transcript::{self, Direction, escape_untrusted},
    transport::{Receiver, Tap, Transport, silent},
};
use serde_json::{Map, Value};
use std::{fmt::Display, io};
use tokio::{io::AsyncWriteExt, process::ChildStdin};

/// The revision that is offered.
pub const VERSION: &str = "2025-06-18";

/// The servers that this file can be.
#[derive(Clone, Copy, ValueEnum)]
pub enum Kind {
    Echo,
    Overtaking,
    FailureAsError,
    FailureAsData,
    LogOnStdout,
    LogOnStderr,
    SameNames,
    Lingering,
    NeverAnswering,
}

/// How to start this file again as a server.
pub fn spec(kind: Kind) -> anyhow::Result<ServerCommand> {
    let kind = kind.to_possible_value().context("a kind without a name")?;
    let args = vec!["--serve".into(), kind.get_name().into()];
    Ok(ServerCommand { program: this_program()?, args, ..ServerCommand::default() })
}

pub struct Lab {
    pub out: Out,
    /// Which failure of this run it is, from 1.
    pub number: u32,
}

impl Lab {
    pub fn heading(&self, chinese: &str, english: &str) {
        self.out.heading(self.number, chinese, english);
    }

    pub fn wrong(&self, what: &str) {
        self.out.line(format_args!("  ✗ 错 / wrong: {what}"));
    }

    pub fn cause(&self, chinese: &str, english: &str) {
        self.out.line(format_args!("  = 原因 / cause: {chinese}。 {english}."));
    }

    pub fn right(&self, what: &str) {
        self.out.line(format_args!("  ✓ 对 / right: {what}"));
    }

    pub fn say(&self, text: impl Display) {
        self.out.line(format_args!(
            "  · {}",
            escape_untrusted(text.to_string().as_bytes())
        ));
    }

    /// Prints frames, and what the client notes beside them.
    pub fn tap(&self) -> Tap {
        printing(self.out.clone(), self.out.clone())
    }

    /// For servers that write to stderr: it comes at any time, between any two frames.
    pub fn frames_only(&self) -> Tap {
        printing(self.out.clone(), Out::new(io::sink()))
    }

    /// The real client of a server, after the handshake.
    pub async fn client(
        &self,
        kind: Kind,
        framing: Framing,
        tap: Tap,
    ) -> anyhow::Result<Client> {
        let client =
            Client::spawn(&spec(kind)?, framing, ClientConfig::default(), tap)?;
        shake_hands(&client).await?;
        Ok(client)
    }

    /// A server, and a client's end of its pipes without a client.
    pub fn bench(&self, kind: Kind, framing: Framing) -> anyhow::Result<Bench> {
        let (process, stdin, stdout) = Process::spawn(&spec(kind)?, silent())?;
        let pipes = Transport::over(stdout, tokio::io::sink(), framing, self.tap());
        let receiver = pipes.receiver;
        Ok(Bench { out: self.out.clone(), framing, process, stdin, receiver })
    }
}

pub async fn shake_hands(client: &Client) -> anyhow::Result<()> {
    client.initialize(VERSION).await?;
    client.initialized().await?;
    Ok(())
}

pub fn initialize(version: &str) -> Message {
    let lab = Implementation::new("failure-lab", "1.0.0");
    Message::Request(protocol::initialize(1, version, &lab))
}

pub fn initialized() -> Message {
    protocol::initialized()
}

pub fn list(id: i128) -> Message {
    Message::Request(protocol::list_tools(id, None))
}

pub fn ping(id: i128) -> Message {
    Message::Request(protocol::ping(id))
}

pub fn call(id: i128, tool: &str, arguments: Map<String, Value>) -> Message {
    Message::Request(protocol::call_tool(id, tool, arguments))
}

/// A server under the hands of faulty clients: no state, no table, no time limit.
pub struct Bench {
    out: Out,
    framing: Framing,
    process: Process,
    stdin: ChildStdin,
    receiver: Receiver,
}

impl Bench {
    /// Sends a message in a right frame, at whatever time.
    pub async fn send(&mut self, message: &Message) -> anyhow::Result<()> {
        let body = message.encode();
        self.stdin.write_all(&self.framing.encode(&body)).await?;
        self.out.line(format_args!("  {}", transcript::line(Direction::Send, &body)));
        Ok(())
    }

    /// Writes whatever bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.stdin.write_all(bytes).await?;
        self.out.line(format_args!("  write {}", escape_untrusted(bytes)));
        Ok(())
    }

    /// The next answer, whosever it is.
    pub async fn receive(&mut self) -> anyhow::Result<Response> {
        next(&mut self.receiver).await?.context("the server ended early")
    }

    pub async fn shake_hands(&mut self) -> anyhow::Result<()> {
        self.send(&initialize(VERSION)).await?;
        self.receive().await?;
        self.send(&initialized()).await
    }

    /// Ends the server's input. Returns all that it still answers, and its end.
    pub async fn end(self) -> anyhow::Result<(Vec<Response>, Exit)> {
        let Self { stdin, mut receiver, process, .. } = self;
        drop(stdin);
        let mut answers = Vec::new();
        while let Some(answer) = next(&mut receiver).await? {
            answers.push(answer);
        }
        Ok((answers, process.shut_down(SHUTDOWN_WAIT).await))
    }
}

async fn next(receiver: &mut Receiver) -> anyhow::Result<Option<Response>> {
    let Some(frame) = receiver.receive().await else { return Ok(None) };
    match jsonrpc::parse(&frame?)? {
        Message::Response(response) => Ok(Some(response)),
        other => bail!("expected an answer, got {other:?}"),
    }
}
