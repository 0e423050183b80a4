//! What a client sends, and when.

use super::{Client, Run};
use crate::{
    clean,
    rule::{Verdict, checks, failed, passed, skipped},
    script::Script,
};
use serde_json::Value;

const LIFECYCLE: &str = "MCP 2025-11-25, basic/lifecycle, Initialization";

checks! { Client:
    Must "conversation" "with a correct server, the client exits with status 0",
        "course", conversation;
    Must "initialize-first"
        "initialize is the first request (server/discover may precede it)",
        LIFECYCLE, initialize_first;
    Must "initialize-params"
        "initialize has protocolVersion, capabilities and clientInfo",
        LIFECYCLE, initialize_params;
    Must "initialized-in-order"
        "`initialized` follows the response to initialize and precedes other requests",
        LIFECYCLE, initialized_in_order;
    Should "quiet-before-response"
        "before the response to initialize, the client sends no request except ping",
        LIFECYCLE, quiet_before_response;
    Must "ids" "an id is a string or an integer, and none is used twice",
        "MCP 2025-11-25, basic/index, Requests", ids;
    Must "messages-only" "every byte to the server belongs to a message",
        "MCP 2025-11-25, basic/transports, stdio", messages_only;
}

fn conversation(client: &Client) -> Verdict {
    let run = client.run(Script::Plain)?;
    let expected = "it uses the server that it is given, and exits with status 0";
    if run.received().next().is_none() {
        let cause = match run.servers {
            0 => "it started no server; is `{server}` in the right place?",
            _ => "it started the server, and sent nothing in this framing",
        };
        return failed(expected, run.exit(), format!("{cause}{}", run.stderr));
    }
    match run.status {
        Some(status) if status.success() => Ok(run.summary()),
        _ => failed(expected, run.summary(), run.stderr.trim_start_matches("; ")),
    }
}

fn initialize_first(client: &Client) -> Verdict {
    let run = client.plain()?;
    let first =
        run.requests().find(|it| !it.has_method_of(&["server/discover", "ping"]));
    match first {
        Some(first) if first.has_method("initialize") => passed(),
        Some(first) => failed("initialize", first.quoted(), ""),
        None => failed("initialize", "no such request", ""),
    }
}

fn initialize_params(client: &Client) -> Verdict {
    let run = client.plain()?;
    let Some(request) = run.request("initialize") else {
        return skipped("it never sends initialize");
    };
    let params = &request.json["params"];
    let cause = if !params["protocolVersion"].is_string() {
        "`protocolVersion` is not a string"
    } else if !params["capabilities"].is_object() {
        "`capabilities` is not an object"
    } else if !params["clientInfo"]["name"].is_string()
        || !params["clientInfo"]["version"].is_string()
    {
        "`clientInfo` needs the strings `name` and `version`"
    } else {
        return Ok(format!("offers {}", params["protocolVersion"]));
    };
    failed("all three", request.quoted(), cause)
}

/// The position of the response to initialize in the record.
pub fn initialize_response(run: &Run) -> Option<usize> {
    run.record.messages.iter().position(|it| {
        let name = &it.message.json["result"]["serverInfo"]["name"];
        !it.is_received && name == "mcp-check"
    })
}

fn initialized_in_order(client: &Client) -> Verdict {
    let run = client.plain()?;
    let Some(response) = initialize_response(&run) else {
        return skipped("it never sends initialize");
    };
    let messages = &run.record.messages;
    let expected = "initialize, its response, notifications/initialized, the rest";
    let initialized = messages.iter().position(|it| {
        it.is_received && it.message.has_method("notifications/initialized")
    });
    let Some(initialized) = initialized else {
        return failed(expected, "no notifications/initialized", "it is missing");
    };
    let message = &messages[initialized].message;
    if message.is_request() {
        return failed(
            "a notification",
            message.quoted(),
            "with an id it is a request",
        );
    }
    if initialized < response {
        return failed(expected, message.quoted(), "it was sent before the response");
    }
    let between = messages[response..initialized].iter();
    let requests = between.filter(|it| it.is_received && it.message.is_request());
    let mut early = requests.map(|it| &it.message).filter(|it| !it.has_method("ping"));
    match early.next() {
        Some(early) => {
            let cause = "the server does not know yet that the client is ready";
            failed(expected, early.quoted(), cause)
        }
        None => passed(),
    }
}

fn quiet_before_response(client: &Client) -> Verdict {
    let run = client.plain()?;
    let messages = &run.record.messages;
    let end = initialize_response(&run).unwrap_or(messages.len());
    let allowed = ["initialize", "server/discover", "ping"];
    let mut requests = messages[..end].iter().map(|it| &it.message);
    match requests.find(|it| it.is_request() && !it.has_method_of(&allowed)) {
        Some(early) => {
            let cause = "nothing is negotiated yet; a server may refuse it, or die";
            failed("no request except ping", early.quoted(), cause)
        }
        None => passed(),
    }
}

fn ids(client: &Client) -> Verdict {
    let run = client.plain()?;
    let mut used: Vec<&Value> = Vec::new();
    for message in run.received().filter(|it| !it.is_response()) {
        let Some(id) = message.json.get("id") else { continue };
        if !(id.is_string() || id.is_i64() || id.is_u64()) {
            return failed("a string or an integer", message.quoted(), "another type");
        }
        if used.contains(&id) {
            return failed("a new id", message.quoted(), "the id was used before");
        }
        used.push(id);
    }
    Ok(format!("{} requests", used.len()))
}

fn messages_only(client: &Client) -> Verdict {
    let run = client.plain()?;
    let messages = clean::count_messages(&run.record.raw, client.framing, false)?;
    Ok(format!("{messages} messages"))
}
