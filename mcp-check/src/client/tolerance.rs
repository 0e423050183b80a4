//! What a server may send in between, and what some send although they may not.

use super::Client;
use crate::{
    rule::{Check, Level, Verdict, failed, fine, quoted, skipped},
    script::Script,
};
use serde_json::{Value, json};

pub fn checks() -> Vec<Check<Client>> {
    let (must, should) = (Level::Must, Level::Should);
    vec![
        Check::new(
            "answers-ping",
            must,
            "a ping of the server is answered with {}, even if its id is in use here",
            "MCP 2025-11-25, basic/utilities/ping",
            answers_ping,
        ),
        Check::new(
            "refuses-request",
            must,
            "an unknown request of the server is answered with -32601 and its id",
            "JSON-RPC 2.0, §5.1",
            refuses_request,
        ),
        Check::new(
            "notifications",
            must,
            "notifications in between, unknown ones too, disturb nothing",
            "MCP 2025-11-25, basic/index, Notifications",
            |client| {
                client
                    .undisturbed(Script::Notifications, "a notification disturbs it")?;
                fine()
            },
        ),
        Check::new(
            "pairs-by-id",
            must,
            "answers out of order reach those who asked",
            "JSON-RPC 2.0, §5",
            pairs_by_id,
        ),
        Check::new(
            "stray-answer",
            should,
            "an answer that nobody asked for is passed over",
            "course, after JSON-RPC 2.0, §5",
            |client| {
                client.undisturbed(Script::Stray, "a stray answer disturbs it")?;
                fine()
            },
        ),
        Check::new(
            "noise",
            should,
            "text on the server's stdout is passed over, and not answered",
            "course (a server MUST NOT write it: MCP 2025-11-25, basic/transports)",
            noise,
        ),
    ]
}

fn answers_ping(client: &Client) -> Verdict {
    client.plain()?;
    let run = client.run(Script::Asks)?;
    let list = run.requests().find(|it| it.json["method"] == "tools/list");
    let Some(list) = list else { return skipped("it never sends tools/list") };
    let expected =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{{}}}}", list.json["id"]);
    match run.answer(&list.json["id"]) {
        Some(answer) if answer.json["result"] == json!({}) => fine(),
        Some(answer) => {
            failed(expected, quoted(answer.text.as_bytes()), "another answer")
        }
        None => {
            let cause = "ping is not answered, or taken for the answer to its own request \
                         of that id: look for `method` first";
            failed(expected, "no answer", format!("{cause}{}", run.stderr()))
        }
    }
}

fn refuses_request(client: &Client) -> Verdict {
    client.plain()?;
    let run = client.run(Script::Asks)?;
    if !run.has_asked("tools/list") {
        return skipped("it never sends tools/list");
    }
    let expected = "the error -32601 with the id \"1\"";
    match run.answer(&json!("1")) {
        Some(answer) if answer.json["error"]["code"] == -32601 => fine(),
        Some(answer) => {
            failed(expected, quoted(answer.text.as_bytes()), "another answer")
        }
        None => {
            let cause = "it ignores requests, or its id came back as another type";
            failed(expected, "no answer", format!("{cause}{}", run.stderr()))
        }
    }
}

/// What the callers got shows only in what the client prints. A transcript may come in
/// another order, so its lines are compared as a set.
fn pairs_by_id(client: &Client) -> Verdict {
    client.plain()?;
    let ordered = client.run(Script::Ordered)?;
    let mut in_flight: Vec<&Value> = Vec::new();
    let mut together = 0;
    for event in &ordered.seen.events {
        let id = &event.json["id"];
        if event.json["method"] == "tools/call" {
            in_flight.push(id);
            together = together.max(in_flight.len());
        } else {
            in_flight.retain(|call| *call != id);
        }
    }
    if together < 2 {
        return skipped("it never has two calls in flight");
    }
    let reversed = client.run(Script::Reversed)?;
    let (expected, got) = (lines(&ordered.stdout), lines(&reversed.stdout));
    if ordered.status.is_none() || reversed.status != ordered.status {
        let cause = format!("answers out of order disturb it{}", reversed.stderr());
        return failed(ordered.end(), reversed.end(), cause);
    }
    let missing: Vec<_> = expected.iter().filter(|it| !got.contains(it)).collect();
    let Some(missing) = missing.first() else {
        return Ok(format!("{together} calls in flight"));
    };
    let other = got.iter().find(|it| !expected.contains(it));
    let got = other.map_or("no such line".into(), |it| quoted(it));
    failed(
        format!("it prints {}, as with answers in order", quoted(missing)),
        got,
        "answers are paired by their order, not by their id",
    )
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<_> = text.split(|byte| *byte == b'\n').collect();
    lines.sort_unstable();
    lines
}

fn noise(client: &Client) -> Verdict {
    let run = client.undisturbed(Script::Noise, "a line of log disturbs it")?;
    let answer = run.received().find(|it| it.json.get("error").is_some());
    match answer {
        Some(answer) => {
            let cause = "two ends that answer noise feed each other for ever";
            failed("no answer", quoted(answer.text.as_bytes()), cause)
        }
        None => fine(),
    }
}
