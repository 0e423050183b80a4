//! Stage 2: the same conversation in frames, written and read without a pipe.

#[path = "../conversation.rs"]
mod conversation;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use conversation::{conversation, echo_call};
use mcp_from_scratch::{
    cli::output::{Out, arguments, end},
    frame::{FrameError, FrameReader, Framing, MAX_MESSAGE},
    jsonrpc::{Message, parse},
    transcript::{Direction, escape_untrusted, line, truncate_utf8},
};
use std::process::ExitCode;

/// Frames an MCP conversation in both framings, counts bytes and characters, splits the
/// stream at every position and reads it, and skips noise between frames.
#[derive(Parser)]
#[command(version)]
struct Arguments {}

const FRAMINGS: [Framing; 2] = [Framing::Newline, Framing::ContentLength];

fn main() -> ExitCode {
    let Arguments {} = arguments();
    let out = Out::stdout();
    end(&out, run(&out))
}

fn run(out: &Out) -> Result<()> {
    both_framings(out);
    bytes_and_characters(out)?;
    split_everywhere(out)?;
    noise_between_frames(out)?;
    hostile_length(out)
}

fn both_framings(out: &Out) {
    out.heading(1, "同一段对话的两种帧格式（换行 / Content-Length）", "two framings");
    for framing in FRAMINGS {
        out.line(format_args!("  {framing}"));
        for (_, message) in conversation() {
            out.line(format_args!(
                "    {}",
                escape_untrusted(&framing.encode(&message.encode()))
            ));
        }
    }
}

fn bytes_and_characters(out: &Out) -> Result<()> {
    out.heading(2, "数字节，不数字符（你好）", "count bytes, not characters");
    let hello = echo_call(3, "你好").encode();
    let next = Message::notification("notifications/initialized", None).encode();
    let next_frame = Framing::ContentLength.encode(&next);
    let characters = std::str::from_utf8(&hello)?.chars().count();
    let count = hello.len();
    out.line(format_args!("  · a sample call: {count} bytes, {characters} characters"));

    let correct = Framing::ContentLength.encode(&hello);
    out.line(format_args!("  write {}", escape_untrusted(&correct)));
    let found = read(Framing::ContentLength, &[&correct, &next_frame]);
    ensure!(show(out, &found) == 2, "the correct length did not give both messages");

    let header = format!("Content-Length: {characters}\r\n\r\n");
    let wrong = [header.as_bytes(), &hello].concat();
    out.line(format_args!("  write {}", escape_untrusted(&wrong)));
    let found = read(Framing::ContentLength, &[&wrong, &next_frame]);
    ensure!(show(out, &found) == 1, "the wrong length did not give one message");
    let [Ok(incomplete), Err(FrameError::Noise { bytes, .. }), Ok(last)] = &found[..]
    else {
        bail!("expected an incomplete body, noise, a message; got {found:?}");
    };
    let total = incomplete.len() + bytes;
    ensure!(total == hello.len() && *last == next, "bytes were lost");
    Ok(())
}

// ANCHOR: split-everywhere
fn split_everywhere(out: &Out) -> Result<()> {
    out.heading(3, "在每个位置切开字节流（半包与粘包）", "split at every position");
    let mut sent: Vec<Vec<u8>> = conversation().iter().map(|m| m.1.encode()).collect();
    let count = sent.len();
    sent.push(echo_call(4, "你好").encode());
    for framing in FRAMINGS {
        let frames: Vec<_> = sent.iter().map(|body| framing.encode(body)).collect();
        let stream = frames.concat();
        let total = stream.len();
        let messages = format!("{count} messages and a sample call");
        out.line(format_args!(
            "  {framing}: {messages}, {total} bytes; sample splits:"
        ));
        show_split(out, framing, &stream, 8);
        let character = stream.windows(3).position(|w| w == "你".as_bytes());
        let inside = character.context("no 你 in the stream")? + 1;
        show_split(out, framing, &stream, inside);
        show_split(out, framing, &stream, frames[0].len() + frames[1].len());

        for at in 1..total {
            let (before, after) = stream.split_at(at);
            ensure!(same(&read(framing, &[before, after]), &sent), "split at {at}");
        }
        out.line(format_args!("  · all {} splits: the same messages", total - 1));
        let single: Vec<_> = stream.chunks(1).collect();
        ensure!(same(&read(framing, &single), &sent), "byte by byte");
        ensure!(same(&read(framing, &[&stream]), &sent), "as one chunk");
        out.line("  · byte by byte and as one chunk: the same messages");
    }
    Ok(())
}
// ANCHOR_END: split-everywhere

fn noise_between_frames(out: &Out) -> Result<()> {
    out.heading(4, "帧之间的噪声（报告，跳过，继续读）", "noise between frames");
    for framing in FRAMINGS {
        out.line(format_args!("  {framing}"));
        let frames: Vec<_> =
            conversation().iter().map(|m| framing.encode(&m.1.encode())).collect();
        let noise = b"cache warm: 12 entries\n";
        let found = read(framing, &[&frames[1], noise, &frames[4]]);
        ensure!(show(out, &found) == 2, "a message was lost");
        ensure!(found.len() == 3, "expected one report of the noise");
    }
    Ok(())
}

fn hostile_length(out: &Out) -> Result<()> {
    out.heading(5, "过大的长度（拒绝，不分配内存）", "a hostile length is rejected");
    let header = b"Content-Length: 99999999999\r\n\r\n";
    out.line(format_args!("  write {}", escape_untrusted(header)));
    let next = Framing::ContentLength.encode(&echo_call(3, "hello from MCP").encode());
    let found = read(Framing::ContentLength, &[header, &next]);
    ensure!(show(out, &found) == 1, "the next message was lost");
    ensure!(matches!(found[0], Err(FrameError::TooLong { .. })), "it was not rejected");
    Ok(())
}

type Found = std::result::Result<Vec<u8>, FrameError>;

/// All results of a reader that receives a stream in these chunks.
fn read(framing: Framing, chunks: &[&[u8]]) -> Vec<Found> {
    let mut reader = FrameReader::new(framing, MAX_MESSAGE);
    let mut found = Vec::new();
    for chunk in chunks {
        reader.feed(chunk);
        found.extend(std::iter::from_fn(|| reader.next_frame()));
    }
    found.extend(reader.finish());
    found
}

/// Prints what a reader found and returns the number of messages.
fn show(out: &Out, found: &[Found]) -> usize {
    let mut messages = 0;
    for each in found {
        match each {
            Err(error) => out.line(format_args!("  · {error}")),
            Ok(body) => {
                out.line(format_args!("  {}", line(Direction::Receive, body)));
                match parse(body) {
                    Ok(_) => messages += 1,
                    Err(malformed) => out.line(format_args!("  · {malformed}")),
                }
            }
        }
    }
    messages
}

fn same(found: &[Found], sent: &[Vec<u8>]) -> bool {
    found.len() == sent.len()
        && found.iter().zip(sent).all(|(found, sent)| found.as_deref() == Ok(sent))
}

/// Prints one split of the stream and the number of messages in its first chunk.
fn show_split(out: &Out, framing: Framing, stream: &[u8], at: usize) {
    let (before, after) = stream.split_at(at);
    let mut reader = FrameReader::new(framing, MAX_MESSAGE);
    reader.feed(before);
    let complete = std::iter::from_fn(|| reader.next_frame()).count();
    let (before, after) = (&before[at.saturating_sub(16)..], truncate_utf8(after, 16));
    let (before, after) = (escape_untrusted(before), escape_untrusted(after));
    out.line(format_args!("    {before} ✂ {after}  (messages before it: {complete})"));
}
