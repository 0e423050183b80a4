//! A notification is never answered.

use super::{PING, Server};
use crate::{
    rule::{Check, Level, Verdict, failed, fine},
    wire::Received,
};

const SPEC: &str = "JSON-RPC 2.0, §4.1; MCP 2025-11-25, basic/index, Notifications";

pub fn checks() -> Vec<Check<Server>> {
    vec![
        Check::new(
            "notification-known",
            Level::Must,
            "notifications/cancelled is not answered",
            SPEC,
            |server| unanswered(server, CANCELLED),
        ),
        Check::new(
            "notification-unknown",
            Level::Must,
            "an unknown notification is not answered",
            SPEC,
            |server| unanswered(server, UNKNOWN),
        ),
        Check::new(
            "notification-call",
            Level::Must,
            "tools/call without an id is not answered",
            SPEC,
            |server| unanswered(server, CALL),
        ),
        Check::new(
            "notification-malformed",
            Level::Should,
            "a notification with broken params is not answered either",
            SPEC,
            |server| unanswered(server, MALFORMED),
        ),
    ]
}

const CANCELLED: &str = concat!(
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","#,
    r#""params":{"requestId":"nobody's"}}"#,
);
const UNKNOWN: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/of_mcp_check","params":{}}"#;
// A tool that is not there, so that a server that runs it anyway does no harm.
const CALL: &str =
    r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"no_such_tool"}}"#;
const MALFORMED: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":5}"#;

/// After it a ping is answered, and nothing else is.
fn unanswered(server: &Server, notification: &str) -> Verdict {
    let mut wire = server.ready()?;
    let before = wire.received.len();
    wire.send(notification);
    wire.ask(PING)?;
    wire.finish();
    let is_stray = |it: &&Received| {
        it.is_answer() && it.json["id"] != "are you there" // the ping's
    };
    match wire.received.iter().skip(before).find(is_stray) {
        None => fine(),
        Some(stray) => {
            let cause = "a message without an id is answered";
            failed("no answer", stray.shown(), cause)
        }
    }
}
