//! (8) A raw newline inside a message, in a framing where a newline ends the message.

use crate::lab::{Kind, Lab, ping};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{Id, Message},
};
use serde_json::Value;

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("消息中的原始换行符", "raw-newline: a raw newline inside a message");
    lab.wrong("a client that pretty-prints the JSON of a message");
    let body = pretty_printed(&ping(1))?;
    send(lab, &[body.as_slice(), b"\n"].concat()).await?;
    lab.cause(
        "换行符是消息的分隔符，所以每一行都被解析为一条无效的消息",
        "A newline ends a message, so the server parses each line as a separate, \
         malformed message",
    );
    lab.right(
        "Framing::encode replaces each newline with a space: equivalent between tokens",
    );
    send(lab, &Framing::Newline.encode(&body)).await
}

// ANCHOR: pretty-printed
/// The mistake: one message on the screen is five messages on the wire.
fn pretty_printed(message: &Message) -> anyhow::Result<Vec<u8>> {
    let message: Value = serde_json::from_slice(&message.encode())?;
    Ok(serde_json::to_vec_pretty(&message)?)
}
// ANCHOR_END: pretty-printed

async fn send(lab: &Lab, bytes: &[u8]) -> anyhow::Result<()> {
    let mut server = lab.connect(Kind::Echo, Framing::Newline)?;
    server.write(bytes).await?;
    let (responses, _) = server.end().await?;
    let errors = responses.iter().filter(|response| response.result.is_err()).count();
    let id = Some(Id::Integer(1));
    let found = responses.iter().any(|response| response.id == id);
    let ping = if found { "a response" } else { "no response" };
    lab.print(format_args!("{errors} errors; the ping got {ping}"));
    Ok(())
}
