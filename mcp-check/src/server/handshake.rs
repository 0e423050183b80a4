//! The handshake, its gate, and ping.

use super::{INITIALIZED, LIST, OFFERED, PING, Server, call_nothing, initialize};
use crate::{
    clean,
    rule::{Check, Level, Verdict, failed, fine},
    wire::Received,
};
use serde_json::{Value, json};

pub fn checks() -> Vec<Check<Server>> {
    vec![
        Check::new(
            "handshake",
            Level::Must,
            "initialize is answered with protocolVersion, capabilities, serverInfo",
            "MCP 2025-11-25, basic/lifecycle, Initialization",
            handshake,
        ),
        Check::new(
            "stdout-clean",
            Level::Must,
            "every byte on stdout belongs to a message",
            "MCP 2025-11-25, basic/transports, stdio",
            stdout_clean,
        ),
        Check::new(
            "version-unknown",
            Level::Must,
            "an unknown revision is answered with one that the server speaks",
            "MCP 2025-11-25, basic/lifecycle, Version Negotiation",
            version_unknown,
        ),
        Check::new(
            "quiet-before-initialized",
            Level::Should,
            "before `initialized` the server asks for nothing but ping",
            "MCP 2025-11-25, basic/lifecycle, Initialization",
            quiet,
        ),
        Check::new(
            "gate",
            Level::Should,
            "tools/list before `initialized` is refused (no code is prescribed)",
            "course, after MCP 2025-11-25, basic/lifecycle, Initialization",
            gate,
        ),
        Check::new(
            "ping",
            Level::Must,
            "ping is answered with {}",
            "MCP 2025-11-25, basic/utilities/ping",
            ping,
        ),
        Check::new(
            "ping-early",
            Level::Should,
            "ping is answered before `initialized` too",
            "MCP 2025-11-25, basic/lifecycle, Initialization",
            ping_early,
        ),
    ]
}

fn handshake(server: &Server) -> Verdict {
    let mut wire = server.start()?;
    let answer = server.greet(&mut wire)?;
    let result = &answer.json["result"];
    let cause = if answer.error_code().is_some() {
        "an error instead of a result"
    } else if !result["protocolVersion"].is_string() {
        "`protocolVersion` is no string"
    } else if !result["capabilities"].is_object() {
        "`capabilities` is no object"
    } else if !result["serverInfo"]["name"].is_string()
        || !result["serverInfo"]["version"].is_string()
    {
        "`serverInfo` needs the strings `name` and `version`"
    } else {
        return Ok(format!("revision {}", server.revision()));
    };
    let expected = "a result with protocolVersion, capabilities and serverInfo";
    failed(expected, answer.shown(), cause)
}

/// A whole conversation with failures in it, since those are what gets printed.
fn stdout_clean(server: &Server) -> Verdict {
    let mut wire = server.start()?;
    // Whether it answers is judged elsewhere; here only what it wrote counts.
    if server.mute.get() {
        wire.send(&initialize(OFFERED));
    } else {
        let _ = wire.ask(&initialize(OFFERED)).and_then(|_| {
            wire.send(INITIALIZED);
            wire.ask(LIST)?;
            wire.ask(&call_nothing(3))?;
            wire.ask(r#"{"jsonrpc":"2.0","id":4,"method":"no/such/method"}"#)
        });
    }
    wire.finish();
    let messages = clean::judge(&wire.raw, wire.framing(), wire.is_cut())?;
    Ok(format!("{messages} messages"))
}

fn version_unknown(server: &Server) -> Verdict {
    let mut wire = server.hopeful()?;
    let answer = wire.ask(&initialize("1999-01-01"))?;
    let expected = "a result with a `protocolVersion` that the server speaks";
    let Some(version) = answer.json["result"]["protocolVersion"].as_str() else {
        let cause =
            "an unknown revision is no error: the client decides whether to stay";
        return failed(expected, answer.shown(), cause);
    };
    if version == "1999-01-01" {
        let cause = "the offered revision is echoed, and MCP never had this one";
        return failed(expected, answer.shown(), cause);
    }
    // A revision that it does speak is answered with itself.
    let mut wire = server.hopeful()?;
    let again = wire.ask(&initialize(version))?;
    if again.json["result"]["protocolVersion"] != version {
        let cause = format!("offered its own {version}, it answers another one");
        return failed(format!("{version} again"), again.shown(), cause);
    }
    Ok(format!("answered {version}"))
}

fn quiet(server: &Server) -> Verdict {
    let mut wire = server.greeted()?;
    wire.ask(PING)?;
    let asks = |it: &&Received| {
        !it.json["id"].is_null()
            && it.json["method"].as_str().is_some_and(|method| method != "ping")
    };
    match wire.received.iter().find(asks) {
        Some(early) => {
            let cause = "the client is not ready: it has not said `initialized`";
            failed("no request but ping", early.shown(), cause)
        }
        None => fine(),
    }
}

fn gate(server: &Server) -> Verdict {
    let mut wire = server.greeted()?;
    let answer = wire.ask(LIST)?;
    refused(&answer)
}

pub fn refused(answer: &Received) -> Verdict {
    match answer.error_code() {
        Some(code) => Ok(format!("{code}; this course uses -32600")),
        None => {
            let cause = "the server does not wait for `notifications/initialized`";
            failed("an error", answer.shown(), cause)
        }
    }
}

fn ping(server: &Server) -> Verdict {
    server.shared(|wire| pong(&wire.ask(PING)?))
}

fn ping_early(server: &Server) -> Verdict {
    pong(&server.greeted()?.ask(PING)?)
}

fn pong(answer: &Received) -> Verdict {
    let Value::Object(mut result) = answer.json["result"].clone() else {
        return failed("\"result\":{}", answer.shown(), "ping is not implemented");
    };
    result.remove("_meta");
    match json!(result) == json!({}) {
        true => fine(),
        false => failed("\"result\":{}", answer.shown(), "the result must be empty"),
    }
}
