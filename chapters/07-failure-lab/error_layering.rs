//! (4) A tool failure sent as a JSON-RPC error: the model does not read the reason.

use crate::lab::{Kind, Lab};
use mcp_from_scratch::{
    agent::{Entry, Model, ModelError, Step, Turn},
    bridge::{Options, register_mcp_tools},
    frame::{Framing, FramingMode},
    jsonrpc::{self, ErrorObject, INTERNAL_ERROR, Response, UnknownId},
    params,
    protocol::Implementation,
    registry::{ToolCall, ToolRegistry, deny_all},
    server::{Action, Catalog, Server, Session},
    tool::{
        BoxFuture, Call, DuplicateTool, Tool, ToolFailure, ToolInfo, ToolResult,
        from_fn, run, to_text,
    },
    transport::{Tap, Transport},
};
use serde_json::{Value, json};
use std::sync::Arc;

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading(
        "工具的失败被当作协议错误",
        "error-layering: a failure in the wrong layer",
    );
    lab.wrong("a server that sends a tool failure as a JSON-RPC error");
    turn(lab, Kind::FailureAsError).await?;
    lab.cause(
        "协议错误表示调用没有结果，所以这一轮就此结束，模型读不到失败的原因",
        "A JSON-RPC error means that the call has no result, so the turn ends and the \
         model does not read why the tool failed",
    );
    lab.right("the failure is a result with isError, which the model reads");
    turn(lab, Kind::FailureAsData).await
}

/// One turn of the same agent with either server.
async fn turn(lab: &Lab, kind: Kind) -> anyhow::Result<()> {
    let client = lab.client(kind, Framing::Newline, lab.tap()).await?;
    let mut registry = ToolRegistry::new();
    register_mcp_tools(&mut registry, &client, &Options::default()).await?;
    let mut conversation = vec![Entry::User("What is in my list?".into())];
    let mut on_entry = |entry: &Entry| match entry {
        Entry::Answer(_) => {} // printed when the turn has ended
        Entry::Call(call) => lab.print(format_args!("the model calls: {call}")),
        other => lab.print(format_args!("the model reads: {}", other.text())),
    };
    let turn = Turn::new(&registry, &deny_all);
    match turn.run(&mut HintFollower, &mut conversation, &mut on_entry).await {
        Ok(answer) => lab.print(format_args!("the turn ends with an answer: {answer}")),
        Err(error) => {
            lab.print(format_args!("the turn ends without an answer: {error}"))
        }
    }
    client.close().await;
    Ok(())
}

/// A simulated model that follows a hint: ``did you mean `x`?``
struct HintFollower;

impl Model for HintFollower {
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        _: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        Box::pin(async { Ok(next_step(conversation.last())) })
    }
}

fn next_step(last: Option<&Entry>) -> Step {
    let name = match last {
        Some(Entry::Observation(text)) => match text.split_once("did you mean `") {
            Some((_, hint)) => hint.trim_end_matches("`?"),
            None => return Step::Answer(format!("It says: {text}")),
        },
        _ => "list",
    };
    let arguments = params! { "name": name };
    Step::Calls(vec![ToolCall { name: "read_note".into(), arguments }])
}

fn read_note() -> (ToolInfo, impl Tool) {
    let schema = json!({
        "type": "object",
        "properties": { "name": { "type": "string" } },
        "required": ["name"],
    });
    let info = ToolInfo::new("read_note", "The text of a note.", schema);
    let tool =
        from_fn(|arguments| match arguments.required::<String>("name")?.as_str() {
            "list.md" => Ok(ToolResult::text("buy milk")),
            name => {
                let text = format!("no note `{name}`; did you mean `list.md`?");
                Err(ToolFailure(text))
            }
        });
    (info, tool)
}

pub fn server() -> Result<Server, DuplicateTool> {
    Server::new(notes()).with(read_note())
}

fn notes() -> Implementation {
    Implementation::new("notes", "1.0.0")
}

// ANCHOR: faulty-server
/// Works like [`server`], except for one decision.
pub async fn faulty_server(tap: Tap) -> anyhow::Result<()> {
    let Transport { sender, mut receiver, .. } =
        Transport::stdio(FramingMode::Auto, tap)?;
    let mut catalog = Catalog::new(notes());
    let (info, tool) = read_note();
    catalog.add(info, tool)?;
    let mut session = Session::new(Arc::new(catalog));
    while let Some(frame) = receiver.receive().await {
        let response = match session.receive(jsonrpc::parse(&frame?)) {
            Action::Reply(response) => Some(response),
            Action::Call { id, tool, arguments } => {
                let result = run(tool.tool(), Call::new(arguments)).await?;
                // The mistake: a failure becomes an error response.
                let error = ErrorObject::new(INTERNAL_ERROR, to_text(&result));
                match result.is_error {
                    true => Some(Response::error(Some(id), error)),
                    false => session.finish(&id, Ok(result.to_json())),
                }
            }
            _ => None,
        };
        if let Some(response) = response {
            sender.send(response.encode(UnknownId::Null)).await?;
        }
    }
    Ok(())
}
// ANCHOR_END: faulty-server
