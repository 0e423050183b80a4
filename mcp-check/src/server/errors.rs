//! Which failure causes which error.

use super::{LIST, Server, call_unknown_tool, handshake::is_refused};
use crate::{
    message::Message,
    rule::{Verdict, checks, failed, passed, skipped},
};

const TOOLS: &str = "MCP 2025-11-25, server/tools, Error Handling";
const TOOLS_EXAMPLE: &str =
    "MCP 2025-11-25, server/tools, Error Handling (the example)";
const COURSE: &str = "course, after MCP 2025-11-25, basic/lifecycle, Initialization";

checks! { Server:
    Must "unknown-tool" "an unknown tool causes a protocol error, not a result",
        TOOLS, unknown_tool;
    Should "unknown-tool-code" "the code for an unknown tool is -32602",
        TOOLS_EXAMPLE, unknown_tool_code;
    Must "unknown-method" "an unknown method causes the error -32601",
        "JSON-RPC 2.0, §5.1", unknown_method;
    Must "initialized-request"
        "a request with the method `notifications/initialized` causes an error",
        "JSON-RPC 2.0, §4 and §5.1", initialized_request;
    Should "initialized-request-ignored" "such a request does not end the handshake",
        COURSE, initialized_request_ignored;
}

const REQUEST: &str =
    r#"{"jsonrpc":"2.0","id":4,"method":"notifications/initialized"}"#;

fn with_unknown_tool(
    server: &Server,
    id: u32,
    check: fn(&Message) -> Verdict,
) -> Verdict {
    server.shared(|connection| {
        server.skip_without_tools()?;
        check(&connection.request(&call_unknown_tool(id))?)
    })
}

fn unknown_tool(server: &Server) -> Verdict {
    with_unknown_tool(server, 5, |response| match response.error_code() {
        Some(_) => passed(),
        None => {
            let cause = "`isError` is for a tool that ran and failed; none ran here";
            failed("a JSON-RPC error", response.quoted(), cause)
        }
    })
}

fn unknown_tool_code(server: &Server) -> Verdict {
    with_unknown_tool(server, 6, |response| match response.error_code() {
        Some(-32602) => passed(),
        Some(_) => failed("the code -32602", response.quoted(), "another code"),
        None => skipped("it is not an error, see unknown-tool"),
    })
}

fn unknown_method(server: &Server) -> Verdict {
    server.shared(|connection| {
        let request = r#"{"jsonrpc":"2.0","id":8,"method":"no/such/method"}"#;
        let response = connection.request(request)?;
        match response.error_code() {
            Some(-32601) => passed(),
            Some(_) => failed("the error -32601", response.quoted(), "another code"),
            None => failed("the error -32601", response.quoted(), "a result"),
        }
    })
}

fn initialized_request(server: &Server) -> Verdict {
    let response = server.initializing()?.request(REQUEST)?;
    match response.error_code() {
        Some(code) => Ok(code.to_string()),
        None => {
            let cause = "with an id it is a request, and no request has this method";
            failed("an error", response.quoted(), cause)
        }
    }
}

fn initialized_request_ignored(server: &Server) -> Verdict {
    let mut connection = server.initializing()?;
    connection.send(REQUEST);
    is_refused(&connection.request(LIST)?)
}
