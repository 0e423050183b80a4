//! Which failure is which kind of error.

use super::{LIST, Server, call_nothing, handshake::refused};
use crate::{
    rule::{Check, Level, Verdict, failed, fine, skipped},
    wire::Received,
};

pub fn checks() -> Vec<Check<Server>> {
    vec![
        Check::new(
            "unknown-tool",
            Level::Must,
            "an unknown tool is a protocol error, no result",
            "MCP 2025-11-25, server/tools, Error Handling",
            unknown_tool,
        ),
        Check::new(
            "unknown-tool-code",
            Level::Should,
            "its code is -32602",
            "MCP 2025-11-25, server/tools, Error Handling (the example)",
            unknown_tool_code,
        ),
        Check::new(
            "unknown-method",
            Level::Must,
            "an unknown method is error -32601",
            "JSON-RPC 2.0, §5.1",
            unknown_method,
        ),
        Check::new(
            "initialized-with-id",
            Level::Must,
            "a request `notifications/initialized` is answered with an error",
            "JSON-RPC 2.0, §4 and §5.1",
            initialized_with_id,
        ),
        Check::new(
            "gate-kept",
            Level::Should,
            "a request `notifications/initialized` opens nothing",
            "course, after MCP 2025-11-25, basic/lifecycle, Initialization",
            gate_kept,
        ),
    ]
}

const REQUEST: &str =
    r#"{"jsonrpc":"2.0","id":4,"method":"notifications/initialized"}"#;

fn call_of_nothing(
    server: &Server,
    id: u32,
    judge: fn(&Received) -> Verdict,
) -> Verdict {
    server.shared(|wire| {
        if !server.has_tools() {
            return skipped("it declares no `tools`");
        }
        judge(&wire.ask(&call_nothing(id))?)
    })
}

fn unknown_tool(server: &Server) -> Verdict {
    call_of_nothing(server, 5, |answer| match answer.error_code() {
        Some(_) => fine(),
        None => {
            let cause = "`isError` is for tools that ran and failed; none ran here";
            failed("a JSON-RPC error", answer.shown(), cause)
        }
    })
}

fn unknown_tool_code(server: &Server) -> Verdict {
    call_of_nothing(server, 6, |answer| match answer.error_code() {
        Some(-32602) => fine(),
        Some(_) => failed("the code -32602", answer.shown(), "another code"),
        None => skipped("it is no error at all, see unknown-tool"),
    })
}

fn unknown_method(server: &Server) -> Verdict {
    server.shared(|wire| {
        let request = r#"{"jsonrpc":"2.0","id":8,"method":"no/such/method"}"#;
        let answer = wire.ask(request)?;
        match answer.error_code() {
            Some(-32601) => fine(),
            Some(_) => failed("the error -32601", answer.shown(), "another code"),
            None => failed("the error -32601", answer.shown(), "a result"),
        }
    })
}

fn initialized_with_id(server: &Server) -> Verdict {
    let mut wire = server.greeted()?;
    let answer = wire.ask(REQUEST)?;
    match answer.error_code() {
        Some(code) => Ok(code.to_string()),
        None => {
            let cause = "it has an id, so it is a request, and there is no such method";
            failed("an error", answer.shown(), cause)
        }
    }
}

fn gate_kept(server: &Server) -> Verdict {
    let mut wire = server.greeted()?;
    wire.send(REQUEST);
    let answer = wire.ask(LIST)?;
    refused(&answer)
}
