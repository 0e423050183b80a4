//! An answer carries the very id of its request.

use super::Server;
use crate::rule::{Check, Level, Verdict, failed, fine};
use serde_json::Value;

const SPEC: &str = "MCP 2025-11-25, basic/index, Responses; JSON-RPC 2.0, §5";

pub fn checks() -> Vec<Check<Server>> {
    let must = Level::Must;
    vec![
        Check::new("id-number", must, "the id 7 comes back as 7", SPEC, |it| {
            same(it, "7")
        }),
        Check::new("id-zero", must, "the id 0 comes back as 0", SPEC, |it| {
            same(it, "0")
        }),
        Check::new(
            "id-string",
            must,
            "the id \"seven\" comes back as it was",
            SPEC,
            |it| same(it, "\"seven\""),
        ),
        Check::new(
            "id-digits",
            must,
            "the id \"1\" does not come back as 1",
            SPEC,
            |it| same(it, "\"1\""),
        ),
        Check::new(
            "id-long",
            must,
            "an id of 1,000 characters comes back whole",
            SPEC,
            long,
        ),
        Check::new(
            "id-wide",
            Level::Should,
            "the id 9007199254740993 (2^53 + 1) keeps its last digit",
            SPEC,
            |it| same(it, "9007199254740993"),
        ),
    ]
}

fn long(server: &Server) -> Verdict {
    same(server, &format!("\"{}\"", "x".repeat(1000)))
}

/// Asks for a ping, which every server has.
fn same(server: &Server, id: &str) -> Verdict {
    let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let sent: Value = serde_json::from_str(id).unwrap_or_default();
    server.shared(|wire| {
        let answer = wire.ask(&request)?;
        if answer.json["id"] == sent {
            return fine();
        }
        let cause = "an id is kept as it came: \"1\" and 1 are two, and 1.0 is none";
        failed(format!("\"id\":{id}"), answer.shown(), cause)
    })
}
