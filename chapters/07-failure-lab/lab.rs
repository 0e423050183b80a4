//! Starts the lab's servers, with the real client or with a raw connection, and prints.

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

/// The revision that the clients offer.
pub const VERSION: &str = "2025-06-18";

/// The lab's servers, by the name after `--serve`.
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
    NeverResponding,
}

/// The command that starts this program as a server.
pub fn server_command(kind: Kind) -> anyhow::Result<ServerCommand> {
    let kind = kind.to_possible_value().context("a server without a name")?;
    let args = vec!["--serve".into(), kind.get_name().into()];
    Ok(ServerCommand { program: this_program()?, args, ..ServerCommand::default() })
}

pub struct Lab {
    pub out: Out,
    /// The number of the failure in this run, from 1.
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

    pub fn print(&self, text: impl Display) {
        self.out.line(format_args!(
            "  · {}",
            escape_untrusted(text.to_string().as_bytes())
        ));
    }

    /// Prints frames and the client's notes.
    pub fn tap(&self) -> Tap {
        printing(self.out.clone(), self.out.clone())
    }

    /// Prints no notes. A server's stderr arrives at any time, so notes about it would
    /// be at another place in each run.
    pub fn frames_only(&self) -> Tap {
        printing(self.out.clone(), Out::new(io::sink()))
    }

    /// Starts a server and returns the real client after the handshake.
    pub async fn client(
        &self,
        kind: Kind,
        framing: Framing,
        tap: Tap,
    ) -> anyhow::Result<Client> {
        let client = Client::spawn(
            &server_command(kind)?,
            framing,
            ClientConfig::default(),
            tap,
        )?;
        handshake(&client).await?;
        Ok(client)
    }

    /// Starts a server and returns a raw connection to it.
    pub fn connect(
        &self,
        kind: Kind,
        framing: Framing,
    ) -> anyhow::Result<RawConnection> {
        let (process, stdin, stdout) =
            Process::spawn(&server_command(kind)?, silent())?;
        let pipes = Transport::over(stdout, tokio::io::sink(), framing, self.tap());
        let receiver = pipes.receiver;
        Ok(RawConnection { out: self.out.clone(), framing, process, stdin, receiver })
    }
}

pub async fn handshake(client: &Client) -> anyhow::Result<()> {
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

/// A connection for faulty clients: it has no state, no pending requests, no timeout.
pub struct RawConnection {
    out: Out,
    framing: Framing,
    process: Process,
    stdin: ChildStdin,
    receiver: Receiver,
}

impl RawConnection {
    /// Sends a message in a correct frame, even if the server does not expect it.
    pub async fn send(&mut self, message: &Message) -> anyhow::Result<()> {
        let body = message.encode();
        self.stdin.write_all(&self.framing.encode(&body)).await?;
        self.out.line(format_args!("  {}", transcript::line(Direction::Send, &body)));
        Ok(())
    }

    /// Writes the bytes unchanged.
    pub async fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.stdin.write_all(bytes).await?;
        self.out.line(format_args!("  write {}", escape_untrusted(bytes)));
        Ok(())
    }

    /// The next response, whatever its id is.
    pub async fn receive(&mut self) -> anyhow::Result<Response> {
        next(&mut self.receiver).await?.context("the server ended early")
    }

    pub async fn handshake(&mut self) -> anyhow::Result<()> {
        self.send(&initialize(VERSION)).await?;
        self.receive().await?;
        self.send(&initialized()).await
    }

    /// Closes the server's input. Returns the remaining responses and how the server
    /// ended.
    pub async fn end(self) -> anyhow::Result<(Vec<Response>, Exit)> {
        let Self { stdin, mut receiver, process, .. } = self;
        drop(stdin);
        let mut responses = Vec::new();
        while let Some(response) = next(&mut receiver).await? {
            responses.push(response);
        }
        Ok((responses, process.shut_down(SHUTDOWN_WAIT).await))
    }
}

async fn next(receiver: &mut Receiver) -> anyhow::Result<Option<Response>> {
    let Some(frame) = receiver.receive().await else { return Ok(None) };
    match jsonrpc::parse(&frame?)? {
        Message::Response(response) => Ok(Some(response)),
        other => bail!("expected a response, got {other:?}"),
    }
}
