//! Malformed messages, and input that is not a message, do not end a session.

use super::{PING, Server};
use crate::{
    connection::Connection,
    message::Message,
    rule::{Failure, Problem, Verdict, checks, failed, passed},
};
use mcp_from_scratch::frame::Framing;

const PARSE: &str = "JSON-RPC 2.0, §5.1";
const REQUESTS: &str = "MCP 2025-11-25, basic/index, Requests; JSON-RPC 2.0, §5.1";
const WITHDRAWN: &str = "MCP 2025-06-18, changelog (batches withdrawn)";

checks! { Server:
    Must "invalid-json" "input that is not valid JSON does not end the session",
        PARSE, |it| survives(it, INVALID_JSON);
    Should "invalid-json-error" "it gets exactly one response, the error -32700",
        PARSE, invalid_json_error;
    Should "input-noise" "blank lines, or text between frames, do not end the session",
        "course", noise;
    Must "params-array" "a request with an array as params does not end the session",
        REQUESTS, |it| survives(it, PARAMS);
    Should "params-array-error" "such a request gets an error with its id",
        REQUESTS, params_array_error;
    Must "id-null" "a request with the id null does not end the session",
        REQUESTS, |it| survives(it, NULL);
    Should "id-null-refused" "such a request gets no result",
        REQUESTS, |it| no_result(it, NULL);
    Must "batch" "a batch does not end the session", WITHDRAWN, |it| survives(it, BATCH);
    Should "batch-refused" "the requests of a batch get no results",
        WITHDRAWN, |it| no_result(it, BATCH);
}

const INVALID_JSON: &str = "this is {not JSON";
const PARAMS: &str = r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}"#;
const NULL: &str = r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;
const BATCH: &str = concat!(
    r#"[{"jsonrpc":"2.0","id":6,"method":"ping"},"#,
    r#"{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
);

fn survives(server: &Server, body: &str) -> Verdict {
    let mut connection = server.ready()?;
    connection.send(body);
    is_alive(&mut connection, body)
}

fn is_alive(connection: &mut Connection, sent: &str) -> Verdict {
    connection.request(PING).map_err(|Failure { got, cause, .. }| {
        let sent = sent.escape_debug();
        Failure::new(format!("a response to a ping after `{sent}`"), got, cause)
    })?;
    passed()
}

/// Sends the body and a ping, and returns all responses except the ping's.
fn responses(server: &Server, body: &str) -> Result<Vec<Message>, Problem> {
    let mut connection = server.ready()?;
    // A late response to an earlier message does not count.
    connection.request(PING)?;
    let before = connection.received.len();
    connection.send(body);
    is_alive(&mut connection, body)?;
    connection.finish();
    let others = connection.received.into_iter().skip(before);
    let is_other = |it: &Message| {
        it.json.is_array() || it.is_response() && it.json["id"] != "ping"
    };
    Ok(others.filter(is_other).collect())
}

fn invalid_json_error(server: &Server) -> Verdict {
    let expected = "one error -32700 without an id";
    match &responses(server, INVALID_JSON)?[..] {
        [one] if one.error_code() == Some(-32700) && one.json["id"].is_null() => {
            passed()
        }
        [] => failed(expected, "nothing", "the client does not learn of its mistake"),
        [first, ..] => failed(expected, first.quoted(), "another response"),
    }
}

fn noise(server: &Server) -> Verdict {
    let mut connection = server.ready()?;
    let noise = match server.framing {
        Framing::Newline => "\n\r\n\n",
        Framing::ContentLength => "some text between frames\r\n",
    };
    connection.send_raw(noise.into());
    is_alive(&mut connection, noise)
}

fn params_array_error(server: &Server) -> Verdict {
    let expected = "an error with \"id\":5";
    match &responses(server, PARAMS)?[..] {
        [one] if one.error_code().is_some() && one.json["id"] == 5 => passed(),
        [] => failed(expected, "nothing", "the client waits until its timeout"),
        [first, ..] => failed(expected, first.quoted(), "another response"),
    }
}

fn no_result(server: &Server, body: &str) -> Verdict {
    let responses = responses(server, body)?;
    let is_result =
        |it: &&Message| it.json.get("result").is_some() || it.json.is_array();
    match responses.iter().find(is_result) {
        None => passed(),
        Some(result) => {
            failed("no result", result.quoted(), "the request was executed")
        }
    }
}
