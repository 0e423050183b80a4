//! A transport: frames over a pair of byte streams.
//!
//! The sending side is one task that owns its stream, so that a caller who gives up
//! leaves no half frame behind. Everything that crosses passes the [`Tap`], where
//! transcripts hang: they see the very bytes.

mod stdio;
mod writer;

pub use writer::{Closed, Sender};

use crate::{
    console::Out,
    frame::{FrameError, FrameReader, Framing, MAX_MESSAGE},
    transcript::{self, Direction},
};
use std::{
    fmt, io,
    sync::{Arc, OnceLock},
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

/// The library's only voice.
pub type Tap = Arc<dyn Fn(Tapped<'_>) + Send + Sync>;

/// What a tap is told.
pub enum Tapped<'a> {
    /// One frame's body, after it was written or when it was read.
    Frame(Direction, &'a [u8]),
    /// What a person should know and no program needs: noise between frames, an answer
    /// that nobody waits for, a line of the server's stderr.
    Note(&'a dyn fmt::Display),
}

/// A tap that says nothing.
pub fn silent() -> Tap {
    Arc::new(|_| {})
}

/// A tap that prints notes only.
pub fn notes(notes: Out) -> Tap {
    Arc::new(move |event| {
        if let Tapped::Note(note) = event {
            print_note(&notes, note);
        }
    })
}

/// A note may quote a peer.
fn print_note(to: &Out, note: &dyn fmt::Display) {
    to.line(format_args!("! {}", transcript::visible(note.to_string().as_bytes())));
}

/// A tap that prints frames to one place, indented by two, and notes to another.
pub fn printing(frames: Out, notes: Out) -> Tap {
    Arc::new(move |event| match event {
        Tapped::Frame(direction, body) => {
            frames.line(format_args!("  {}", transcript::line(direction, body)));
        }
        Tapped::Note(note) => print_note(&notes, note),
    })
}

/// One end of a connection.
pub struct Transport {
    pub sender: Sender,
    pub receiver: Receiver,
    /// For what the code above the frames has to note.
    pub tap: Tap,
}

impl Transport {
    /// Over any two byte streams. `framing`: `None` answers in the framing of the first
    /// bytes that come, and in [`Framing::Newline`] until then.
    pub fn new(
        from: impl AsyncRead + Send + Unpin + 'static,
        to: impl AsyncWrite + Send + Unpin + 'static,
        framing: Option<Framing>,
        tap: Tap,
    ) -> Self {
        let spoken = Arc::new(framing.map_or_else(OnceLock::new, OnceLock::from));
        Self {
            sender: Sender::start(Box::new(to), spoken.clone(), tap.clone()),
            receiver: Receiver {
                from: Box::new(from),
                chunk: vec![0; CHUNK].into(),
                frames: FrameReader::new(framing, MAX_MESSAGE),
                ended: false,
                spoken,
                tap: tap.clone(),
            },
            tap,
        }
    }

    /// This process's own standard input and output, whatever they are: pipes, sockets,
    /// files, terminals.
    pub fn stdio(framing: Option<Framing>, tap: Tap) -> io::Result<Self> {
        Ok(Self::new(stdio::input()?, stdio::output()?, framing, tap))
    }

    /// Two connected ends in one process. The tap hears the first of them.
    pub fn pair(framing: Framing, tap: Tap) -> (Self, Self) {
        let (ours, theirs) = tokio::io::duplex(CHUNK);
        let over = |stream, tap| {
            let (from, to) = tokio::io::split(stream);
            Self::new(from, to, Some(framing), tap)
        };
        (over(ours, tap), over(theirs, silent()))
    }
}

/// How many bytes are read at a time: what a Linux pipe holds.
const CHUNK: usize = 64 * 1024;

/// The receiving side: bytes in, frames out.
pub struct Receiver {
    from: Box<dyn AsyncRead + Send + Unpin>,
    chunk: Box<[u8]>,
    frames: FrameReader,
    ended: bool,
    spoken: Arc<OnceLock<Framing>>,
    tap: Tap,
}

impl Receiver {
    // ANCHOR: receive
    /// The next body, or what was skipped before it (which the tap has heard already),
    /// or [`FrameError::WrongFraming`], after which there is nothing to receive.
    /// `None` is the end of input; a stream that breaks ends like one that is closed.
    ///
    /// Cancel-safe: a partial frame lives in the reader, not in this future.
    pub async fn receive(&mut self) -> Option<Result<Vec<u8>, FrameError>> {
        loop {
            if let Some(frame) = self.frames.next_frame() {
                return Some(self.told(frame));
            }
            if self.ended {
                return None;
            }
            match self.from.read(&mut self.chunk).await {
                Ok(count) if count > 0 => self.frames.feed(&self.chunk[..count]),
                end => {
                    self.ended = true;
                    if let Err(error) = end {
                        (self.tap)(Tapped::Note(&format_args!(
                            "reading failed: {error}"
                        )));
                    }
                    let rest = self.frames.finish()?;
                    return Some(self.told(rest));
                }
            }
        }
    }
    // ANCHOR_END: receive

    fn told(&self, frame: Result<Vec<u8>, FrameError>) -> Result<Vec<u8>, FrameError> {
        if let Some(framing) = self.frames.framing() {
            self.spoken.get_or_init(|| framing);
        }
        match &frame {
            Ok(body) => (self.tap)(Tapped::Frame(Direction::Receive, body)),
            Err(FrameError::WrongFraming { .. }) => {} // whoever receives it says so
            Err(error) => (self.tap)(Tapped::Note(error)),
        }
        frame
    }
}
