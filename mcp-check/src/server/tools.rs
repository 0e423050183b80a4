//! Listing tools, calling one, and a call that the tool does not like.

use super::{Call, LIST, Server, request};
use crate::rule::{Check, Level, Problem, Verdict, failed, quoted, skipped};
use serde_json::{Map, Value, json};

pub fn checks() -> Vec<Check<Server>> {
    vec![
        Check::new(
            "tools-list",
            Level::Must,
            "tools/list gives an array; a tool has a name and an object schema",
            "MCP 2025-11-25, server/tools, Listing Tools",
            list,
        ),
        Check::new(
            "tools-call",
            Level::Must,
            "a valid call is answered with content",
            "MCP 2025-11-25, server/tools, Calling Tools",
            call,
        ),
        Check::new(
            "bad-arguments",
            Level::Must,
            "arguments that do not fit are a result with isError, no error",
            "MCP 2025-11-25, server/tools, Error Handling",
            bad_arguments,
        ),
    ]
}

fn list(server: &Server) -> Verdict {
    server.shared(|wire| {
        if !server.has_tools() {
            return skipped("it declares no `tools`");
        }
        let answer = wire.ask(LIST)?;
        let Some(tools) = answer.json["result"]["tools"].as_array() else {
            return failed("a result with an array `tools`", answer.shown(), "");
        };
        let _ = server.listed.set(tools.clone());
        match tools.iter().find_map(|tool| Some((tool, wrong(tool)?))) {
            None => Ok(format!("{} tools", tools.len())),
            Some((tool, cause)) => {
                let expected = "a name, and an inputSchema with \"type\":\"object\"";
                failed(expected, quoted(tool.to_string().as_bytes()), cause)
            }
        }
    })
}

/// What is wrong with a listed tool.
fn wrong(tool: &Value) -> Option<&'static str> {
    if !tool["name"].is_string() {
        Some("`name` is no string")
    } else if !tool["inputSchema"].is_object() {
        Some("`inputSchema` is no object")
    } else if tool["inputSchema"]["type"] != "object" {
        Some("`inputSchema` must have \"type\":\"object\"")
    } else {
        None
    }
}

fn call(server: &Server) -> Verdict {
    let (name, arguments) = choose(server)?;
    server.shared(|wire| {
        let answer = wire.ask(&calling(3, &name, &arguments))?;
        let result = &answer.json["result"];
        let typed = |block: &Value| block["type"].is_string();
        let content = result["content"].as_array();
        let has_content = content.is_some_and(|it| it.iter().all(typed));
        let is_error = result["isError"] == true;
        if has_content && is_error && name != "echo" && server.call.is_none() {
            return Ok(format!(
                "called {name}, which fails on what was made up for it"
            ));
        }
        let cause = match (has_content, is_error) {
            (true, false) => return Ok(format!("called {name}")),
            (true, true) => "the tool fails with what its own schema allows",
            (false, _) => "`content` must be an array of blocks with a `type`",
        };
        failed("a result with `content`", answer.shown(), cause)
    })
}

fn bad_arguments(server: &Server) -> Verdict {
    let (name, mut arguments) = choose(server)?;
    if server.revision() < "2025-11-25" {
        return skipped(format!("{} leaves it open", server.revision()));
    }
    let Some(argument) = arguments.keys().next().cloned() else {
        return skipped(format!("{name} takes no argument that could be wrong"));
    };
    // Wrong for a string, a number, a boolean and an array alike.
    arguments.insert(argument, json!({ "of": "the wrong type" }));
    server.shared(|wire| {
        let answer = wire.ask(&calling(4, &name, &arguments))?;
        let cause = match (&answer.json["result"]["isError"], answer.error_code()) {
            (Value::Bool(true), _) => return Ok(format!("called {name}")),
            (_, Some(_)) => "a protocol error is for the program, not for the model",
            _ => "the arguments were not checked against the schema",
        };
        failed("a result with \"isError\":true", answer.shown(), cause)
    })
}

fn calling(id: u32, name: &str, arguments: &Map<String, Value>) -> String {
    request(id, "tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// What a stranger's tool does is unknown. So only an echo is called unasked, or a tool
/// that is declared to change nothing.
fn choose(server: &Server) -> Result<Call, Problem> {
    if let Some(call) = &server.call {
        return Ok(call.clone());
    }
    let tools = server.tools()?;
    let is_safe = |tool: &&Value| {
        tool["name"] == "echo" || tool["annotations"]["readOnlyHint"] == true
    };
    let minimal = |tool: &Value| {
        let arguments = minimal_arguments(&tool["inputSchema"])?;
        Some((tool["name"].as_str()?.to_owned(), arguments))
    };
    let echo = tools.iter().find(|tool| tool["name"] == "echo");
    let mut candidates = echo.into_iter().chain(tools.iter().filter(is_safe));
    match candidates.find_map(minimal) {
        Some(call) => Ok(call),
        None => skipped("no tool here is safe to call unasked; name one with --call"),
    }
}

/// A value for each required property; `None` where a type has no obvious one.
fn minimal_arguments(schema: &Value) -> Option<Map<String, Value>> {
    let mut arguments = Map::new();
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str()?;
        let property = &schema["properties"][name];
        let value = match property["enum"].get(0) {
            Some(first) => first.clone(),
            None => match property["type"].as_str()? {
                "string" => json!("hello"),
                "integer" | "number" => json!(1),
                "boolean" => json!(true),
                "array" => json!([]),
                _ => return None,
            },
        };
        arguments.insert(name.to_owned(), value);
    }
    Some(arguments)
}
