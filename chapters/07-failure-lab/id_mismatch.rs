//! (2) Responses paired by order: the first response goes to the first caller.

use crate::lab::{Kind, Lab, RawConnection, call};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::Response,
    params,
    protocol::Implementation,
    server::Server,
    tool::{
        BoxFuture, Call, CallError, DuplicateTool, Tool, ToolInfo, ToolResult, to_text,
    },
};
use serde_json::{Value, json};
use std::{collections::VecDeque, sync::Arc};
use tokio::sync::Notify;

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("按顺序配对响应", "id-mismatch: responses paired by their order");
    lab.wrong("a client that gives each response to the caller that waited longest");
    let mut server = lab.connect(Kind::Overtaking, Framing::Newline)?;
    server.handshake().await?;
    for (tool, text) in by_order(&mut server).await? {
        lab.print(format_args!("the caller of `{tool}` got: {text}"));
    }
    server.end().await?;
    lab.cause(
        "响应的顺序可以与请求的顺序不同，只有 id 能确定响应属于哪个请求",
        "Responses may arrive in any order, and only the id connects a response to its \
         request",
    );
    lab.right("Client keeps a table of pending requests by id");
    let client = lab.client(Kind::Overtaking, Framing::Newline, lab.tap()).await?;
    let call = |tool| client.call_tool(tool, params! {});
    let (slow, quick) = tokio::join!(call("slow"), call("quick"));
    for (tool, result) in [("slow", slow?), ("quick", quick?)] {
        lab.print(format_args!("the caller of `{tool}` got: {}", to_text(&result)));
    }
    client.close().await;
    Ok(())
}

// ANCHOR: by-order
/// The mistake: a queue instead of a table with ids.
async fn by_order(
    server: &mut RawConnection,
) -> anyhow::Result<Vec<(&'static str, Value)>> {
    let mut pending = VecDeque::new();
    for (id, tool) in [(2, "slow"), (3, "quick")] {
        server.send(&call(id, tool, params! {})).await?;
        pending.push_back(tool);
    }
    let mut paired = Vec::new();
    while let Some(tool) = pending.pop_front() {
        let Response { result, .. } = server.receive().await?;
        paired.push((tool, result?["content"][0]["text"].take()));
    }
    Ok(paired)
}
// ANCHOR_END: by-order

/// This server is correct: MCP allows responses in any order.
pub fn server() -> Result<Server, DuplicateTool> {
    let quick_was_called = Arc::new(Notify::new());
    let tool = |name: &'static str| {
        let info =
            ToolInfo::new(name, "Returns its own name.", json!({ "type": "object" }));
        (info, Overtaking { name, quick_was_called: quick_was_called.clone() })
    };
    Server::new(Implementation::new("overtaking", "1.0.0"))
        .with(tool("slow"))?
        .with(tool("quick"))
}

/// `quick` returns at once, `slow` after `quick` was called.
struct Overtaking {
    name: &'static str,
    quick_was_called: Arc<Notify>,
}

impl Tool for Overtaking {
    fn call(&self, _: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async {
            match self.name {
                "quick" => self.quick_was_called.notify_one(),
                _ => self.quick_was_called.notified().await,
            }
            Ok(ToolResult::text(&format!("I am {}", self.name)))
        })
    }
}
