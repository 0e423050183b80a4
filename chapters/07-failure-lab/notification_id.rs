//! (7) An id on a notification turns it into a request.

use crate::lab::{Kind, Lab, VERSION, initialize, list};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{Id, Message},
    protocol::method,
};

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("带 id 的通知", "notification-id: an id on a notification");
    lab.wrong("a client that gives an id to every message");
    let mut server = lab.connect(Kind::Echo, Framing::Newline)?;
    server.send(&initialize(VERSION)).await?;
    server.receive().await?;
    server.send(&numbered_initialized(2)).await?;
    server.send(&list(3)).await?;
    let pending = [Id::Integer(3)];
    for response in server.end().await?.0 {
        let Some(id) = response.id else { continue };
        if let Err(error) = response.result {
            lab.print(format_args!("response {id}: {error}"));
        }
        if !pending.contains(&id) {
            lab.print(format_args!("no pending request with id {id}"));
        }
    }
    lab.cause(
        "带 id 的消息就是请求：服务器响应了它，却没有收到通知，所以继续拒绝其他请求",
        "A message with an id is a request: the server responds to it, has received no \
         notification, and keeps refusing other requests",
    );
    lab.right("a notification is a separate type, without a field for an id");
    let client = lab.client(Kind::Echo, Framing::Newline, lab.tap()).await?;
    let tools = client.list_tools().await?;
    lab.print(format_args!("the handshake is done: {} tool(s) listed", tools.len()));
    client.close().await;
    Ok(())
}

// ANCHOR: numbered-initialized
/// The mistake: one function makes all messages, and it gives each of them an id.
fn numbered_initialized(next_id: i128) -> Message {
    Message::request(next_id, method::INITIALIZED, None)
}
// ANCHOR_END: numbered-initialized
