//! Stage 1: JSON-RPC 2.0 messages, encoded and parsed in memory, without a pipe.

#[path = "../conversation.rs"]
mod conversation;

use anyhow::{Context, Result, ensure};
use clap::Parser;
use conversation::conversation;
use mcp_from_scratch::{
    cli::output::{Out, arguments, end},
    jsonrpc::{
        INVALID_PARAMS, INVALID_REQUEST, Id, Message, PARSE_ERROR, Request, Response,
        pair, parse,
    },
    transcript::{Direction, line},
};
use serde_json::json;
use std::process::ExitCode;

/// Encodes the messages of an MCP conversation and parses them, pairs responses with
/// requests by id, and rejects malformed messages.
#[derive(Parser)]
#[command(version)]
struct Arguments {}

fn main() -> ExitCode {
    let Arguments {} = arguments();
    let out = Out::stdout();
    end(&out, run(&out))
}

fn run(out: &Out) -> Result<()> {
    round_trip(out)?;
    responses_in_any_order(out)?;
    malformed_messages(out)
}

// ANCHOR: round-trip
fn round_trip(out: &Out) -> Result<()> {
    out.heading(1, "消息的编码与解析（JSON-RPC 2.0）", "encode and parse");
    let conversation = conversation();
    for (direction, message) in &conversation {
        let body = message.encode();
        show(out, *direction, &body);
        let parsed = parse(&body)?;
        ensure!(parsed == *message, "parse(encode(m)) differs from m");
        out.line(format_args!("  · {}; parse(encode(m)) == m", describe(&parsed)));
    }
    out.line(format_args!(
        "  · {} messages encoded and parsed without a change",
        conversation.len()
    ));
    Ok(())
}
// ANCHOR_END: round-trip

fn responses_in_any_order(out: &Out) -> Result<()> {
    out.heading(2, "按 id 配对（而不是按到达顺序）", "pair responses by id");
    let (requests, responses) = requests_and_responses();
    for arrival in [2, 0, 1] {
        let response = &responses[arrival];
        show(out, Direction::Receive, &Message::Response(response.clone()).encode());
        let request =
            pair(&requests, response).context("a response without a request")?;
        ensure!(*request == requests[arrival], "paired with {}", request.method);
        out.line(format_args!("  · response to {}, id {}", request.method, request.id));
    }
    let unmatched = Response::result(Id::String("1".into()), json!({}));
    show(out, Direction::Receive, &Message::Response(unmatched.clone()).encode());
    ensure!(pair(&requests, &unmatched).is_none(), "\"1\" was paired with 1");
    out.line("  · no request has this id: the string \"1\" is not the integer 1");
    Ok(())
}

fn malformed_messages(out: &Out) -> Result<()> {
    out.heading(3, "错误的消息（错误码与原因）", "malformed messages");
    for (name, code, gets_response, body) in MALFORMED {
        out.line(format_args!("  {name}"));
        show(out, Direction::Receive, body);
        let Err(malformed) = parse(body) else {
            anyhow::bail!("`{name}` was parsed as a message");
        };
        ensure!(malformed.code == *code, "`{name}` gave {}", malformed.code);
        out.line(format_args!("  · {malformed}"));
        let reply = malformed.reply();
        ensure!(
            reply.is_some() == *gets_response,
            "`{name}`: the wrong number of responses"
        );
        match reply {
            Some(reply) => {
                show(out, Direction::Send, &Message::Response(reply).encode())
            }
            None => out.line("  · no response"),
        }
    }
    Ok(())
}

/// Name, error code, whether a server responds, body.
const MALFORMED: &[(&str, i64, bool, &[u8])] = &[
    ("not JSON", PARSE_ERROR, true, b"{\"jsonrpc\":\"2.0\",\"id\":1,"),
    (
        "not UTF-8",
        PARSE_ERROR,
        true,
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"p\xff\"}",
    ),
    (
        "a batch",
        INVALID_REQUEST,
        true,
        br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
    ),
    (
        "id null",
        INVALID_REQUEST,
        true,
        br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ),
    ("id 1.5", INVALID_REQUEST, true, br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#),
    (
        "a duplicate member",
        INVALID_REQUEST,
        true,
        br#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
    ),
    (
        "jsonrpc 1.0",
        INVALID_REQUEST,
        true,
        br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
    ),
    (
        "params in an array",
        INVALID_PARAMS,
        true,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["echo"]}"#,
    ),
    (
        "result and error at once",
        INVALID_REQUEST,
        false,
        br#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}"#,
    ),
    (
        "a notification with bad params",
        INVALID_PARAMS,
        false,
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
    ),
];

fn show(out: &Out, direction: Direction, body: &[u8]) {
    out.line(format_args!("  {}", line(direction, body)));
}

fn describe(message: &Message) -> String {
    match message {
        Message::Request(request) => {
            format!("request {}, id {}", request.method, request.id)
        }
        Message::Notification(notification) => {
            format!("notification {}, no id", notification.method)
        }
        Message::Response(response) => match &response.id {
            Some(id) => format!("response, id {id}"),
            None => "response, id unknown".into(),
        },
    }
}

/// The nth response belongs to the nth request.
fn requests_and_responses() -> (Vec<Request>, Vec<Response>) {
    let (mut requests, mut responses) = (Vec::new(), Vec::new());
    for (_, message) in conversation() {
        match message {
            Message::Request(request) => requests.push(request),
            Message::Response(response) => responses.push(response),
            Message::Notification(_) => {}
        }
    }
    (requests, responses)
}
