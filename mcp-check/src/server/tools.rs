//! Listing tools, calling one, and calling it with invalid arguments.

use super::{Call, LIST, Server, request};
use crate::rule::{Problem, Verdict, checks, failed, quoted, skipped};
use serde_json::{Map, Value, json};

const LISTING: &str = "MCP 2025-11-25, server/tools, Listing Tools";
const CALLING: &str = "MCP 2025-11-25, server/tools, Calling Tools";
const ERRORS: &str = "MCP 2025-11-25, server/tools, Error Handling";

checks! { Server:
    Must "tools-list"
        "tools/list returns an array; each tool has a name and an object schema",
        LISTING, list;
    Must "tools-call" "a valid call returns content", CALLING, call;
    Must "invalid-arguments"
        "invalid arguments cause a result with isError, not a protocol error",
        ERRORS, invalid_arguments;
}

fn list(server: &Server) -> Verdict {
    server.shared(|connection| {
        server.skip_without_tools()?;
        let response = connection.request(LIST)?;
        let Some(tools) = response.json["result"]["tools"].as_array() else {
            return failed("a result with an array `tools`", response.quoted(), "");
        };
        let _ = server.listed.set(tools.clone());
        match tools.iter().find_map(|tool| Some((tool, defect(tool)?))) {
            None => Ok(format!("{} tools", tools.len())),
            Some((tool, cause)) => {
                let expected = "a name, and an inputSchema with \"type\":\"object\"";
                failed(expected, quoted(tool.to_string().as_bytes()), cause)
            }
        }
    })
}

fn defect(tool: &Value) -> Option<&'static str> {
    if !tool["name"].is_string() {
        Some("`name` is not a string")
    } else if !tool["inputSchema"].is_object() {
        Some("`inputSchema` is not an object")
    } else if tool["inputSchema"]["type"] != "object" {
        Some("`inputSchema` must have \"type\":\"object\"")
    } else {
        None
    }
}

fn call(server: &Server) -> Verdict {
    let (name, arguments) = choose_call(server)?;
    server.shared(|connection| {
        let response = connection.request(&call_request(3, &name, &arguments))?;
        let result = &response.json["result"];
        let has_type = |block: &Value| block["type"].is_string();
        let content = result["content"].as_array();
        let has_content = content.is_some_and(|it| it.iter().all(has_type));
        let is_error = result["isError"] == true;
        if has_content && is_error && name != "echo" && server.call.is_none() {
            return Ok(format!("called {name}, which fails for generated arguments"));
        }
        let cause = match (has_content, is_error) {
            (true, false) => return Ok(format!("called {name}")),
            (true, true) => "the tool fails for arguments that its schema allows",
            (false, _) => "`content` must be an array of blocks with a `type`",
        };
        failed("a result with `content`", response.quoted(), cause)
    })
}

fn invalid_arguments(server: &Server) -> Verdict {
    let (name, mut arguments) = choose_call(server)?;
    if server.revision() < "2025-11-25" {
        return skipped(format!("{} does not define it", server.revision()));
    }
    let Some(argument) = arguments.keys().next().cloned() else {
        return skipped(format!("{name} has no argument that could be invalid"));
    };
    // Not a string, a number, a boolean or an array.
    arguments.insert(argument, json!({ "of": "the wrong type" }));
    server.shared(|connection| {
        let response = connection.request(&call_request(4, &name, &arguments))?;
        let cause = match (&response.json["result"]["isError"], response.error_code()) {
            (Value::Bool(true), _) => return Ok(format!("called {name}")),
            (_, Some(_)) => "the model does not see a protocol error",
            _ => "the arguments are not checked against the schema",
        };
        failed("a result with \"isError\":true", response.quoted(), cause)
    })
}

fn call_request(id: u32, name: &str, arguments: &Map<String, Value>) -> String {
    request(id, "tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// An unknown tool may do harm. Without `--call` only an echo is called, or a tool that
/// is declared to change nothing.
fn choose_call(server: &Server) -> Result<Call, Problem> {
    if let Some(call) = &server.call {
        return Ok(call.clone());
    }
    let tools = server.tools()?;
    let is_safe = |tool: &&Value| {
        tool["name"] == "echo" || tool["annotations"]["readOnlyHint"] == true
    };
    let call = |tool: &Value| {
        let arguments = minimal_arguments(&tool["inputSchema"])?;
        Some((tool["name"].as_str()?.to_owned(), arguments))
    };
    let echo = tools.iter().find(|tool| tool["name"] == "echo");
    let mut candidates = echo.into_iter().chain(tools.iter().filter(is_safe));
    match candidates.find_map(call) {
        Some(call) => Ok(call),
        None => {
            skipped("it has no tool that is known to be safe; name one with --call")
        }
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
