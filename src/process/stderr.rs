//! A server's stderr: its log. Never parsed, always drained, the end of it kept.

use crate::{
    transcript::{escape_untrusted, truncate_utf8},
    transport::{Tap, Tapped},
};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::watch,
};

/// How many lines are kept.
const KEPT: usize = 10;
/// How much of a line is kept and noted, in bytes. The rest is read and dropped.
const LINE: usize = 1000;

/// The last lines that a server wrote.
pub struct Tail {
    lines: Arc<Mutex<VecDeque<String>>>,
    ended: watch::Receiver<()>,
}

impl Tail {
    // ANCHOR: drain
    /// Starts the task that reads `stderr` to its end. Without it the server would stop
    /// as soon as the pipe is full (64 KiB on Linux).
    pub fn drain(stderr: impl AsyncRead + Send + Unpin + 'static, tap: Tap) -> Self {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let (alive, ended) = watch::channel(());
        let keep = lines.clone();
        tokio::spawn(async move {
            read_lines(stderr, |line| {
                let mark = if line.len() > LINE { "…" } else { "" };
                let line = escape_untrusted(truncate_utf8(line, LINE)) + mark;
                tap(Tapped::Note(&format_args!("stderr: {line}")));
                let mut lines = keep.lock().unwrap_or_else(PoisonError::into_inner);
                if lines.len() == KEPT {
                    lines.pop_front();
                }
                lines.push_back(line);
            })
            .await;
            drop(alive);
        });
        Self { lines, ended }
    }
    // ANCHOR_END: drain

    pub fn lines(&self) -> Vec<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().cloned().collect()
    }

    /// Waits until stderr was read to its end.
    pub async fn ended(&mut self) {
        while self.ended.changed().await.is_ok() {}
    }
}

// ANCHOR: read-lines
/// Calls `each` with every line that is not empty, without its end, cut at [`LINE`]
/// bytes plus a little, so that the cut shows.
async fn read_lines(mut from: impl AsyncRead + Unpin, mut each: impl FnMut(&[u8])) {
    let mut chunk = vec![0; 16 * 1024];
    let mut line = Vec::new();
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        for piece in chunk[..count].split_inclusive(|byte| *byte == b'\n') {
            let room = (2 * LINE).saturating_sub(line.len());
            line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                finish(&mut line, &mut each);
            }
        }
    }
    finish(&mut line, &mut each);
}
// ANCHOR_END: read-lines

fn finish(line: &mut Vec<u8>, each: &mut impl FnMut(&[u8])) {
    let text = line.trim_ascii_end();
    if !text.is_empty() {
        each(text);
    }
    line.clear();
}
