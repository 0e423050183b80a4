//! The faulty client: handshake, list, two calls at once, end.

mod connection;

use connection::{Connection, Lost};
use mcp_from_scratch::frame::Framing;
use serde_json::{Value, json};
use std::{process::ExitCode, thread::sleep, time::Duration};

pub const FAULTS: [&str; 32] = [
    "none",
    "accepts-any-version",
    "accepts-requests",
    "answers-noise",
    "asks-undeclared",
    "cancels-initialize",
    "cancels-nothing",
    "dies-of-noise",
    "dies-of-notification",
    "dies-of-stray-answer",
    "ends-with-1",
    "fails-with-0",
    "forgets-client-info",
    "forgets-initialized",
    "has-no-timeout",
    "ids-are-floats",
    "ids-repeat",
    "ignores-death",
    "ignores-ping",
    "ignores-requests",
    "initialized-early",
    "initialized-with-id",
    "kills-server",
    "leaves-server",
    "lists-before-answer",
    "lists-before-initialized",
    "looks-ids-up-first",
    "never-starts-server",
    "pairs-by-order",
    "prints-to-server",
    "silent",
    "skips-initialize",
];

pub fn talk(fault: &str, framing: Framing, command: &[&str]) -> ExitCode {
    if fault == "never-starts-server" {
        return ExitCode::SUCCESS;
    }
    let Ok(mut connection) = Connection::start(fault, framing, command) else {
        return ExitCode::from(2);
    };
    let result = match fault {
        "silent" => Ok(()),
        _ => converse(&mut connection),
    };
    if let (Err(Lost::Death), "ignores-death") = (&result, fault) {
        sleep(Duration::from_secs(60));
    }
    connection.end(result.is_ok());
    match result {
        Ok(()) if fault != "ends-with-1" => ExitCode::SUCCESS,
        Err(_) if fault == "fails-with-0" => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn converse(connection: &mut Connection) -> Result<(), Lost> {
    let fault = connection.fault.clone();
    let has = |name: &str| fault == name;
    let hello = match has("skips-initialize") {
        true => json!({ "capabilities": { "tools": {} } }),
        false => greet(connection)?,
    };
    let has_tools = hello["capabilities"]["tools"].is_object();
    if !has_tools && !has("asks-undeclared") && !has("lists-before-answer") {
        return Ok(());
    }
    if !has("lists-before-answer") && !has("lists-before-initialized") {
        connection.request(2, "tools/list", json!({}));
    }
    connection.answer(2)?;
    for (id, text) in [(3, "one"), (4, "two")] {
        let arguments = json!({ "text": text });
        connection.request(
            id,
            "tools/call",
            json!({ "name": "echo", "arguments": arguments }),
        );
    }
    for (id, text) in [(3, "one"), (4, "two")] {
        let answer = connection.answer(id)?;
        println!("{text}: {}", answer["content"][0]["text"]);
    }
    Ok(())
}

fn greet(connection: &mut Connection) -> Result<Value, Lost> {
    let fault = connection.fault.clone();
    let has = |name: &str| fault == name;
    let mut params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "faulty", "version": "1.0.0" },
    });
    if has("forgets-client-info") {
        params["clientInfo"] = Value::Null;
    }
    connection.request(1, "initialize", params);
    match fault.as_str() {
        "initialized-early" => {
            connection.notify("notifications/initialized", json!({}))
        }
        "lists-before-answer" => connection.request(2, "tools/list", json!({})),
        _ => {}
    }
    let hello = connection.answer(1)?;
    if hello["protocolVersion"] != "2025-11-25" && !has("accepts-any-version") {
        return Err(Lost::Version);
    }
    if has("lists-before-initialized") && hello["capabilities"]["tools"].is_object() {
        connection.request(2, "tools/list", json!({}));
    }
    match fault.as_str() {
        "initialized-early" | "forgets-initialized" => {}
        "initialized-with-id" => {
            connection.request(9, "notifications/initialized", json!({}));
        }
        _ => connection.notify("notifications/initialized", json!({})),
    }
    Ok(hello)
}
