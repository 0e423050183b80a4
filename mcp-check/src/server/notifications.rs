//! A notification is never answered.

use super::{PING, Server};
use crate::{
    rule::{Check, Level, Rule, Verdict, failed, fine},
    wire::Received,
};

const SPEC: &str = "JSON-RPC 2.0, §4.1; MCP 2025-11-25, basic/index, Notifications";

pub fn checks() -> Vec<Check<Server>> {
    let check = |id, level, rule, run: fn(&Server) -> Verdict| Check {
        rule: Rule { id, level, rule, spec: SPEC },
        run,
    };
    vec![
        check(
            "notification-known",
            Level::Must,
            "notifications/cancelled is not answered",
            |server| unanswered(server, CANCELLED),
        ),
        check(
            "notification-unknown",
            Level::Must,
            "an unknown notification is not answered",
            |server| unanswered(server, UNKNOWN),
        ),
        check(
            "notification-call",
            Level::Must,
            "tools/call without an id is not answered",
            |server| unanswered(server, CALL),
        ),
        check(
            "notification-malformed",
            Level::Should,
            "a notification with broken params is not answered either",
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
