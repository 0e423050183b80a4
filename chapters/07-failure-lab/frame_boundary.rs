//! (1) Wrong frame boundaries: a writer that counts characters, and a reader that
//! parses one chunk as one frame.

use crate::lab::{Kind, Lab, call, ping, server_command};
use anyhow::Context;
use mcp_from_scratch::{
    frame::{FrameReader, Framing, MAX_MESSAGE},
    jsonrpc::{Id, Message, ParseError, parse},
    params,
    process::{Process, SHUTDOWN_WAIT},
    transcript::{Direction, escape_untrusted, line},
    transport::silent,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub async fn reproduce(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("帧边界错位", "frame-boundary: bytes, not characters and not chunks");
    lab.wrong("a writer that counts the characters of a body");
    write_hello(lab, by_characters).await?;
    lab.wrong("a reader that parses the bytes of one read as one frame");
    let chunk = two_responses_in_one_chunk(lab).await?;
    match message_in(&chunk) {
        Ok(message) => lab.print(format_args!("one message: {message:?}")),
        Err(malformed) => lab.print(malformed),
    }
    lab.cause(
        "管道中只有字节：长度按字节计算，一次读取的内容不等于一条消息",
        "A pipe contains only bytes: a length counts bytes, and the bytes of one read \
         are not one message",
    );
    lab.right("Framing::encode counts bytes");
    write_hello(lab, |body| Framing::ContentLength.encode(body)).await?;
    lab.right("FrameReader finds both frames in the same chunk");
    let mut reader = FrameReader::new(Framing::Newline, MAX_MESSAGE);
    reader.feed(&chunk);
    while let Some(frame) = reader.next_frame() {
        lab.out.line(format_args!("  {}", line(Direction::Receive, &frame?)));
    }
    Ok(())
}

// ANCHOR: by-characters
/// The mistake: `你好` has 2 characters and 6 bytes.
fn by_characters(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    format!("Content-Length: {}\r\n\r\n{text}", text.chars().count()).into_bytes()
}
// ANCHOR_END: by-characters

// ANCHOR: message-in
/// The mistake: this works only while each read returns exactly one response.
fn message_in(chunk: &[u8]) -> Result<Message, ParseError> {
    parse(chunk)
}
// ANCHOR_END: message-in

/// Calls `echo` in a frame that `frame` encodes, and then pings in a correct frame.
async fn write_hello(lab: &Lab, frame: fn(&[u8]) -> Vec<u8>) -> anyhow::Result<()> {
    let mut server = lab.connect(Kind::Echo, Framing::ContentLength)?;
    server.handshake().await?;
    server.write(&frame(&call(2, "echo", params! { "text": "你好" }).encode())).await?;
    server.send(&ping(3)).await?;
    let (responses, exit) = server.end().await?;
    for noise in exit.stderr_tail {
        lab.print(format_args!("the server's stderr: {noise}"));
    }
    for id in [2, 3] {
        let found =
            responses.iter().any(|response| response.id == Some(Id::Integer(id)));
        let text = if found { "got a response" } else { "got no response" };
        lab.print(format_args!("request {id} {text}"));
    }
    Ok(())
}

/// Sends two requests in one write, so that both responses arrive in one chunk.
async fn two_responses_in_one_chunk(lab: &Lab) -> anyhow::Result<Vec<u8>> {
    let (process, mut stdin, mut stdout) =
        Process::spawn(&server_command(Kind::Echo)?, silent())?;
    let frames = [ping(1), ping(2)].map(|p| Framing::Newline.encode(&p.encode()));
    stdin.write_all(&frames.concat()).await?;
    lab.out.line(format_args!("  write {}", escape_untrusted(&frames.concat())));
    let mut chunk = vec![0; 4096];
    let count = stdout.read(&mut chunk).await.context("cannot read from the server")?;
    chunk.truncate(count);
    lab.out.line(format_args!("  read  {}", escape_untrusted(&chunk)));
    drop(stdin);
    process.shut_down(SHUTDOWN_WAIT).await;
    Ok(chunk)
}
