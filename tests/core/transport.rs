//! Frames over byte streams: nothing half, nothing lost, nobody left waiting.

use crate::common::serving::soon;
use mcp_from_scratch::{
    frame::{FrameError, Framing, FramingMode},
    transport::{Closed, Transport, silent},
};
use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex, split};

const BOTH: [Framing; 2] = [Framing::Newline, Framing::ContentLength];
const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
const PONG: &str = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;

/// Polls once: how far does it come without waiting?
fn once<T>(future: &mut (impl Future<Output = T> + Unpin)) -> Poll<T> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

/// A transport and the raw stream at its other end, which holds `size` bytes.
fn raw(size: usize, framing: impl Into<FramingMode>) -> (Transport, DuplexStream) {
    let (ours, theirs) = duplex(size);
    let (from, to) = split(ours);
    (Transport::over(from, to, framing, silent()), theirs)
}

async fn received(transport: &mut Transport) -> Option<String> {
    let body = soon(transport.receiver.receive()).await?.expect("a frame");
    Some(String::from_utf8(body.to_vec()).expect("UTF-8"))
}

#[tokio::test]
async fn a_pair_carries_messages_both_ways() {
    let (mut ours, mut theirs) = Transport::pair(silent());
    soon(ours.sender.send_and_flush(PING.into())).await.expect("written");
    assert_eq!(Some(PING.into()), received(&mut theirs).await);
    soon(theirs.sender.send_and_flush(PONG.into())).await.expect("written");
    assert_eq!(Some(PONG.into()), received(&mut ours).await);
}

#[tokio::test]
async fn a_send_that_is_dropped_leaves_no_half_frame() {
    for framing in BOTH {
        let (transport, mut peer) = raw(8, framing);
        let mut send = Box::pin(transport.sender.send_and_flush(PING.into()));
        assert!(once(&mut send).is_pending());
        let mut begin = [0; 8];
        soon(peer.read_exact(&mut begin)).await.expect("the frame has begun");
        assert!(once(&mut send).is_pending(), "the rest waits for its reader");
        drop(send);
        transport.sender.send(PONG.into()).await.expect("queued");
        transport.sender.close();
        let mut rest = Vec::new();
        soon(peer.read_to_end(&mut rest)).await.expect("the end");
        let expected =
            [framing.encode(PING.as_bytes()), framing.encode(PONG.as_bytes())];
        let expected = expected.concat();
        let stream = [&begin[..], &rest].concat();
        assert_eq!(
            String::from_utf8_lossy(&expected),
            String::from_utf8_lossy(&stream)
        );
    }
}

#[tokio::test]
async fn a_receive_that_is_dropped_loses_no_byte() {
    for framing in BOTH {
        let (mut transport, mut peer) = raw(1024, framing);
        let frame = framing.encode(PING.as_bytes());
        for cut in 1..frame.len() {
            peer.write_all(&frame[..cut]).await.expect("written");
            let mut receive = Box::pin(transport.receiver.receive());
            assert!(once(&mut receive).is_pending(), "{framing} at {cut}");
            drop(receive);
            peer.write_all(&frame[cut..]).await.expect("written");
            assert_eq!(Some(PING.into()), received(&mut transport).await);
        }
    }
}

#[tokio::test]
async fn close_gives_the_peer_what_is_queued_and_then_the_end_of_its_input() {
    let (ours, mut theirs) = Transport::pair(silent());
    ours.sender.send(PING.into()).await.expect("queued");
    ours.sender.close();
    ours.sender.close();
    assert_eq!(Some(PING.into()), received(&mut theirs).await);
    assert_eq!(None, received(&mut theirs).await);
    assert_eq!(None, received(&mut theirs).await);
}

#[tokio::test]
async fn after_close_every_way_of_sending_says_closed() {
    let (ours, mut theirs) = Transport::pair(silent());
    let clone = ours.sender.clone();
    ours.sender.close();
    assert_eq!(Err(Closed::Gone), soon(ours.sender.send_and_flush(PING.into())).await);
    assert_eq!(Err(Closed::Gone), soon(ours.sender.send(PING.into())).await);
    assert_eq!(Err(Closed::Gone), ours.sender.try_send(PING.into()));
    assert_eq!(Err(Closed::Gone), soon(clone.send(PING.into())).await);
    assert_eq!(Err(Closed::Gone), soon(ours.sender.flush()).await);
    assert_eq!(None, received(&mut theirs).await);
}

#[tokio::test]
async fn after_close_answers_can_still_be_read() {
    let (mut ours, theirs) = Transport::pair(silent());
    ours.sender.close();
    soon(theirs.sender.send_and_flush(PONG.into())).await.expect("written");
    assert_eq!(Some(PONG.into()), received(&mut ours).await);
}

#[tokio::test]
async fn a_peer_that_is_gone_is_the_end_of_input_and_closed_for_senders() {
    let (mut ours, theirs) = raw(1024, Framing::Newline);
    drop(theirs);
    assert_eq!(None, received(&mut ours).await);
    assert_eq!(Err(Closed::Gone), soon(ours.sender.send_and_flush(PING.into())).await);
    assert_eq!(Err(Closed::Gone), soon(ours.sender.send(PING.into())).await);
    assert_eq!(Err(Closed::Gone), soon(ours.sender.flush()).await);
}

#[tokio::test]
async fn a_peer_that_leaves_during_a_write_fails_that_send() {
    let (transport, mut peer) = raw(8, Framing::Newline);
    let leave = async {
        peer.read_exact(&mut [0; 4]).await.expect("the frame has begun");
        drop(peer);
    };
    let (sent, ()) = soon(async {
        tokio::join!(transport.sender.send_and_flush(PING.into()), leave)
    })
    .await;
    assert_eq!(Err(Closed::Gone), sent);
}

#[tokio::test]
async fn without_a_framing_it_writes_lines_until_it_reads_frames() {
    let (mut transport, mut peer) = raw(1024, FramingMode::Auto);
    soon(transport.sender.send_and_flush(PING.into())).await.expect("written");
    let mut line = vec![0; PING.len() + 1];
    soon(peer.read_exact(&mut line)).await.expect("a line");
    assert_eq!(format!("{PING}\n"), String::from_utf8_lossy(&line));

    let frame = Framing::ContentLength.encode(PING.as_bytes());
    peer.write_all(&frame).await.expect("written");
    assert_eq!(Some(PING.into()), received(&mut transport).await);
    soon(transport.sender.send_and_flush(PONG.into())).await.expect("written");
    let mut frame = vec![0; "Content-Length: 36\r\n\r\n".len() + PONG.len()];
    soon(peer.read_exact(&mut frame)).await.expect("a frame");
    assert_eq!(
        format!("Content-Length: 36\r\n\r\n{PONG}"),
        String::from_utf8_lossy(&frame)
    );
}

/// 64 MiB may wait for a peer that does not read. Then `queue` waits, `post` does not.
#[tokio::test]
async fn a_peer_that_does_not_read_makes_senders_wait_at_64_mib() {
    let (transport, mut peer) = raw(1024, Framing::ContentLength);
    for _ in 0..2 {
        let half = vec![b' '; 32 * 1024 * 1024];
        soon(transport.sender.send(half)).await.expect("there is room");
    }
    let mut more = Box::pin(transport.sender.send(PING.into()));
    assert!(once(&mut more).is_pending());
    transport.sender.try_send(PONG.into()).expect("it asks for no room");
    let mut skipped = vec![0; 64 * 1024 * 1024];
    soon(peer.read_exact(&mut skipped)).await.expect("the long message");
    let read = async { while peer.read(&mut skipped).await.is_ok_and(|n| n > 0) {} };
    tokio::select! {
        queued = soon(more) => assert_eq!(Ok(()), queued),
        () = read => panic!("the stream ended"),
    }
}

#[tokio::test]
async fn a_sender_that_waits_for_room_gets_an_error_when_the_peer_leaves() {
    let (transport, peer) = raw(1024, Framing::ContentLength);
    let long = vec![b' '; 64 * 1024 * 1024];
    soon(transport.sender.send(long)).await.expect("there is room");
    let mut more = Box::pin(transport.sender.send(PING.into()));
    assert!(once(&mut more).is_pending());
    drop(peer);
    assert_eq!(Err(Closed::Gone), soon(more).await);
}

/// A caller that continues after the error must not collect the rest in memory.
#[tokio::test]
async fn after_the_wrong_framing_the_input_has_ended() {
    let (mut transport, mut peer) = raw(1024, Framing::Newline);
    peer.write_all(b"Content-Length: 2\r\n\r\n{}more").await.expect("room");
    let first = soon(transport.receiver.receive()).await.expect("an error");
    assert!(matches!(first, Err(FrameError::WrongFraming { .. })), "{first:?}");
    assert!(soon(transport.receiver.receive()).await.is_none());
}

#[tokio::test]
async fn a_pair_reports_a_body_without_a_receiver() {
    let (ours, theirs) = Transport::pair(silent());
    drop(theirs);
    assert_eq!(Err(Closed::Gone), ours.sender.send_and_flush(b"{}".to_vec()).await);
}
