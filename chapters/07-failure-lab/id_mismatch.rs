//! (2) Answers paired by order: the first to come is taken for the first that was
//! asked for.

use crate::lab::{Bench, Kind, Lab, call};
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

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("回答按顺序配对", "id-mismatch: answers paired by their order");
    lab.wrong("a client that gives the next answer to whoever asked first");
    let mut server = lab.bench(Kind::Overtaking, Framing::Newline)?;
    server.shake_hands().await?;
    for (tool, got) in by_order(&mut server).await? {
        lab.say(format_args!("the caller of `{tool}` got: {got}"));
    }
    server.end().await?;
    lab.cause(
        "先问的不一定先答，只有 id 说明一个回答属于哪个请求",
        "Who asked first is not answered first, and only the id tells whose answer it \
         is",
    );
    lab.right("Client keeps a table of pending requests by id");
    let client = lab.client(Kind::Overtaking, Framing::Newline, lab.tap()).await?;
    let call = |tool| client.call_tool(tool, params! {});
    let (slow, quick) = tokio::join!(call("slow"), call("quick"));
    for (tool, outcome) in [("slow", slow?), ("quick", quick?)] {
        lab.say(format_args!("the caller of `{tool}` got: {}", to_text(&outcome)));
    }
    client.close().await;
    Ok(())
}

// ANCHOR: by-order
/// The mistake: a queue in the place of a table.
async fn by_order(server: &mut Bench) -> anyhow::Result<Vec<(&'static str, Value)>> {
    let mut waiting = VecDeque::new();
    for (id, tool) in [(2, "slow"), (3, "quick")] {
        server.send(&call(id, tool, params! {})).await?;
        waiting.push_back(tool);
    }
    let mut paired = Vec::new();
    while let Some(tool) = waiting.pop_front() {
        let Response { result, .. } = server.receive().await?;
        paired.push((tool, result?["content"][0]["text"].take()));
    }
    Ok(paired)
}
// ANCHOR_END: by-order

/// Nothing is wrong with this server: MCP lets answers come in any order.
pub fn server() -> Result<Server, DuplicateTool> {
    let quick_was_called = Arc::new(Notify::new());
    let tool = |name: &'static str| {
        let info = ToolInfo::new(name, "Says who it is.", json!({ "type": "object" }));
        (info, Overtaking { name, quick_was_called: quick_was_called.clone() })
    };
    Server::new(Implementation::new("overtaking", "1.0.0"))
        .with(tool("slow"))?
        .with(tool("quick"))
}

/// `quick` answers at once, `slow` when `quick` was called.
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
