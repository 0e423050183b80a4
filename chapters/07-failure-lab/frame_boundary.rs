//! (1) Frame boundaries off: a writer that counts characters, and a reader that takes
//! one chunk for one frame.

use crate::lab::{Kind, Lab, call, ping, spec};
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

pub async fn happen(lab: &Lab) -> anyhow::Result<()> {
    lab.heading("帧边界错位", "frame-boundary: bytes, not characters and not chunks");
    lab.wrong("a writer that counts the characters of a body");
    write_hello(lab, by_characters).await?;
    lab.wrong("a reader that takes what one read gives for one frame");
    let chunk = two_answers_in_one_chunk(lab).await?;
    match message_in(&chunk) {
        Ok(message) => lab.say(format_args!("one message: {message:?}")),
        Err(malformed) => lab.say(malformed),
    }
    lab.cause(
        "管道里只有字节：长度按字节算，一次读取和一条消息毫无关系",
        "A pipe holds bytes and nothing else: a length counts bytes, and one read is \
         not one message",
    );
    lab.right("Framing::encode counts bytes");
    write_hello(lab, |body| Framing::ContentLength.encode(body)).await?;
    lab.right("FrameReader finds the frames in the very same chunk");
    let mut reader = FrameReader::new(Framing::Newline, MAX_MESSAGE);
    reader.feed(&chunk);
    while let Some(frame) = reader.next_frame() {
        lab.out.line(format_args!("  {}", line(Direction::Receive, &frame?)));
    }
    Ok(())
}

// ANCHOR: by-characters
/// The mistake: in `你好` there are 2 characters and 6 bytes.
fn by_characters(body: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(body);
    format!("Content-Length: {}\r\n\r\n{text}", text.chars().count()).into_bytes()
}
// ANCHOR_END: by-characters

// ANCHOR: message-in
/// The mistake: it works as long as each read gives one answer.
fn message_in(chunk: &[u8]) -> Result<Message, ParseError> {
    parse(chunk)
}
// ANCHOR_END: message-in

/// Calls `echo` through frames that `frame` makes, and pings in a right one.
async fn write_hello(lab: &Lab, frame: fn(&[u8]) -> Vec<u8>) -> anyhow::Result<()> {
    let mut server = lab.bench(Kind::Echo, Framing::ContentLength)?;
    server.shake_hands().await?;
    server.write(&frame(&call(2, "echo", params! { "text": "你好" }).encode())).await?;
    server.send(&ping(3)).await?;
    let (answers, exit) = server.end().await?;
    for noise in exit.stderr_tail {
        lab.say(format_args!("the server's stderr: {noise}"));
    }
    for id in [2, 3] {
        let answered = answers.iter().any(|answer| answer.id == Some(Id::Integer(id)));
        let text = if answered { "answered" } else { "never answered" };
        lab.say(format_args!("request {id} was {text}"));
    }
    Ok(())
}

/// Two requests in one write, so that the server answers both at once.
async fn two_answers_in_one_chunk(lab: &Lab) -> anyhow::Result<Vec<u8>> {
    let (process, mut stdin, mut stdout) =
        Process::spawn(&spec(Kind::Echo)?, silent())?;
    let frames = [ping(1), ping(2)].map(|p| Framing::Newline.encode(&p.encode()));
    stdin.write_all(&frames.concat()).await?;
    lab.out.line(format_args!("  write {}", escape_untrusted(&frames.concat())));
    let mut chunk = vec![0; 4096];
    let count = stdout.read(&mut chunk).await.context("reading failed")?;
    chunk.truncate(count);
    lab.out.line(format_args!("  read  {}", escape_untrusted(&chunk)));
    drop(stdin);
    process.shut_down(SHUTDOWN_WAIT).await;
    Ok(chunk)
}
