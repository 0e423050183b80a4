//! What is no message, or a malformed one, does not end a session.

use super::{PING, Server};
use crate::{
    rule::{Check, Failure, Level, Verdict, failed, fine},
    wire::{Received, Wire},
};
use mcp_from_scratch::frame::Framing;

pub fn checks() -> Vec<Check<Server>> {
    let must = Level::Must;
    let should = Level::Should;
    let parse = "JSON-RPC 2.0, §5.1";
    let params = "MCP 2025-11-25, basic/index, Requests; JSON-RPC 2.0, §5.1";
    let batch = "MCP 2025-06-18, changelog (batches withdrawn)";
    vec![
        Check::new(
            "junk-survived",
            must,
            "what is no JSON ends nothing",
            parse,
            |server| survived(server, JUNK),
        ),
        Check::new(
            "junk-answered",
            should,
            "it is answered once, -32700",
            parse,
            junk_answered,
        ),
        Check::new(
            "noise-survived",
            should,
            "blank lines, or text between frames, end nothing",
            "course",
            noise,
        ),
        Check::new(
            "params-array",
            must,
            "params that are an array end nothing",
            params,
            |server| survived(server, PARAMS),
        ),
        Check::new(
            "params-array-answered",
            should,
            "such a request is answered with an error and its id",
            params,
            params_answered,
        ),
        Check::new(
            "id-null",
            must,
            "a request with a null id ends nothing",
            params,
            |server| survived(server, NULL),
        ),
        Check::new("id-null-refused", should, "it gets no result", params, |server| {
            no_result(server, NULL)
        }),
        Check::new("batch", must, "a batch ends nothing", batch, |server| {
            survived(server, BATCH)
        }),
        Check::new(
            "batch-refused",
            should,
            "its items get no results",
            batch,
            |server| no_result(server, BATCH),
        ),
    ]
}

const JUNK: &str = "this is {no json";
const PARAMS: &str = r#"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}"#;
const NULL: &str = r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#;
const BATCH: &str = concat!(
    r#"[{"jsonrpc":"2.0","id":6,"method":"ping"},"#,
    r#"{"jsonrpc":"2.0","id":7,"method":"ping"}]"#,
);

fn survived(server: &Server, body: &str) -> Verdict {
    let mut wire = server.ready()?;
    wire.send(body);
    alive(&mut wire, body)
}

fn alive(wire: &mut Wire, sent: &str) -> Verdict {
    let asked = wire.ask(PING);
    asked.map_err(|Failure { got, cause, .. }| {
        Failure::new(
            format!("a ping after `{}` is answered", sent.escape_debug()),
            got,
            cause,
        )
    })?;
    fine()
}

/// Everything that is answered beside the ping.
fn answers(server: &Server, body: &str) -> Result<Vec<Received>, crate::rule::Problem> {
    let mut wire = server.ready()?;
    // A late answer to something before it does not count.
    wire.ask(PING)?;
    let before = wire.received.len();
    wire.send(body);
    alive(&mut wire, body)?;
    wire.finish();
    let others = wire.received.into_iter().skip(before);
    let is_other = |it: &Received| {
        it.json.is_array() || it.is_answer() && it.json["id"] != "are you there"
    };
    Ok(others.filter(is_other).collect())
}

fn junk_answered(server: &Server) -> Verdict {
    let answers = answers(server, JUNK)?;
    let expected = "one error -32700 without an id";
    match &answers[..] {
        [one] if one.error_code() == Some(-32700) && one.json["id"].is_null() => fine(),
        [] => {
            failed(expected, "nothing", "the client never learns that it was misread")
        }
        [first, ..] => failed(expected, first.shown(), "another answer"),
    }
}

fn noise(server: &Server) -> Verdict {
    let mut wire = server.ready()?;
    let noise = match server.framing {
        Framing::Newline => "\n\r\n\n",
        Framing::ContentLength => "some text between frames\r\n",
    };
    wire.send_raw(noise.into());
    alive(&mut wire, noise)
}

fn params_answered(server: &Server) -> Verdict {
    let answers = answers(server, PARAMS)?;
    let expected = "an error with \"id\":5";
    match &answers[..] {
        [one] if one.error_code().is_some() && one.json["id"] == 5 => fine(),
        [] => failed(expected, "nothing", "whoever sent it waits until its timeout"),
        [first, ..] => failed(expected, first.shown(), "another answer"),
    }
}

fn no_result(server: &Server, body: &str) -> Verdict {
    let answers = answers(server, body)?;
    match answers
        .iter()
        .find(|answer| answer.json.get("result").is_some() || answer.json.is_array())
    {
        None => fine(),
        Some(answer) => {
            failed("no result", answer.shown(), "it was executed all the same")
        }
    }
}
