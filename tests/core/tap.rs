//! What a transport's tap hears, and when.

use crate::common::serving::{listening, soon};
use mcp_from_scratch::{
    cli::output::{Out, notes, printing},
    frame::{FrameError, Framing},
    transcript::Direction,
    transport::{Tap, Tapped, Transport},
};
use std::{
    io,
    sync::{Arc, Mutex},
    task::{Context, Poll},
};
use tokio::io::{AsyncWriteExt, duplex, sink};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

async fn received(transport: &mut Transport) -> Option<String> {
    let body = soon(transport.receiver.receive()).await?.expect("a frame");
    Some(String::from_utf8(body.to_vec()).expect("UTF-8"))
}

#[tokio::test]
async fn the_tap_hears_a_frame_before_send_returns_and_before_receive_does() {
    let (tap, heard) = listening();
    let (mut ours, mut theirs) = Transport::pair(tap);
    let heard = || heard.lock().expect("no panic").clone();
    soon(ours.sender.send_and_flush(PING.into())).await.expect("written");
    assert_eq!([format!("> {PING}")], heard()[..]);
    received(&mut theirs).await;
    soon(theirs.sender.send_and_flush(PONG.into())).await.expect("written");
    assert_eq!(1, heard().len(), "the tap hears one end only");
    received(&mut ours).await;
    assert_eq!([format!("> {PING}"), format!("< {PONG}")], heard()[..]);
}

#[tokio::test]
async fn frames_are_written_and_heard_in_the_order_in_which_they_were_queued() {
    let (tap, heard) = listening();
    let (ours, mut theirs) = Transport::pair(tap);
    for number in 0..200 {
        let body = number.to_string().into_bytes();
        match number % 2 {
            0 => soon(ours.sender.send(body)).await.expect("queued"),
            _ => ours.sender.try_send(body).expect("queued"),
        }
    }
    soon(ours.sender.flush()).await.expect("written");
    let expected: Vec<_> = (0..200).map(|number| format!("> {number}")).collect();
    assert_eq!(expected, *heard.lock().expect("no panic"));
    for number in 0..200 {
        assert_eq!(Some(number.to_string()), received(&mut theirs).await);
    }
}

#[tokio::test]
async fn the_tap_and_the_receiver_observe_noise() {
    let (ours, mut peer) = duplex(1024);
    let (tap, heard) = listening();
    let mut transport = Transport::over(ours, sink(), Framing::ContentLength, tap);
    peer.write_all(b"Info: ready\n").await.expect("written");
    let error = soon(transport.receiver.receive()).await.expect("not the end");
    let noise = FrameError::Noise { bytes: 12, sample: "Info: ready".into() };
    assert_eq!(Err(noise), error);
    assert_eq!(
        ["! skipped 12 bytes outside any frame (printed to stdout?): Info: ready"],
        heard.lock().expect("no panic")[..]
    );
}

#[tokio::test]
async fn a_stream_that_breaks_ends_like_one_that_is_closed_and_is_noted() {
    struct Failing;
    impl tokio::io::AsyncRead for Failing {
        fn poll_read(
            self: std::pin::Pin<&mut Self>,
            _: &mut Context<'_>,
            _: &mut tokio::io::ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            Poll::Ready(Err(io::Error::other("the cable is out")))
        }
    }
    let (tap, heard) = listening();
    let mut transport = Transport::over(Failing, sink(), Framing::Newline, tap);
    assert_eq!(None, received(&mut transport).await);
    assert_eq!(
        ["! reading failed: the cable is out"],
        heard.lock().expect("no panic")[..]
    );
}

#[test]
fn a_printing_tap_prints_frames_and_notes_to_their_places() {
    let print = |tap: &dyn Fn(Out, Out) -> Tap| {
        let (frames, notes) = (Shared::default(), Shared::default());
        let tap = tap(Out::new(frames.clone()), Out::new(notes.clone()));
        tap(Tapped::Frame(Direction::Send, PING.as_bytes()));
        tap(Tapped::Frame(Direction::Receive, b"\x1b[2J"));
        tap(Tapped::Note(&"odd"));
        (frames.text(), notes.text())
    };
    assert_eq!(
        (
            format!("  [mcp:send]    {PING}\n  [mcp:receive] \\u{{1b}}[2J\n"),
            "! odd\n".into()
        ),
        print(&printing)
    );
    assert_eq!((String::new(), "! odd\n".into()), print(&|_, to| notes(to)));
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        let bytes = self.0.lock().expect("no panic");
        String::from_utf8(bytes.clone()).expect("UTF-8")
    }
}

impl io::Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A note may quote a peer, and a terminal obeys what it is sent.
#[test]
fn what_a_note_quotes_is_shown_and_not_obeyed() {
    for tap in [notes as fn(Out) -> Tap, |to| printing(Out::new(io::sink()), to)] {
        let written = Shared::default();
        let tap = tap(Out::new(written.clone()));
        tap(Tapped::Note(&"gone\u{1b}[2J\u{202e}\n"));
        assert_eq!("! gone\\u{1b}[2J\\u{202e}\\n\n", written.text());
    }
}
