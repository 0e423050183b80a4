//! A notification gets no response.

use super::{PING, Server};
use crate::{
    message::Message,
    rule::{Verdict, checks, failed, passed},
};

const SOURCE: &str = "JSON-RPC 2.0, §4.1; MCP 2025-11-25, basic/index, Notifications";

checks! { Server:
    Must "notification-known" "notifications/cancelled gets no response",
        SOURCE, |it| no_response(it, CANCELLED);
    Must "notification-unknown" "an unknown notification gets no response",
        SOURCE, |it| no_response(it, UNKNOWN);
    Must "notification-call" "tools/call without an id gets no response",
        SOURCE, |it| no_response(it, CALL);
    Should "notification-malformed" "a notification with invalid params gets no response",
        SOURCE, |it| no_response(it, MALFORMED);
}

const CANCELLED: &str = concat!(
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","#,
    r#""params":{"requestId":"unknown"}}"#,
);
const UNKNOWN: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/of_mcp_check","params":{}}"#;
// The tool does not exist, so that a server that runs it anyway does no harm.
const CALL: &str =
    r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"no_such_tool"}}"#;
const MALFORMED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}"#;

/// Afterwards a ping gets its response, and no other response arrives.
fn no_response(server: &Server, notification: &str) -> Verdict {
    let mut connection = server.ready()?;
    let before = connection.received.len();
    connection.send(notification);
    connection.request(PING)?;
    connection.finish();
    let is_other = |it: &&Message| it.is_response() && it.json["id"] != "ping";
    match connection.received[before..].iter().find(is_other) {
        None => passed(),
        Some(response) => {
            let cause = "it responds to a message without an id";
            failed("no response", response.quoted(), cause)
        }
    }
}
