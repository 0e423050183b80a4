//! rmcp's client, with any server: `rmcp-client COMMAND ARGS…`. Each step is one line
//! of JSON, in the order in which the four clients take them.

use anyhow::Context;
use rmcp::{
    RoleClient, ServiceError, ServiceExt,
    model::{
        CallToolRequestParams, CallToolResult, ClientRequest, ContentBlock, PingRequest,
    },
    service::RunningService,
    transport::TokioChildProcess,
};
use serde_json::{Value, json};
use tokio::process::Command;

type Client = RunningService<RoleClient, ()>;

fn say(step: &str, value: Value) {
    println!("{}", json!({ "step": step, "value": value }));
}

async fn call(
    client: &Client,
    name: &'static str,
    arguments: Value,
) -> Result<CallToolResult, ServiceError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let call = CallToolRequestParams::new(name).with_arguments(arguments);
    client.peer().call_tool(call).await
}

fn text(result: &CallToolResult) -> &str {
    let block = result.content.first().and_then(ContentBlock::as_text);
    block.map_or("", |block| &block.text)
}

fn seen(result: &CallToolResult) -> Value {
    json!({ "text": text(result), "isError": result.is_error.unwrap_or(false) })
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let mut server = Command::new(words.next().context("COMMAND is missing")?);
    server.args(words);
    let mut client = ().serve(TokioChildProcess::new(server)?).await?;

    let hello = client.peer().peer_info().context("no serverInfo")?;
    let info = hello.server_info.as_ref().context("no serverInfo")?;
    say("handshake", json!({ "name": info.name, "version": info.version }));
    let tools = client.peer().list_all_tools().await?;
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    say("list", json!(names));
    say("call", seen(&call(&client, "echo", json!({ "text": "你好" })).await?));
    say("failing", seen(&call(&client, "echo", json!({ "text": 5 })).await?));
    match call(&client, "no_such_tool", json!({})).await {
        Ok(result) => say("unknown", seen(&result)),
        Err(ServiceError::McpError(error)) => {
            say("unknown", json!({ "code": error.code.0 }));
        }
        Err(error) => return Err(error.into()),
    }
    let ping = ClientRequest::PingRequest(PingRequest::default());
    client.peer().send_request(ping).await?;
    say("ping", json!(true));
    together(&client).await?;
    client.close().await?;
    say("closed", json!(true));
    Ok(())
}

/// Twenty calls that are all on their way before the first answer is read.
async fn together(client: &Client) -> anyhow::Result<()> {
    let calls = (0..20).map(|i| call(client, "echo", json!({ "text": i.to_string() })));
    let answers = futures::future::try_join_all(calls).await?;
    let texts: Vec<_> = answers.iter().map(text).collect();
    say("together", json!(texts));
    Ok(())
}
