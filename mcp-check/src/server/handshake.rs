//! The handshake, its order, and ping.

use super::{INITIALIZED, LIST, OFFERED, PING, Server, call_unknown_tool, initialize};
use crate::{
    clean,
    message::Message,
    rule::{Verdict, checks, failed, passed},
};
use serde_json::{Value, json};

const LIFECYCLE: &str = "MCP 2025-11-25, basic/lifecycle, Initialization";
const NEGOTIATION: &str = "MCP 2025-11-25, basic/lifecycle, Version Negotiation";
const STDIO: &str = "MCP 2025-11-25, basic/transports, stdio";
const PING_PAGE: &str = "MCP 2025-11-25, basic/utilities/ping";
const COURSE: &str = "course, after MCP 2025-11-25, basic/lifecycle, Initialization";

checks! { Server:
    Must "handshake"
        "initialize returns protocolVersion, capabilities and serverInfo",
        LIFECYCLE, handshake;
    Must "stdout-clean" "every byte on stdout belongs to a message",
        STDIO, stdout_clean;
    Must "unknown-version"
        "the response to an unknown revision names one that the server supports",
        NEGOTIATION, unknown_version;
    Should "quiet-before-initialized"
        "before `initialized`, the server sends no request except ping",
        LIFECYCLE, quiet_before_initialized;
    Should "early-list-refused"
        "tools/list before `initialized` is refused (no code is prescribed)",
        COURSE, early_list_refused;
    Must "ping" "ping returns {}", PING_PAGE, ping;
    Should "early-ping" "ping works before `initialized`, too", LIFECYCLE, early_ping;
}

fn handshake(server: &Server) -> Verdict {
    let mut connection = server.start()?;
    let response = server.initialize(&mut connection)?;
    let result = &response.json["result"];
    let cause = if response.error_code().is_some() {
        "an error instead of a result"
    } else if !result["protocolVersion"].is_string() {
        "`protocolVersion` is not a string"
    } else if !result["capabilities"].is_object() {
        "`capabilities` is not an object"
    } else if !result["serverInfo"]["name"].is_string()
        || !result["serverInfo"]["version"].is_string()
    {
        "`serverInfo` needs the strings `name` and `version`"
    } else {
        return Ok(format!("revision {}", server.revision()));
    };
    let expected = "a result with protocolVersion, capabilities and serverInfo";
    failed(expected, response.quoted(), cause)
}

/// A whole conversation with errors in it, because servers print those.
fn stdout_clean(server: &Server) -> Verdict {
    let mut connection = server.start()?;
    // Other checks require the responses; this one looks at the bytes only.
    if server.is_silent.get() {
        connection.send(&initialize(OFFERED));
    } else {
        let _ = connection.request(&initialize(OFFERED)).and_then(|_| {
            connection.send(INITIALIZED);
            connection.request(LIST)?;
            connection.request(&call_unknown_tool(3))?;
            connection.request(r#"{"jsonrpc":"2.0","id":4,"method":"no/such/method"}"#)
        });
    }
    connection.finish();
    let is_truncated = connection.is_truncated();
    let messages =
        clean::count_messages(&connection.raw, server.framing, is_truncated)?;
    Ok(format!("{messages} messages"))
}

fn unknown_version(server: &Server) -> Verdict {
    server.skip_if_silent()?;
    let response = server.start()?.request(&initialize("1999-01-01"))?;
    let expected = "a result with a `protocolVersion` that the server supports";
    let Some(version) = response.json["result"]["protocolVersion"].as_str() else {
        let cause = "an unknown revision is not an error: the client decides";
        return failed(expected, response.quoted(), cause);
    };
    if version == "1999-01-01" {
        let cause = "it repeats the offered revision, which never existed";
        return failed(expected, response.quoted(), cause);
    }
    // Offered a revision that it supports, it must agree.
    let response = server.start()?.request(&initialize(version))?;
    if response.json["result"]["protocolVersion"] != version {
        let cause = format!("it named {version}, and does not agree when offered it");
        return failed(version, response.quoted(), cause);
    }
    Ok(format!("it named {version}"))
}

fn quiet_before_initialized(server: &Server) -> Verdict {
    let mut connection = server.initializing()?;
    connection.request(PING)?;
    let is_early = |it: &&Message| it.is_request() && !it.has_method("ping");
    match connection.received.iter().find(is_early) {
        Some(early) => {
            let cause = "the client is not ready: it has not sent `initialized`";
            failed("no request except ping", early.quoted(), cause)
        }
        None => passed(),
    }
}

fn early_list_refused(server: &Server) -> Verdict {
    is_refused(&server.initializing()?.request(LIST)?)
}

pub fn is_refused(response: &Message) -> Verdict {
    match response.error_code() {
        Some(code) => Ok(format!("{code}; this course uses -32600")),
        None => {
            let cause = "the server does not wait for `notifications/initialized`";
            failed("an error", response.quoted(), cause)
        }
    }
}

fn ping(server: &Server) -> Verdict {
    server.shared(|connection| is_pong(&connection.request(PING)?))
}

fn early_ping(server: &Server) -> Verdict {
    is_pong(&server.initializing()?.request(PING)?)
}

fn is_pong(response: &Message) -> Verdict {
    let Value::Object(mut result) = response.json["result"].clone() else {
        let cause = "ping is not implemented";
        return failed("\"result\":{}", response.quoted(), cause);
    };
    result.remove("_meta");
    match json!(result) == json!({}) {
        true => passed(),
        false => failed("\"result\":{}", response.quoted(), "the result must be empty"),
    }
}
