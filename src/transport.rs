//! A transport: message bodies in and out, whatever carries them.
//!
//! The code above a transport sees two channels of bodies: a [`Sender`] and a
//! [`Receiver`]. What is below moves the bodies to and from the outside. For a pair of
//! byte streams, the receiver reads frames while a caller waits, and one task writes
//! frames. A caller that stops waiting never leaves half a frame behind, because only
//! that task touches the stream.
//!
//! Every frame passes the [`Tap`], which transcripts are made from: it sees the bytes
//! that are on the wire.

mod channel;
mod queue;
mod stdio;
mod stream;

pub use channel::{Closed, Incoming, Outbound, Outgoing, Receiver, Sender};

use crate::{frame::FramingMode, transcript::Direction};
use std::{fmt, io, sync::Arc};
use tokio::io::{AsyncRead, AsyncWrite};

/// An observer of a connection. The library never prints: it calls this.
pub type Tap = Arc<dyn Fn(Tapped<'_>) + Send + Sync>;

/// What a tap observes.
pub enum Tapped<'a> {
    /// One frame's body, after it was written or when it was received.
    Frame(Direction, &'a [u8]),
    /// What a person should know and no program needs: noise between frames, a response
    /// to an unknown request id, a line of the server's stderr.
    Note(&'a dyn fmt::Display),
}

/// A tap that ignores everything.
pub fn silent() -> Tap {
    Arc::new(|_| {})
}

// ANCHOR: transport
/// One end of a connection: two channels of message bodies.
pub struct Transport {
    /// Bodies to the peer.
    pub sender: Sender,
    /// Bodies from the peer.
    pub receiver: Receiver,
    /// For notes of the code above the transport.
    pub tap: Tap,
}

/// The other side of a [`Transport`]'s channels, for what moves the bodies.
pub struct Wire {
    /// Where received bodies go.
    pub incoming: Incoming,
    /// Where bodies to be written come from.
    pub outgoing: Outgoing,
}
// ANCHOR_END: transport

impl Transport {
    /// A transport and what has to be moved for it.
    pub fn channels(tap: Tap) -> (Self, Wire) {
        let (sender, outgoing) = channel::outgoing(tap.clone());
        let (incoming, receiver) = channel::incoming(tap.clone());
        (Self { sender, receiver, tap }, Wire { incoming, outgoing })
    }

    // ANCHOR: over
    /// Over any two byte streams: frames are read from one and written to the other.
    /// With [`FramingMode::Auto`] the framing is that of the first bytes received, and
    /// [`Framing::Newline`](crate::frame::Framing::Newline) until then.
    pub fn over(
        from: impl AsyncRead + Send + Unpin + 'static,
        to: impl AsyncWrite + Send + Unpin + 'static,
        framing: impl Into<FramingMode>,
        tap: Tap,
    ) -> Self {
        let mode = framing.into();
        let (mut transport, wire) = Self::channels(tap.clone());
        let negotiated = stream::negotiated(mode);
        let known = negotiated.clone();
        let feed = stream::read_frames(from, mode, known, wire.incoming, tap);
        transport.receiver.fed_by(feed);
        tokio::spawn(stream::write_frames(to, negotiated, wire.outgoing));
        transport
    }
    // ANCHOR_END: over

    /// This process's standard input and output, whatever they are: pipes, sockets,
    /// files, terminals. Error: they cannot be examined or opened.
    pub fn stdio(framing: impl Into<FramingMode>, tap: Tap) -> io::Result<Self> {
        Ok(Self::over(stdio::input()?, stdio::output()?, framing, tap))
    }

    // ANCHOR: pair
    /// Two connected transports in one process, without frames: what tests need. The
    /// tap observes the first of them.
    pub fn pair(tap: Tap) -> (Self, Self) {
        let (first, wire) = Self::channels(tap);
        let (second, other) = Self::channels(silent());
        tokio::spawn(channel::forward(wire.outgoing, other.incoming));
        tokio::spawn(channel::forward(other.outgoing, wire.incoming));
        (first, second)
    }
    // ANCHOR_END: pair
}
