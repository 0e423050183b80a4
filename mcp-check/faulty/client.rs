//! The faulty client: handshake, list, two calls at once, end.

mod connection;

use connection::{Connection, Lost};
use mcp_from_scratch::frame::Framing;
use serde_json::{Value, json};
use std::{process::ExitCode, thread};

pub fn run(fault: &str, framing: Framing, command: &[&str]) -> ExitCode {
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
    if matches!(result, Err(Lost::Exit)) && fault == "ignores-death" {
        loop {
            thread::park();
        }
    }
    connection.end(result.is_ok());
    match result {
        Ok(()) if fault != "exits-with-1" => ExitCode::SUCCESS,
        Err(_) if fault == "fails-with-0" => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

fn converse(connection: &mut Connection) -> Result<(), Lost> {
    let fault = connection.fault.clone();
    let has = |name: &str| fault == name;
    let initialized = match has("skips-initialize") {
        true => json!({ "capabilities": { "tools": {} } }),
        false => initialize(connection)?,
    };
    let has_tools = initialized["capabilities"]["tools"].is_object();
    if !has_tools && !has("lists-undeclared-tools") && !has("lists-before-response") {
        return Ok(());
    }
    if !has("lists-before-response") && !has("lists-before-initialized") {
        connection.request(2, "tools/list", json!({}));
    }
    connection.response(2)?;
    let calls = [(3, "one"), (4, "two")];
    for (id, text) in calls {
        let arguments = json!({ "text": text });
        let params = json!({ "name": "echo", "arguments": arguments });
        connection.request(id, "tools/call", params);
    }
    for (id, text) in calls {
        let result = connection.response(id)?;
        println!("{text}: {}", result["content"][0]["text"]);
    }
    Ok(())
}

fn initialize(connection: &mut Connection) -> Result<Value, Lost> {
    let fault = connection.fault.clone();
    let mut params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": { "name": "faulty", "version": "1.0.0" },
    });
    if fault == "forgets-client-info" {
        params["clientInfo"] = Value::Null;
    }
    connection.request(1, "initialize", params);
    match fault.as_str() {
        "initialized-early" => {
            connection.notify("notifications/initialized", json!({}))
        }
        "lists-before-response" => connection.request(2, "tools/list", json!({})),
        _ => {}
    }
    let result = connection.response(1)?;
    if result["protocolVersion"] != "2025-11-25" && fault != "accepts-any-version" {
        return Err(Lost::Version);
    }
    let has_tools = result["capabilities"]["tools"].is_object();
    if fault == "lists-before-initialized" && has_tools {
        connection.request(2, "tools/list", json!({}));
    }
    match fault.as_str() {
        "initialized-early" | "forgets-initialized" => {}
        "initialized-with-id" => {
            connection.request(9, "notifications/initialized", json!({}));
        }
        _ => connection.notify("notifications/initialized", json!({})),
    }
    Ok(result)
}
