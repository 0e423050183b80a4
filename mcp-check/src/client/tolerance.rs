//! What a server may send at any time, and what some servers send against the rules.

use super::Client;
use crate::{
    rule::{Verdict, checks, failed, passed, quoted, skipped},
    script::Script,
};
use serde_json::{Value, json};

const NOISE: &str =
    "course (a server MUST NOT write it: MCP 2025-11-25, basic/transports)";

checks! { Client:
    Must "server-ping"
        "a ping from the server returns {}, even if the client uses the same id",
        "MCP 2025-11-25, basic/utilities/ping", ping;
    Must "unknown-request"
        "an unknown request from the server causes the error -32601 with its id",
        "JSON-RPC 2.0, §5.1", unknown_request;
    Must "notifications" "notifications, also unknown ones, do not disturb the client",
        "MCP 2025-11-25, basic/index, Notifications", notifications;
    Must "pairs-by-id" "responses out of order reach the right callers",
        "JSON-RPC 2.0, §5", pairs_by_id;
    Should "stray-response" "a response to an unknown id is ignored",
        "course, after JSON-RPC 2.0, §5", stray_response;
    Should "stdout-noise" "text on the server's stdout is ignored and gets no response",
        NOISE, noise;
}

fn ping(client: &Client) -> Verdict {
    let run = client.other_run(Script::Requests)?;
    let Some(list) = run.request("tools/list") else {
        return skipped("it never sends tools/list");
    };
    let id = &list.json["id"];
    let expected = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}");
    match run.response(id) {
        Some(response) if response.json["result"] == json!({}) => passed(),
        Some(response) => failed(expected, response.quoted(), "another response"),
        None => {
            let cause = "it ignores ping, or takes it for the response to its own \
                         request with that id: look for `method` first";
            failed(expected, "no response", format!("{cause}{}", run.stderr))
        }
    }
}

fn unknown_request(client: &Client) -> Verdict {
    let run = client.other_run(Script::Requests)?;
    if run.request("tools/list").is_none() {
        return skipped("it never sends tools/list");
    }
    let expected = "the error -32601 with the id \"1\"";
    match run.response(&json!("1")) {
        Some(response) if response.error_code() == Some(-32601) => passed(),
        Some(response) => failed(expected, response.quoted(), "another response"),
        None => {
            let cause = "it ignores requests, or returns the id as another type";
            failed(expected, "no response", format!("{cause}{}", run.stderr))
        }
    }
}

fn notifications(client: &Client) -> Verdict {
    client.undisturbed(Script::Notifications, "a notification disturbs it")?;
    passed()
}

/// Only what a client prints shows what its callers got. Its lines may come in another
/// order, so they are compared as a set.
fn pairs_by_id(client: &Client) -> Verdict {
    let ordered = client.other_run(Script::Ordered)?;
    let mut in_flight: Vec<&Value> = Vec::new();
    let mut overlapping = 0;
    for recorded in &ordered.record.messages {
        let id = &recorded.message.json["id"];
        if recorded.message.has_method("tools/call") {
            in_flight.push(id);
            overlapping = overlapping.max(in_flight.len());
        } else {
            in_flight.retain(|call| *call != id);
        }
    }
    if overlapping < 2 {
        return skipped("it never has two calls in flight");
    }
    let reversed = client.run(Script::Reversed)?;
    if ordered.status.is_none() || reversed.status != ordered.status {
        let cause = format!("responses out of order disturb it{}", reversed.stderr);
        return failed(ordered.exit(), reversed.exit(), cause);
    }
    let lines = |stdout| <[u8]>::split(stdout, |byte| *byte == b'\n');
    let (expected, got) = (lines(&ordered.stdout), lines(&reversed.stdout));
    let (expected, got): (Vec<_>, Vec<_>) = (expected.collect(), got.collect());
    let Some(missing) = expected.iter().find(|line| !got.contains(line)) else {
        return Ok(format!("{overlapping} calls in flight"));
    };
    let other = got.iter().find(|line| !expected.contains(line));
    failed(
        format!("it prints {}, as with responses in order", quoted(missing)),
        other.map_or("no such line".into(), |line| quoted(line)),
        "responses are paired by their order, not by their id",
    )
}

fn stray_response(client: &Client) -> Verdict {
    client.undisturbed(Script::Stray, "a response to an unknown id disturbs it")?;
    passed()
}

fn noise(client: &Client) -> Verdict {
    let run = client.undisturbed(Script::Noise, "a log line disturbs it")?;
    match run.received().find(|it| it.json.get("error").is_some()) {
        Some(response) => {
            let cause = "two sides that respond to noise never stop";
            failed("no response", response.quoted(), cause)
        }
        None => passed(),
    }
}
