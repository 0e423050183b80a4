//! The course's echo server under the command line of the MCP Inspector.

use crate::{
    harness::Test,
    installed::{Packages, command},
    run::{Ended, run},
};
use serde_json::json;

pub fn tests() -> Vec<Test> {
    macro_rules! tests {
        ($($name:ident)*) => { vec![$(
            Test::new(format!("inspector::{}", stringify!($name)), Packages::Npm, $name)
        ),*] };
    }
    tests! {
        it_lists_the_tool
        it_calls_the_tool
        it_ends_with_5_if_the_tool_fails
        it_ends_with_5_if_there_is_no_such_tool
    }
}

/// Each run is a whole life of our server: handshake, the request, the end of input.
fn inspect(arguments: &[&str]) -> Ended {
    let node = "node_modules/.bin/node";
    let mut words = command(&[node, "node_modules/.bin/mcp-inspector", "--cli"]);
    words.push(env!("CARGO_BIN_EXE_03-echo-server").to_owned());
    words.extend(arguments.iter().map(|word| (*word).to_owned()));
    words.extend(["--format".to_owned(), "json".to_owned()]);
    run(&words)
}

fn it_lists_the_tool() {
    let seen = inspect(&["--method", "tools/list"]);
    assert_eq!(Some(0), seen.code, "{seen:?}");
    assert_eq!("echo", seen.lines[0]["result"]["tools"][0]["name"]);
}

fn it_calls_the_tool() {
    let echo = ["--method", "tools/call", "--tool-name", "echo"];
    let seen = inspect(&[&echo[..], &["--tool-arg", "text=你好"]].concat());
    assert_eq!(Some(0), seen.code, "{seen:?}");
    let expected = json!({ "content": [{ "type": "text", "text": "你好" }] });
    assert_eq!(expected, seen.lines[0]["result"]);
}

fn it_ends_with_5_if_the_tool_fails() {
    let seen = inspect(&["--method", "tools/call", "--tool-name", "echo"]);
    assert_eq!(Some(5), seen.code, "{seen:?}");
    let text = "argument `text` is missing";
    let content = json!([{ "type": "text", "text": text }]);
    let expected = json!({ "content": content, "isError": true });
    assert_eq!(expected, seen.lines[0]["result"]);
}

/// It looks into the list first, so the call never reaches our server.
fn it_ends_with_5_if_there_is_no_such_tool() {
    let seen = inspect(&["--method", "tools/call", "--tool-name", "no_such_tool"]);
    assert_eq!(Some(5), seen.code, "{seen:?}");
}
