//! The faulty server: reading, writing, and the faults of both.

mod rules;

use mcp_from_scratch::frame::{FrameError, FrameReader, Framing};
use rules::Rules;
use serde_json::Value;
use std::{
    io::{self, Read, Write},
    process::{self, ExitCode},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, SyncSender},
    },
    thread,
    time::Duration,
};

pub fn serve(fault: &str, framing: Framing) -> ExitCode {
    if fault == "writes-endlessly" {
        loop {
            let _ = io::stdout().write_all(&[b'x'; 4096]);
        }
    }
    let (responses, queue) = mpsc::sync_channel(32);
    let writer = {
        let fault = fault.to_owned();
        thread::spawn(move || write(&queue, &fault, framing))
    };
    let (bodies, input) = mpsc::channel();
    let keeps_partial = fault != "forgets-partial-lines";
    let ended = Arc::new(AtomicBool::new(false));
    let end = ended.clone();
    thread::spawn(move || {
        read(framing, keeps_partial, &bodies);
        end.store(true, Ordering::SeqCst);
    });
    run(fault, &input, &responses, &ended);
    drop(responses);
    let _ = writer.join();
    match fault {
        "never-exits" => loop {
            thread::park();
        },
        "exits-with-1" => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

fn run(
    fault: &str,
    input: &Receiver<Vec<u8>>,
    responses: &SyncSender<Vec<u8>>,
    ended: &AtomicBool,
) {
    let mut rules = Rules::new(fault);
    for body in input {
        if fault == "drops-at-end" {
            // Slow work, and then the end of input hides the pending requests.
            thread::sleep(Duration::from_millis(60));
            if ended.load(Ordering::SeqCst) {
                return;
            }
        }
        for response in rules.receive(&body) {
            if fault == "logs-on-stdout" {
                let _ = responses.send(b"info: responding".to_vec());
            }
            if fault != "dies-of-slow-reader" {
                let _ = responses.send(response);
            } else if responses.try_send(response).is_err() {
                process::exit(1);
            }
        }
    }
}

/// Each line, or each body. Noise and blank lines become empty bodies.
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

fn write(queue: &Receiver<Vec<u8>>, fault: &str, framing: Framing) {
    let framing = match fault {
        "uses-other-framing" => Framing::ContentLength,
        _ => framing,
    };
    for body in queue {
        let text = String::from_utf8_lossy(&body);
        let frame = if !body.starts_with(b"{") && !body.starts_with(b"[") {
            format!("{text}\r\n").into_bytes() // a log line
        } else if fault == "prints-pretty" {
            let json: Value = serde_json::from_str(&text).unwrap_or_default();
            format!("{json:#}\n").into_bytes()
        } else if fault == "counts-characters" && framing == Framing::ContentLength {
            let length = text.chars().count();
            format!("Content-Length: {length}\r\n\r\n{text}").into_bytes()
        } else {
            framing.encode(&body)
        };
        let mut stdout = io::stdout().lock();
        if stdout.write_all(&frame).and_then(|()| stdout.flush()).is_err() {
            return;
        }
    }
}
