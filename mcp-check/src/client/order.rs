//! What a client says, and when.

use super::{Client, run::is_request};
use crate::{
    clean,
    rule::{Check, Level, Verdict, failed, fine, quoted, skipped},
    script::{
        Script,
        log::{Event, What},
    },
};
use serde_json::Value;

const LIFECYCLE: &str = "MCP 2025-11-25, basic/lifecycle, Initialization";

pub fn checks() -> Vec<Check<Client>> {
    let (must, should) = (Level::Must, Level::Should);
    vec![
        Check::new(
            "conversation",
            must,
            "with a server that does all right, the client ends with status 0",
            "course",
            conversation,
        ),
        Check::new(
            "initialize-first",
            must,
            "initialize is the first request (server/discover may precede it)",
            LIFECYCLE,
            initialize_first,
        ),
        Check::new(
            "initialize-params",
            must,
            "initialize has protocolVersion, capabilities and clientInfo",
            LIFECYCLE,
            initialize_params,
        ),
        Check::new(
            "initialized-in-time",
            must,
            "`initialized` is sent after the answer, before any other request",
            LIFECYCLE,
            initialized_in_time,
        ),
        Check::new(
            "quiet-before-answer",
            should,
            "before initialize is answered the client sends nothing but ping",
            LIFECYCLE,
            quiet_before_answer,
        ),
        Check::new(
            "ids",
            must,
            "an id is a string or an integer, and none is used twice",
            "MCP 2025-11-25, basic/index, Requests",
            ids,
        ),
        Check::new(
            "messages-only",
            must,
            "every byte to the server belongs to a message",
            "MCP 2025-11-25, basic/transports, stdio",
            messages_only,
        ),
    ]
}

fn conversation(client: &Client) -> Verdict {
    let run = client.run(Script::Plain)?;
    let expected = "it talks to the server that it is given, and ends with status 0";
    if run.received().next().is_none() {
        let cause = match run.seen.processes.is_empty() {
            true => "it started no server; is `{server}` in the right place?",
            false => "it started the server, and said nothing in this framing",
        };
        return failed(expected, run.end(), format!("{cause}{}", run.stderr()));
    }
    match run.status {
        Some(status) if status.success() => Ok(run.course()),
        _ => failed(expected, run.course(), run.stderr().trim_start_matches("; ")),
    }
}

fn initialize_first(client: &Client) -> Verdict {
    let run = client.plain()?;
    let rest = ["server/discover", "ping"];
    let first = run.requests().find(|it| {
        !it.json["method"].as_str().is_some_and(|method| rest.contains(&method))
    });
    match first {
        Some(first) if first.json["method"] == "initialize" => fine(),
        Some(first) => failed("initialize", quoted(first.text.as_bytes()), ""),
        None => failed("initialize", "no such request", ""),
    }
}

fn initialize_params(client: &Client) -> Verdict {
    let run = client.plain()?;
    let asked = run.requests().find(|it| it.json["method"] == "initialize");
    let Some(asked) = asked else {
        return skipped("it never sends initialize");
    };
    let params = &asked.json["params"];
    let cause = if !params["protocolVersion"].is_string() {
        "`protocolVersion` is no string"
    } else if !params["capabilities"].is_object() {
        "`capabilities` is no object"
    } else if !params["clientInfo"]["name"].is_string()
        || !params["clientInfo"]["version"].is_string()
    {
        "`clientInfo` needs the strings `name` and `version`"
    } else {
        return Ok(format!("offers {}", params["protocolVersion"]));
    };
    failed("all three", quoted(asked.text.as_bytes()), cause)
}

/// Where initialize was answered, among the events.
pub fn answered(events: &[Event]) -> Option<usize> {
    let hello = |it: &Event| it.json["result"]["serverInfo"]["name"] == "mcp-check";
    events.iter().position(|it| it.what == What::Sent && hello(it))
}

fn initialized_in_time(client: &Client) -> Verdict {
    let run = client.plain()?;
    let events = &run.seen.events;
    let Some(answered) = answered(events) else {
        return skipped("it never sends initialize");
    };
    let is = |it: &Event, method: &str| it.json["method"] == method;
    let received = |it: &Event| it.what == What::Received;
    let said = events
        .iter()
        .position(|it| received(it) && is(it, "notifications/initialized"));
    let expected = "initialize, its answer, notifications/initialized, all else";
    let Some(said) = said else {
        return failed(expected, "no notifications/initialized", "it was forgotten");
    };
    let text = quoted(events[said].text.as_bytes());
    if !events[said].json["id"].is_null() {
        return failed("a notification", text, "with an id it is a request");
    }
    if said < answered {
        return failed(expected, text, "it was sent before the answer came");
    }
    let early = events[answered..said]
        .iter()
        .find(|it| received(it) && is_request(&it.json) && !is(it, "ping"));
    match early {
        Some(early) => {
            let got = quoted(early.text.as_bytes());
            failed(expected, got, "the server does not know yet that it is understood")
        }
        None => fine(),
    }
}

fn quiet_before_answer(client: &Client) -> Verdict {
    let run = client.plain()?;
    let events = &run.seen.events;
    let end = answered(events).unwrap_or(events.len());
    let harmless = ["initialize", "server/discover", "ping"];
    let early = events[..end].iter().find(|it| {
        let method = it.json["method"].as_str();
        it.what == What::Received
            && is_request(&it.json)
            && !method.is_some_and(|method| harmless.contains(&method))
    });
    match early {
        Some(early) => {
            let cause = "nothing is agreed yet; a server may refuse it, or die of it";
            failed("no request but ping", quoted(early.text.as_bytes()), cause)
        }
        None => fine(),
    }
}

fn ids(client: &Client) -> Verdict {
    let run = client.plain()?;
    let mut used: Vec<&Value> = Vec::new();
    for request in run
        .received()
        .filter(|it| it.json.get("method").is_some() && it.json.get("id").is_some())
    {
        let id = &request.json["id"];
        let got = quoted(request.text.as_bytes());
        if !(id.is_string() || id.is_i64() || id.is_u64()) {
            return failed("a string or an integer", got, "another kind of id");
        }
        if used.contains(&id) {
            return failed("a new id", got, "the id was used before");
        }
        used.push(id);
    }
    Ok(format!("{} requests", used.len()))
}

fn messages_only(client: &Client) -> Verdict {
    let run = client.plain()?;
    let messages = clean::judge(&run.seen.raw, client.framing, false)?;
    Ok(format!("{messages} messages"))
}
