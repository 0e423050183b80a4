//! (3) A tool request before the handshake, and `initialized` before the response to
//! `initialize`.

use crate::lab::{
    Kind, Lab, VERSION, handshake, initialize, initialized, list, server_command,
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

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("握手完成之前", "early-call: before the handshake is done");
    lab.wrong("tools/list as the first message");
    send_without_reading(lab, &[list(1)]).await?;
    lab.wrong("initialized before initialize: the server ignores it");
    send_without_reading(lab, &[initialized(), initialize(VERSION), list(2)]).await?;
    lab.wrong("initialized before the client has read the response to initialize");
    let offered = "2024-01-01";
    let responses =
        send_without_reading(lab, &[initialize(offered), initialized()]).await?;
    for response in responses {
        let version = response.result?["protocolVersion"].take();
        lab.print(format_args!(
            "offered \"{offered}\", accepted {version} without reading it"
        ));
    }
    lab.cause(
        "握手有固定的顺序：initialize、它的响应、initialized，之后才能请求工具",
        "The handshake has a fixed order: initialize, its response, initialized, and \
         only then tool requests",
    );
    lab.right("Client checks its state and refuses before it sends a byte");
    in_order(lab).await
}

// ANCHOR: send-without-reading
/// The mistake: all messages are sent before the first response is read.
async fn send_without_reading(
    lab: &Lab,
    messages: &[Message],
) -> anyhow::Result<Vec<Response>> {
    let mut server = lab.connect(Kind::Echo, Framing::Newline)?;
    for message in messages {
        server.send(message).await?;
    }
    Ok(server.end().await?.0)
}
// ANCHOR_END: send-without-reading

async fn in_order(lab: &Lab) -> anyhow::Result<()> {
    let sent = Arc::new(AtomicUsize::new(0));
    let tap = counting(lab.tap(), sent.clone());
    let config = ClientConfig::default();
    let client =
        Client::spawn(&server_command(Kind::Echo)?, Framing::Newline, config, tap)?;
    for (what, error) in [
        ("tools/list", client.list_tools().await.err()),
        ("initialized", client.initialized().await.err()),
    ] {
        match error {
            Some(error) => lab.print(format_args!("{what} refused: {error}")),
            None => lab.print(format_args!("{what} was NOT refused")),
        }
    }
    lab.print(format_args!("frames sent so far: {}", sent.load(Ordering::Relaxed)));
    handshake(&client).await?;
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
