//! (3) Too early: tools before the handshake, and `initialized` before the answer to
//! `initialize`.

use crate::lab::{
    Kind, Lab, VERSION, initialize, initialized, list, shake_hands, spec,
};
use mcp_from_scratch::{
    client::{Client, ClientConfig},
    frame::Framing,
    jsonrpc::{Message, Response},
    transcript::Direction,
    transport::{Tap, Tapped},
};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("握手完成之前", "early-call: before the handshake is done");
    lab.wrong("tools/list as the first message");
    blindly(lab, &[list(1)]).await?;
    lab.wrong("initialized before initialize: nobody hears it, the gate stays shut");
    blindly(lab, &[initialized(), initialize(VERSION), list(2)]).await?;
    lab.wrong("initialized without a look at the answer to initialize");
    let offered = "2024-01-01";
    let answers = blindly(lab, &[initialize(offered), initialized()]).await?;
    for answer in answers {
        let agreed = answer.result?["protocolVersion"].take();
        lab.say(format_args!("offered \"{offered}\", said yes to {agreed} unread"));
    }
    lab.cause(
        "握手有固定的次序：initialize、它的回答、initialized，然后才是工具",
        "The handshake has an order: initialize, its answer, initialized, and only \
         then tools",
    );
    lab.right("Client knows its state and refuses before a byte is sent");
    in_order(lab).await
}

// ANCHOR: blindly
/// The mistake: everything is sent in one go, and the answers are read afterwards.
async fn blindly(lab: &Lab, messages: &[Message]) -> anyhow::Result<Vec<Response>> {
    let mut server = lab.bench(Kind::Echo, Framing::Newline)?;
    for message in messages {
        server.send(message).await?;
    }
    Ok(server.end().await?.0)
}
// ANCHOR_END: blindly

async fn in_order(lab: &Lab) -> anyhow::Result<()> {
    let sent = Arc::new(AtomicUsize::new(0));
    let tap = counting(lab.tap(), sent.clone());
    let settings = ClientConfig::default();
    let client = Client::spawn(&spec(Kind::Echo)?, Framing::Newline, settings, tap)?;
    for (what, refused) in [
        ("tools/list", client.list_tools().await.err()),
        ("initialized", client.initialized().await.err()),
    ] {
        match refused {
            Some(error) => lab.say(format_args!("{what} refused: {error}")),
            None => lab.say(format_args!("{what} was NOT refused")),
        }
    }
    lab.say(format_args!("frames sent so far: {}", sent.load(Ordering::Relaxed)));
    shake_hands(&client).await?;
    client.list_tools().await?;
    client.close().await;
    Ok(())
}

fn counting(tap: Tap, sent: Arc<AtomicUsize>) -> Tap {
    Arc::new(move |event| {
        if let Tapped::Frame(Direction::Send, _) = event {
            sent.fetch_add(1, Ordering::Relaxed);
        }
        tap(event);
    })
}
