//! The faulty server: reading, writing, and the faults of both.

mod rules;

use mcp_from_scratch::frame::{FrameError, FrameReader, Framing};
use rules::Rules;
use serde_json::Value;
use std::{
    io::{self, Read, Write},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
    time::Duration,
};

pub const FAULTS: [&str; 44] = [
    "none",
    "accepts-initialized-request",
    "answers-in-headers",
    "answers-notifications",
    "answers-null-id",
    "asks-early",
    "bad-arguments-are-errors",
    "call-fails",
    "counts-characters",
    "dies-of-batch",
    "dies-of-blank-line",
    "dies-of-junk",
    "dies-of-null-id",
    "dies-of-params-array",
    "dies-of-slow-reader",
    "dies-of-unknown-method",
    "digits-are-numbers",
    "drops-at-end",
    "ends-with-1",
    "executes-batches",
    "forgets-partial-lines",
    "forgets-server-info",
    "has-no-ping",
    "has-no-ping-before-initialized",
    "has-odd-code-for-method",
    "has-odd-code-for-tool",
    "has-odd-schema",
    "ids-are-floats",
    "ids-are-strings",
    "ids-lose-digits",
    "ignores-junk",
    "ignores-params-array",
    "logs-on-stdout",
    "never-ends",
    "opens-by-request",
    "pongs-with-text",
    "prints-pretty",
    "refuses-version",
    "repeats-version",
    "serves-early",
    "shortens-ids",
    "silent",
    "unknown-tool-is-result",
    "writes-without-end",
];

pub fn serve(fault: &str, framing: Framing) {
    if fault == "writes-without-end" {
        loop {
            let _ = io::stdout().write_all(&[b'x'; 4096]);
        }
    }
    let (answers, queue) = mpsc::sync_channel(32);
    let writer = {
        let pretty = fault == "prints-pretty";
        let by_characters = fault == "counts-characters";
        let framing = match fault {
            "answers-in-headers" => Framing::ContentLength,
            _ => framing,
        };
        thread::spawn(move || write(&queue, framing, pretty, by_characters))
    };
    let (bodies, input) = mpsc::channel();
    let partial = fault != "forgets-partial-lines";
    let ended = Arc::new(AtomicBool::new(false));
    let end = ended.clone();
    thread::spawn(move || {
        read(framing, partial, &bodies);
        end.store(true, Ordering::SeqCst);
    });
    run(fault, &input, &answers, &ended);
    drop(answers);
    let _ = writer.join();
    match fault {
        "never-ends" => thread::sleep(Duration::from_secs(60)),
        "ends-with-1" => process::exit(1),
        _ => {}
    }
}

fn run(
    fault: &str,
    input: &Receiver<Vec<u8>>,
    answers: &SyncSender<Vec<u8>>,
    ended: &AtomicBool,
) {
    let mut rules = Rules::new(fault);
    for body in input {
        if fault == "drops-at-end" {
            // Slow work, and then nobody looks whether an answer is still owed.
            thread::sleep(Duration::from_millis(60));
            if ended.load(Ordering::SeqCst) {
                return;
            }
        }
        for answer in rules.receive(&body) {
            if fault == "logs-on-stdout" {
                let _ = answers.send(b"info: answering".to_vec());
            }
            if fault != "dies-of-slow-reader" {
                let _ = answers.send(answer);
            } else if answers.try_send(answer).is_err() {
                process::exit(1);
            }
        }
    }
}

/// Each line, or each body; noise and blank lines come out as they are.
fn read(framing: Framing, keeps_partial: bool, bodies: &mpsc::Sender<Vec<u8>>) {
    let mut reader = FrameReader::new(framing, 1 << 24);
    let mut lines = Vec::new();
    let mut chunk = vec![0; 1 << 20];
    while let Ok(length @ 1..) = io::stdin().read(&mut chunk) {
        if framing == Framing::ContentLength {
            reader.feed(&chunk[..length]);
            while let Some(frame) = reader.next_frame() {
                let _ = match frame {
                    Ok(body) => bodies.send(body),
                    Err(FrameError::Noise { .. }) => bodies.send(Vec::new()),
                    Err(_) => Ok(()),
                };
            }
            continue;
        }
        lines.extend_from_slice(&chunk[..length]);
        while let Some(end) = lines.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = lines.drain(..=end).collect();
            let _ = bodies.send(line.trim_ascii().to_vec());
        }
        if !keeps_partial {
            lines.clear();
        }
    }
}

fn write(
    queue: &Receiver<Vec<u8>>,
    framing: Framing,
    pretty: bool,
    by_characters: bool,
) {
    for body in queue {
        let text = String::from_utf8_lossy(&body);
        let frame = if !body.starts_with(b"{") && !body.starts_with(b"[") {
            format!("{text}\r\n").into_bytes() // a line of log
        } else if pretty {
            let json: Value = serde_json::from_str(&text).unwrap_or_default();
            format!("{json:#}\n").into_bytes()
        } else if by_characters && framing == Framing::ContentLength {
            format!("Content-Length: {}\r\n\r\n{text}", text.chars().count())
                .into_bytes()
        } else {
            framing.encode(&body)
        };
        let mut stdout = io::stdout().lock();
        if stdout.write_all(&frame).and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}
