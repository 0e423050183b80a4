//! (7) An id on a notification makes a request of it.

use crate::lab::{Kind, Lab, VERSION, initialize, list};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{Id, Message},
    protocol::method,
};

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("通知带了 id", "notification-id: an id on a notification");
    lab.wrong("a client that numbers whatever it sends");
    let mut server = lab.bench(Kind::Echo, Framing::Newline)?;
    server.send(&initialize(VERSION)).await?;
    server.receive().await?;
    server.send(&numbered_initialized(2)).await?;
    server.send(&list(3)).await?;
    let waiting = [Id::Integer(3)];
    for answer in server.end().await?.0 {
        let Some(id) = answer.id else { continue };
        if let Err(error) = answer.result {
            lab.say(format_args!("answer {id} is {error}"));
        }
        if !waiting.contains(&id) {
            lab.say(format_args!("nobody waits for answer {id}"));
        }
    }
    lab.cause(
        "有 id 就是请求：它得到一个没人等的回答，通知本身却从未到达，关卡一直关着",
        "With an id it is a request: it gets an answer that nobody waits for, the \
         notification itself never came, and the gate stays shut",
    );
    lab.right("a notification is a type of its own, without a place for an id");
    let client = lab.client(Kind::Echo, Framing::Newline, lab.tap()).await?;
    let tools = client.list_tools().await?;
    lab.say(format_args!("the gate is open: {} tool(s) listed", tools.len()));
    client.close().await;
    Ok(())
}

// ANCHOR: numbered-initialized
/// The mistake: one function for everything that is sent, and it counts.
fn numbered_initialized(next_id: i128) -> Message {
    Message::request(next_id, method::INITIALIZED, None)
}
// ANCHOR_END: numbered-initialized
