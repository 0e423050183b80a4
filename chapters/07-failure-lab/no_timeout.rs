//! (10) A request without a timeout waits forever.

use crate::lab::{Kind, Lab, RawConnection, call, handshake, server_command};
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

/// How long the lab watches the faulty client.
const WATCHED: Duration = Duration::from_secs(1);
/// The timeout of each request of the correct client.
const TIMEOUT: Duration = Duration::from_secs(1);

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("请求没有超时", "no-timeout: a request that waits forever");
    lab.wrong("a client that waits until the response arrives");
    let mut server = lab.connect(Kind::NeverResponding, Framing::Newline)?;
    server.handshake().await?;
    server.send(&call(2, "dig", params! {})).await?;
    match timeout(WATCHED, response(&mut server)).await {
        Ok(response) => lab.print(format_args!("got a response: {:?}", response?)),
        Err(_) => lab.print("still no response; the lab ends the wait after 1 s"),
    }
    drop(server);
    lab.cause(
        "响应可能永远不来，没有超时的等待就可能永远不结束",
        "A response may never arrive, and a wait without a timeout may never end",
    );
    lab.right("each request has a deadline, and the client notifies the server");
    bounded(lab).await
}

// ANCHOR: response
/// The mistake: only a response ends this wait.
async fn response(server: &mut RawConnection) -> anyhow::Result<Response> {
    server.receive().await
}
// ANCHOR_END: response

async fn bounded(lab: &Lab) -> anyhow::Result<()> {
    let config = ClientConfig { timeout: TIMEOUT, ..ClientConfig::default() };
    let command = server_command(Kind::NeverResponding)?;
    let client = Client::spawn(&command, Framing::Newline, config, lab.tap())?;
    handshake(&client).await?;
    let result = client.call_tool("dig", params! {}).await;
    let pending = client.pending();
    // The response to the ping shows that the cancellation before it was written.
    client.ping().await?;
    match result {
        Ok(result) => lab.print(format_args!("got a result: {result:?}")),
        Err(error) => lab.print(error),
    }
    lab.print(format_args!("pending requests: {pending}; the connection continues"));
    client.close().await;
    Ok(())
}

/// A server whose only tool never returns. The rest of the server works.
pub fn server() -> Result<Server, DuplicateTool> {
    let schema = json!({ "type": "object" });
    let info = ToolInfo::new("dig", "Digs a hole through the Earth.", schema);
    Server::new(Implementation::new("never-answering", "1.0.0")).with((info, Dig))
}

struct Dig;

impl Tool for Dig {
    fn call(&self, _: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(pending())
    }
}
