//! What moves bodies between a transport and a pair of byte streams.

use super::{Incoming, Outgoing, Tap, Tapped};
use crate::frame::{FrameError, FrameReader, Framing, FramingMode, MAX_MESSAGE};
use std::{
    io::{self, ErrorKind},
    sync::{Arc, OnceLock},
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// How many bytes are read at a time: the capacity of a Linux pipe.
const CHUNK: usize = 64 * 1024;

/// The framing of a connection, once it is known.
pub type Negotiated = Arc<OnceLock<Framing>>;

pub fn negotiated(mode: FramingMode) -> Negotiated {
    Arc::new(match mode {
        FramingMode::Auto => OnceLock::new(),
        FramingMode::Fixed(framing) => OnceLock::from(framing),
    })
}

// ANCHOR: read-frames
/// Reads `from` to its end and hands every frame over.
pub async fn read_frames(
    mut from: impl AsyncRead + Unpin,
    mode: FramingMode,
    negotiated: Negotiated,
    to: Incoming,
    tap: Tap,
) {
    let mut reader = FrameReader::new(mode, MAX_MESSAGE);
    let mut chunk = vec![0; CHUNK];
    loop {
        while let Some(frame) = reader.next_frame() {
            if let Some(framing) = reader.framing() {
                negotiated.get_or_init(|| framing);
            }
            let is_last = matches!(frame, Err(FrameError::WrongFraming { .. }));
            if !to.put(frame).await || is_last {
                return;
            }
        }
        match from.read(&mut chunk).await {
            Ok(count) if count > 0 => reader.feed(&chunk[..count]),
            end => {
                if let Err(error) = end {
                    tap(Tapped::Note(&format_args!("reading failed: {error}")));
                }
                if let Some(rest) = reader.finish() {
                    to.put(rest).await;
                }
                return;
            }
        }
    }
}
// ANCHOR_END: read-frames

// ANCHOR: write-frames
/// Owns the stream and writes every body as a frame. All that is queued goes out in one
/// write.
pub async fn write_frames(
    mut to: impl AsyncWrite + Unpin,
    negotiated: Negotiated,
    mut from: Outgoing,
) {
    let mut batch = Vec::new();
    let mut bytes = Vec::new();
    while from.take(&mut batch).await > 0 {
        let framing = negotiated.get().copied().unwrap_or(Framing::Newline);
        for body in batch.iter().filter_map(|queued| queued.item.body()) {
            bytes.extend_from_slice(&framing.encode(body));
        }
        if let Err(error) = write(&mut to, &bytes).await {
            // Recorded before the batch is dropped: then its callers ask for the
            // reason.
            if !is_gone(&error) {
                from.failed(error.to_string());
            }
            break;
        }
        for queued in batch.drain(..) {
            from.written(queued.item);
        }
        bytes.clear();
        bytes.shrink_to(CHUNK); // a long message must not hold its memory
    }
    drop((batch, from)); // their callers must not wait for the shutdown
    let _ = to.shutdown().await; // the peer may be gone already
}
// ANCHOR_END: write-frames

async fn write(to: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes).await?;
    to.flush().await
}

/// The peer has left, which the reading side reports.
fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset)
}
