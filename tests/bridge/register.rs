//! `register_mcp_tools` over a connection: to our own server, and to a scripted one.

use crate::{
    limit::run,
    plan::call,
    scripted::{Answer, connect},
};
use mcp_from_scratch::{
    bridge::{BridgeError, Merged, Options, register_mcp_tools},
    client::{Client, ClientConfig},
    frame::Framing,
    local_tools,
    protocol::Implementation,
    registry::{Parameter, Risk, ToolCall, ToolRegistry, deny_all},
    server::Server,
    tool::{ToolResult, echo},
    transport::{Transport, silent},
};
use serde_json::Value;
use std::sync::Mutex;

const EMPTY: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}"#;

/// A client of our own server with the one tool `echo`.
async fn echo_client(framing: Framing) -> Client {
    let (ours, theirs) = Transport::pair(framing, silent());
    let server = Server::new(Implementation::new("echo", "1.0.0")).with(echo());
    tokio::spawn(server.serve(theirs));
    let client = Client::over(ours, ClientConfig::default());
    client.handshake().await.expect("our own server");
    client
}

async fn merge_all(
    registry: &mut ToolRegistry,
    client: &Client,
) -> Result<Merged, BridgeError> {
    register_mcp_tools(registry, client, &Options::default()).await
}

#[test]
fn a_remote_tool_stands_in_the_registry_like_a_local_one() {
    for framing in [Framing::Newline, Framing::ContentLength] {
        run(async move {
            let client = echo_client(framing).await;
            let mut registry = local_tools::registry("/nowhere");
            let merged = merge_all(&mut registry, &client).await.expect("a list");
            let names = vec!["echo".into()];
            assert_eq!(Merged { names, skipped: vec![] }, merged);
            let spec = registry.specs().last().expect("six tools");
            let (name, kind) = ("text".into(), "string".into());
            let text = Parameter { name, kind, required: true };
            assert_eq!(vec![text], spec.parameters.list);
            for (tool, arguments, said) in [
                ("echo", r#"{"text":"你好"}"#, ToolResult::text("你好")),
                ("add", r#"{"a":2,"b":40}"#, ToolResult::text("42")),
                ("echo", "{}", ToolResult::failure("argument `text` is missing")),
            ] {
                let call = call(tool, arguments);
                let outcome = registry.execute(&call, &deny_all).await;
                assert_eq!(Ok(said), outcome, "{call}");
            }
        });
    }
}

#[test]
fn the_model_gets_the_servers_schema_byte_for_byte() {
    run(async {
        let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","required":["b"],"type":"object","properties":{"b":{"$ref":"#/definitions/é"},"a":{"default":0.1}},"definitions":{"é":{"title":"B","enum":["\n",null]}}}"##;
        let tools = format!(r#"[{{"inputSchema":{schema},"name":"a.b"}}]"#);
        let server = connect(&tools, |_| Answer::Silence).await;
        let mut registry = ToolRegistry::new();
        merge_all(&mut registry, &server.client).await.expect("a list");
        let given: Vec<_> =
            registry.model_tools().iter().map(Value::to_string).collect();
        let expected =
            format!(r#"{{"name":"a_b","description":"","input_schema":{schema}}}"#);
        assert_eq!([expected], given[..]);
    });
}

#[test]
fn the_wire_carries_the_servers_name_and_the_arguments_as_the_model_wrote_them() {
    run(async {
        let tools = r#"[{"name":"a.b","inputSchema":{}}]"#;
        let mut server = connect(tools, |_| Answer::Line(EMPTY)).await;
        let mut registry = ToolRegistry::new();
        let options = Options { prefix: "mcp__s__".into(), ..Options::default() };
        let merged = register_mcp_tools(&mut registry, &server.client, &options);
        assert_eq!(["mcp__s__a_b"], merged.await.expect("a list").names[..]);
        let call = call("mcp__s__a_b", r#"{"z":[1.5,null],"a":{"é":"\u0001"}}"#);
        let outcome = registry.execute(&call, &deny_all).await;
        assert_eq!(Ok(ToolResult::default()), outcome);
        assert_eq!(
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a.b","arguments":{"z":[1.5,null],"a":{"é":"\u0001"}}}}"#,
            server.hears().await
        );
    });
}

#[test]
fn the_gate_stands_before_a_remote_tool_and_a_no_sends_nothing() {
    run(async {
        let tools = r#"[{"name":"wipe","inputSchema":{}}]"#;
        let mut server = connect(tools, |_| Answer::Line(EMPTY)).await;
        let mut registry = ToolRegistry::new();
        let options = Options { risk: Risk::Approve, ..Options::default() };
        let merged = register_mcp_tools(&mut registry, &server.client, &options);
        merged.await.expect("a list");
        let asked = Mutex::new(Vec::new());
        let gate = |risk: Risk, call: &ToolCall| {
            asked.lock().expect("no panic").push(format!("{risk} {call}"));
            false
        };
        let call = call("wipe", r#"{"disk":"a"}"#);
        let outcome = registry.execute(&call, &gate).await.expect("an outcome");
        assert!(outcome.is_error);
        let question = r#"approve wipe({"disk":"a"})"#;
        assert_eq!([question], asked.lock().expect("no panic")[..]);
        // The next thing that the server hears is the next call.
        server.client.call_tool("look", Default::default()).await.expect("a result");
        assert_eq!(
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"look","arguments":{}}}"#,
            server.hears().await
        );
    });
}

#[test]
fn a_server_that_declares_no_tools_is_not_asked_and_merges_nothing() {
    run(async {
        let (ours, mut theirs) = Transport::pair(Framing::Newline, silent());
        let client = Client::over(ours, ClientConfig::default());
        let server = tokio::spawn(async move {
            let mut heard = Vec::new();
            let welcome = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{}}}}"#;
            while let Some(Ok(body)) = theirs.receiver.receive().await {
                heard.push(String::from_utf8(body.to_vec()).expect("UTF-8"));
                if heard.len() == 1 {
                    theirs.sender.send(welcome.into()).await.expect("a client");
                }
            }
            heard
        });
        client.handshake().await.expect("a welcome");
        let mut registry = local_tools::registry("/nowhere");
        let merged = merge_all(&mut registry, &client).await.expect("no error");
        assert_eq!(Merged::default(), merged);
        assert_eq!(5, registry.specs().count());
        client.close().await;
        let heard = server.await.expect("no panic");
        assert_eq!(2, heard.len(), "initialize, initialized and no more: {heard:?}");
    });
}

#[test]
fn an_override_of_a_tool_that_the_server_does_not_have_is_an_error() {
    run(async {
        let client = echo_client(Framing::Newline).await;
        let mut registry = ToolRegistry::new();
        let overrides = vec![("ehco".into(), Risk::Approve)];
        let options = Options { overrides, ..Options::default() };
        let merged = register_mcp_tools(&mut registry, &client, &options).await;
        let error = merged.expect_err("no such tool");
        assert_eq!(
            "no tool is called ehco: an override must name one",
            error.to_string()
        );
        assert_eq!(0, registry.specs().count());
    });
}

#[test]
fn a_list_that_cannot_be_had_is_an_error_and_the_registry_stays_as_it_is() {
    run(async {
        let client = echo_client(Framing::Newline).await;
        client.close().await;
        let mut registry = local_tools::registry("/nowhere");
        let error = merge_all(&mut registry, &client).await.expect_err("closed");
        assert!(matches!(error, BridgeError::Client(_)), "{error}");
        assert_eq!("the client was closed", error.to_string());
        assert_eq!(5, registry.specs().count());
    });
}
