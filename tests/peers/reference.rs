//! The course's client with the reference servers, as published.

use crate::{
    connection::{Connected, texts},
    installed::{Packages, command, trial},
};
use libtest_mimic::Trial;
use mcp_from_scratch::protocol::LATEST;
use serde_json::{Value, json};
use std::fs;

pub fn trials() -> Vec<Trial> {
    macro_rules! trials {
        ($($name:ident)*) => { vec![$({
            let name = format!("reference::{}", stringify!($name));
            trial(name, Packages::Npm, || crate::block_on($name()))
        }),*] };
    }
    trials! {
        everything_completes_the_handshake_and_lists_its_tools
        everything_may_send_a_notification_at_any_time
        everything_adds_two_numbers
        everything_reports_invalid_arguments_as_data
        everything_lets_responses_overtake_each_other
        everything_sends_content_other_than_text
        everything_exits_at_the_end_of_input_and_leaves_no_process
        filesystem_lists_its_tools
        filesystem_reads_a_file
        filesystem_reports_a_path_outside_its_folder_as_data
        filesystem_exits_at_the_end_of_input_and_leaves_no_process
    }
}

const NODE: &str = "node_modules/.bin/node";
const SERVERS: &str = "node_modules/@modelcontextprotocol";

async fn everything() -> Connected {
    let program = format!("{SERVERS}/server-everything/dist/index.js");
    let server = Connected::start(command(&[NODE, &program, "stdio"]));
    server.client.handshake().await.expect("the handshake succeeds");
    server
}

async fn names(server: &Connected) -> Vec<String> {
    let tools = server.client.list_tools().await.expect("a list");
    let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
    tools.iter().map(name).collect()
}

async fn everything_completes_the_handshake_and_lists_its_tools() {
    let server = everything().await;
    let result = &server.received()[0]["result"];
    assert_eq!(LATEST, result["protocolVersion"]);
    let names = names(&server).await;
    for name in ["echo", "get-sum", "get-tiny-image", "trigger-long-running-operation"]
    {
        assert!(names.iter().any(|it| it == name), "{name}: {names:?}");
    }
    // These need capabilities that we do not declare.
    for name in ["get-roots-list", "trigger-sampling-request"] {
        assert!(!names.iter().any(|it| it == name), "{name}: {names:?}");
    }
    server.end().await;
}

async fn everything_may_send_a_notification_at_any_time() {
    let server = everything().await;
    server.client.list_tools().await.expect("a list");
    let changed = "notifications/tools/list_changed";
    let received = server.received();
    let at = |wanted: &dyn Fn(&Value) -> bool| received.iter().position(wanted);
    let notification = at(&|frame| frame["method"] == changed).expect("it arrives");
    let response = at(&|frame| frame["id"] == 2).expect("it arrives");
    assert!(notification < response, "between handshake and list");
    server.end().await;
}

async fn everything_adds_two_numbers() {
    let server = everything().await;
    let result = server.call("get-sum", json!({ "a": 2, "b": 40 })).await;
    let result = result.expect("a result");
    assert_eq!(vec!["The sum of 2 and 40 is 42."], texts(&result));
    server.client.ping().await.expect("a result");
    server.end().await;
}

async fn everything_reports_invalid_arguments_as_data() {
    let server = everything().await;
    for (tool, arguments) in [("get-sum", json!({ "a": "2" })), ("no-such", json!({}))]
    {
        let result = server.call(tool, arguments).await.expect("a result");
        assert!(result.is_error, "{tool}");
        // It uses the TypeScript SDK 1.x, for which both are data.
        let text = texts(&result).concat();
        assert!(text.starts_with("MCP error -32602: "), "{text}");
    }
    server.end().await;
}

async fn everything_lets_responses_overtake_each_other() {
    let server = everything().await;
    let slow = json!({ "duration": 0.7, "steps": 1 });
    let (slow, fast) = tokio::join!(
        server.call("trigger-long-running-operation", slow),
        server.call("echo", json!({ "message": "fast" })),
    );
    let text = "Long running operation completed. Duration: 0.7 seconds, Steps: 1.";
    assert_eq!(vec![text], texts(&slow.expect("a result")));
    assert_eq!(vec!["Echo: fast"], texts(&fast.expect("a result")));
    let received = server.received();
    let responses: Vec<_> =
        received.iter().filter_map(|it| it["id"].as_i64()).collect();
    assert_eq!([1, 3, 2], responses[..]);
    server.end().await;
}

async fn everything_sends_content_other_than_text() {
    let server = everything().await;
    let result = server.call("get-tiny-image", json!({})).await.expect("a result");
    let types: Vec<_> = result.content.iter().map(|block| &block["type"]).collect();
    assert_eq!(["text", "image", "text"], types[..]);
    let structured = json!({ "location": "New York" });
    let result = server.call("get-structured-content", structured).await;
    let structured = result.expect("a result").structured.expect("structured content");
    assert!(structured["temperature"].is_number(), "{structured}");
    server.end().await;
}

async fn everything_exits_at_the_end_of_input_and_leaves_no_process() {
    let server = everything().await;
    assert!(server.runs(), "the mark finds it");
    server.end().await;
}

async fn filesystem(folder: &str) -> Connected {
    let program = format!("{SERVERS}/server-filesystem/dist/index.js");
    let mut words = command(&[NODE, &program]);
    words.push(folder.to_owned());
    let server = Connected::start(words);
    server.client.handshake().await.expect("the handshake succeeds");
    server
}

/// A folder with one file in it, as the server names it: without symbolic links.
fn folder() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("note.txt"), "你好\n").expect("written");
    let path = folder.path().canonicalize().expect("it is there");
    let path = path.to_str().expect("UTF-8").to_owned();
    (folder, path)
}

async fn filesystem_lists_its_tools() {
    let (_folder, path) = folder();
    let server = filesystem(&path).await;
    let names = names(&server).await;
    assert!(names.iter().any(|name| name == "read_text_file"), "{names:?}");
    server.end().await;
}

async fn filesystem_reads_a_file() {
    let (_folder, path) = folder();
    let server = filesystem(&path).await;
    let file = json!({ "path": format!("{path}/note.txt") });
    let result = server.call("read_text_file", file).await.expect("a result");
    assert_eq!((vec!["你好\n"], false), (texts(&result), result.is_error));
    server.end().await;
}

async fn filesystem_reports_a_path_outside_its_folder_as_data() {
    let (_folder, path) = folder();
    let server = filesystem(&path).await;
    let file = json!({ "path": "/etc/passwd" });
    let result = server.call("read_text_file", file).await.expect("a result");
    assert!(result.is_error);
    let text = texts(&result).concat();
    assert!(text.contains("Access denied"), "{text}");
    server.end().await;
}

async fn filesystem_exits_at_the_end_of_input_and_leaves_no_process() {
    let (_folder, path) = folder();
    let server = filesystem(&path).await;
    assert!(server.runs(), "the mark finds it");
    server.end().await;
}
