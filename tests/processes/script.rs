//! Servers as shell scripts. Our ids are known beforehand: 1 is `initialize`, the
//! first request after it is 2.

use crate::common::notes::{Notes, notes};
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    process::ServerCommand,
};
use std::time::Duration;

/// Reads `initialize`, answers it, reads `initialized`.
pub const HANDSHAKE: &str = r#"
    read -r line
    printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",
        "capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}' |
        tr -d '\n'
    echo
    read -r line
"#;

/// For each step of the ladder.
pub const WAIT: Duration = Duration::from_millis(300);

pub fn shell(script: &str) -> ServerCommand {
    let args = vec!["-c".into(), script.into()];
    ServerCommand { program: "sh".into(), args, ..ServerCommand::default() }
}

/// Starts the server, without a handshake.
pub fn start(spec: &ServerCommand) -> (Client, Notes) {
    let (tap, notes) = notes();
    let settings = ClientConfig { shutdown_wait: WAIT, ..ClientConfig::default() };
    let client = Client::spawn(spec, Framing::Newline, settings, tap);
    (client.expect("sh starts"), notes)
}

/// A client in state `ready`, whose server continues with `script`.
pub async fn ready(script: &str) -> (Client, Notes) {
    let (client, notes) = start(&shell(&format!("{HANDSHAKE}{script}")));
    client.handshake().await.expect("the handshake succeeds");
    (client, notes)
}

/// The next note, which is a line of the server's stderr.
pub async fn stderr_line(notes: &mut Notes) -> String {
    let note = notes.next().await;
    note.strip_prefix("stderr: ").expect("a line of stderr").to_owned()
}
