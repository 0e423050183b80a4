//! A response has exactly the id of its request.

use super::Server;
use crate::rule::{Verdict, checks, failed, passed};
use serde_json::Value;

const SOURCE: &str = "MCP 2025-11-25, basic/index, Responses; JSON-RPC 2.0, §5";

checks! { Server:
    Must "id-number" "the id 7 is returned as 7", SOURCE, |it| same(it, "7");
    Must "id-zero" "the id 0 is returned as 0", SOURCE, |it| same(it, "0");
    Must "id-string" "the id \"seven\" is returned unchanged",
        SOURCE, |it| same(it, "\"seven\"");
    Must "id-digits" "the id \"1\" is not returned as 1", SOURCE, |it| same(it, "\"1\"");
    Must "id-long" "an id of 1,000 characters is returned unchanged", SOURCE, long;
    Should "id-large" "the id 9007199254740993 (2^53 + 1) is returned exactly",
        SOURCE, |it| same(it, "9007199254740993");
}

fn long(server: &Server) -> Verdict {
    same(server, &format!("\"{}\"", "x".repeat(1000)))
}

/// Sends a ping, which every server supports.
fn same(server: &Server, id: &str) -> Verdict {
    let request = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let sent: Value = serde_json::from_str(id).unwrap_or_default();
    server.shared(|connection| {
        let response = connection.request(&request)?;
        if response.json["id"] == sent {
            return passed();
        }
        let cause = "an id is returned unchanged: \"1\" and 1 differ, 1.0 is not an id";
        failed(format!("\"id\":{id}"), response.quoted(), cause)
    })
}
