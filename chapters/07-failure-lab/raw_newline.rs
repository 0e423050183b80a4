//! (8) A raw newline inside a message, where a newline ends the message.

use crate::lab::{Kind, Lab, ping};
use mcp_from_scratch::{
    frame::Framing,
    jsonrpc::{Id, Message},
};
use serde_json::Value;

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("消息里的裸换行", "raw-newline: a raw newline inside a message");
    lab.wrong("a client that writes JSON for people, and then a newline");
    let body = for_people(&ping(1))?;
    deliver(lab, &[body.as_slice(), b"\n"].concat()).await?;
    lab.cause(
        "换行就是消息的结尾，所以每一行都被当成一条坏消息",
        "A newline is where a message ends, so that each line is a bad message of its \
         own",
    );
    lab.right("Framing::encode: between tokens a space says the same");
    deliver(lab, &Framing::Newline.encode(&body)).await
}

// ANCHOR: for-people
/// The mistake: pretty on the screen, and five messages on the wire.
fn for_people(message: &Message) -> anyhow::Result<Vec<u8>> {
    let message: Value = serde_json::from_slice(&message.encode())?;
    Ok(serde_json::to_vec_pretty(&message)?)
}
// ANCHOR_END: for-people

async fn deliver(lab: &Lab, bytes: &[u8]) -> anyhow::Result<()> {
    let mut server = lab.bench(Kind::Echo, Framing::Newline)?;
    server.write(bytes).await?;
    let (answers, _) = server.end().await?;
    let errors = answers.iter().filter(|answer| answer.result.is_err()).count();
    let id = Some(Id::Integer(1));
    let answered = answers.iter().any(|answer| answer.id == id);
    let ping = if answered { "answered" } else { "never answered" };
    lab.say(format_args!("{errors} errors; the ping was {ping}"));
    Ok(())
}
