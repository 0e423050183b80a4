//! What a client notes for people, as a queue that a test reads.

use mcp_from_scratch::transport::{Tap, Tapped};
use std::sync::Arc;
use tokio::sync::mpsc;

pub struct Notes(mpsc::UnboundedReceiver<String>);

/// A tap that keeps the notes, and the place where they come out.
pub fn notes() -> (Tap, Notes) {
    let (put, take) = mpsc::unbounded_channel();
    let tap: Tap = Arc::new(move |event| {
        if let Tapped::Note(note) = event {
            let _ = put.send(note.to_string()); // the test may be over
        }
    });
    (tap, Notes(take))
}

impl Notes {
    /// The next note, as soon as there is one.
    pub async fn next(&mut self) -> String {
        self.0.recv().await.expect("the client is alive")
    }

    /// Everything noted so far that was not read yet.
    pub fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }
}
