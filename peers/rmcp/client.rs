//! rmcp's client for any server: `rmcp-client COMMAND ARGS…`. Each step is one line
//! of JSON, in the same order in all four clients.

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

fn report(step: &str, value: Value) {
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

fn summary(result: &CallToolResult) -> Value {
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
    report("handshake", json!({ "name": info.name, "version": info.version }));
    let tools = client.peer().list_all_tools().await?;
    let names: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    report("list", json!(names));
    report("call", summary(&call(&client, "echo", json!({ "text": "你好" })).await?));
    report("failing", summary(&call(&client, "echo", json!({ "text": 5 })).await?));
    match call(&client, "no_such_tool", json!({})).await {
        Ok(result) => report("unknown", summary(&result)),
        Err(ServiceError::McpError(error)) => {
            report("unknown", json!({ "code": error.code.0 }));
        }
        Err(error) => return Err(error.into()),
    }
    let ping = ClientRequest::PingRequest(PingRequest::default());
    client.peer().send_request(ping).await?;
    report("ping", json!(true));
    together(&client).await?;
    client.close().await?;
    report("closed", json!(true));
    Ok(())
}

/// Twenty calls, all sent before the first response is read.
async fn together(client: &Client) -> anyhow::Result<()> {
    let calls = (0..20).map(|i| call(client, "echo", json!({ "text": i.to_string() })));
    let results = futures::future::try_join_all(calls).await?;
    let texts: Vec<_> = results.iter().map(text).collect();
    report("together", json!(texts));
    Ok(())
}
