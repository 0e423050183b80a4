//! The course's echo server under the command line of the MCP Inspector.

use crate::{
    installed::{Packages, command, trial},
    run::{Ended, run},
};
use libtest_mimic::Trial;
use serde_json::json;

pub fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident)*) => { vec![$(
            trial(format!("inspector::{}", stringify!($name)), Packages::Npm, $name)
        ),*] };
    }
    trials! {
        it_lists_the_tool
        it_calls_the_tool
        it_exits_with_5_if_the_tool_fails
        it_exits_with_5_if_the_tool_does_not_exist
    }
}

/// Each run is a whole session of our server: handshake, request, end of input.
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

fn it_exits_with_5_if_the_tool_fails() {
    let seen = inspect(&["--method", "tools/call", "--tool-name", "echo"]);
    assert_eq!(Some(5), seen.code, "{seen:?}");
    let text = "argument `text` is missing";
    let content = json!([{ "type": "text", "text": text }]);
    let expected = json!({ "content": content, "isError": true });
    assert_eq!(expected, seen.lines[0]["result"]);
}

/// It reads the list first, so the call never reaches our server.
fn it_exits_with_5_if_the_tool_does_not_exist() {
    let seen = inspect(&["--method", "tools/call", "--tool-name", "no_such_tool"]);
    assert_eq!(Some(5), seen.code, "{seen:?}");
}
