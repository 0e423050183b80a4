//! (10) A request without a timeout waits for ever.

use crate::lab::{Bench, Kind, Lab, call, shake_hands, spec};
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    jsonrpc::Response,
    params,
    protocol::Implementation,
    server::Server,
    tool::{BoxFuture, Call, CallError, DuplicateTool, Tool, ToolInfo, ToolResult},
};
use serde_json::json;
use std::{future::pending, time::Duration};
use tokio::time::timeout;

/// The lab has other things to do.
const PATIENCE: Duration = Duration::from_secs(1);
/// What the right client gives each request here.
const TIMEOUT: Duration = Duration::from_secs(1);

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("请求没有时限", "no-timeout: a request that waits for ever");
    lab.wrong("a client that waits until the answer comes");
    let mut server = lab.bench(Kind::NeverAnswering, Framing::Newline)?;
    server.shake_hands().await?;
    server.send(&call(2, "dig", params! {})).await?;
    match timeout(PATIENCE, answer(&mut server)).await {
        Ok(answer) => lab.say(format_args!("an answer came: {:?}", answer?)),
        Err(_) => lab.say("still waiting; the lab ends it after a second"),
    }
    drop(server);
    lab.cause(
        "回答可能永远不来，没有时限的等待就永远不结束",
        "An answer may never come, and a wait without a limit never ends",
    );
    lab.right("each request has a deadline, and the server is told");
    bounded(lab).await
}

// ANCHOR: answer
/// The mistake: nothing ends this wait but an answer.
async fn answer(server: &mut Bench) -> anyhow::Result<Response> {
    server.receive().await
}
// ANCHOR_END: answer

async fn bounded(lab: &Lab) -> anyhow::Result<()> {
    let settings = ClientConfig { timeout: TIMEOUT, ..ClientConfig::default() };
    let spec = spec(Kind::NeverAnswering)?;
    let client = Client::spawn(&spec, Framing::Newline, settings, lab.tap())?;
    shake_hands(&client).await?;
    let result = client.call_tool("dig", params! {}).await;
    let pending = client.pending();
    // Its answer shows that the cancellation before it is written.
    client.ping().await?;
    match result {
        Ok(outcome) => lab.say(format_args!("an answer came: {outcome:?}")),
        Err(error) => lab.say(error),
    }
    lab.say(format_args!("pending after it: {pending}; the connection goes on"));
    client.close().await;
    Ok(())
}

/// The rest of this server works.
pub fn server() -> Result<Server, DuplicateTool> {
    let schema = json!({ "type": "object" });
    let info = ToolInfo::new("dig", "Digs a hole through the Earth.", schema);
    Server::new(Implementation::new("never-answering", "1.0.0")).with((info, Digging))
}

struct Digging;

impl Tool for Digging {
    fn call(&self, _: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(pending())
    }
}
