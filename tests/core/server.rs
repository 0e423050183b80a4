//! What a server does with calls that take their time, fail, or are cancelled, and
//! how it ends.

use crate::common::serving::*;
use mcp_from_scratch::{
    frame::Framing,
    server::ServeError,
    tool::{Tool, ToolInfo, ToolResult, echo, from_fn},
    transport::{Transport, silent},
};
use serde_json::json;
use std::{future::pending, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, duplex, split},
    sync::Notify,
    time::Instant,
};

/// What a running call gets after the end of input.
const SECOND: Duration = Duration::from_secs(1);
const BOTH: [Framing; 2] = [Framing::Newline, Framing::ContentLength];

/// A tool that waits until the test lets it continue.
fn waiting() -> ((ToolInfo, impl Tool + 'static), Arc<Notify>) {
    let go = Arc::new(Notify::new());
    let told = go.clone();
    let tool = tool("waiting", move |_| {
        let told = told.clone();
        async move {
            told.notified().await;
            ToolResult::text("waited")
        }
    });
    (tool, go)
}

fn panicking(name: &str) -> (ToolInfo, impl Tool + 'static) {
    let info = ToolInfo::new(name, "Panics at once.", json!({"type": "object"}));
    (info, from_fn(|_| panic!("/home/someone/secret")))
}

// ANCHOR: slow-call
#[tokio::test]
async fn a_slow_call_delays_neither_ping_nor_another_call() {
    let (waiting, go) = waiting();
    let server = server().offering(waiting).offering(tool("quick", |_| async {
        tokio::task::yield_now().await;
        ToolResult::text("done")
    }));
    let mut client = Client::connect(server).await;
    client.say(&call(1, "waiting")).await;
    client.say(&ping(2)).await;
    assert_eq!(pong(2), client.hear().await);
    client.say(&call(3, "quick")).await;
    assert_eq!(said(3, "done"), client.hear().await);
    go.notify_one();
    assert_eq!(said(1, "waited"), client.hear().await);
    assert!(client.end().await.is_empty());
}
// ANCHOR_END: slow-call

#[tokio::test]
async fn a_tool_that_panics_is_a_failed_tool_and_the_server_continues() {
    let server = server()
        .offering(panicking("at_once"))
        .offering(tool("in_call", |_| -> std::future::Ready<ToolResult> {
            panic!("early")
        }))
        .offering(tool("later", |_| async {
            tokio::task::yield_now().await;
            panic!("late")
        }))
        .offering(echo());
    let mut client = Client::connect(server).await;
    for (id, name) in [(1, "at_once"), (2, "in_call"), (3, "later"), (4, "later")] {
        client.say(&call(id, name)).await;
        let expected = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"the tool panicked"}}],"isError":true}}}}"#
        );
        assert_eq!(expected, client.hear().await);
    }
    client.say(&ping(5)).await;
    assert_eq!(vec![pong(5)], client.end().await);
}

#[test]
fn a_second_tool_of_one_name_is_an_error() {
    let twin = || tool("twin", |_| async { ToolResult::text("") });
    let error = server().offering(twin()).with(twin()).err().expect("two twins");
    assert_eq!("there is already a tool named `twin`", error.to_string());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_is_stopped_and_not_answered() {
    struct Told(Arc<Notify>);
    impl Drop for Told {
        fn drop(&mut self) {
            self.0.notify_one();
        }
    }
    let stopped = Arc::new(Notify::new());
    let told = stopped.clone();
    let endless = tool("endless", move |_| {
        let guard = Told(told.clone());
        async move {
            let _guard = guard;
            pending().await
        }
    });
    let mut client = Client::connect(server().offering(endless)).await;
    client.say(&call(1, "endless")).await;
    client
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    soon(stopped.notified()).await;
    client.say(&ping(2)).await;
    assert_eq!(pong(2), client.hear().await);
    let start = Instant::now();
    assert!(client.end().await.is_empty());
    assert_eq!(start, Instant::now(), "nothing runs any more");
}

/// The call ends, is cancelled, and its id is taken again before its end was noticed.
/// Which of the two the server sees first is chance, so this is done many times.
#[tokio::test]
async fn a_call_that_ended_too_late_does_not_answer_for_its_successor() {
    let (waiting, go) = waiting();
    let server = server().offering(waiting).offering(tool("next", |_| async {
        tokio::task::yield_now().await;
        ToolResult::text("next")
    }));
    let mut client = Client::connect(server).await;
    for _ in 0..40 {
        client.say(&call(1, "waiting")).await;
        client.say(&ping(2)).await;
        assert_eq!(pong(2), client.hear().await);
        go.notify_one();
        client
            .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
            .await;
        client.say(&call(1, "next")).await;
        let mut heard = client.hear().await;
        if heard == said(1, "waited") {
            heard = client.hear().await; // the cancellation came after its end
        }
        assert_eq!(said(1, "next"), heard);
    }
}

#[tokio::test(start_paused = true)]
async fn at_the_end_of_input_what_was_read_is_answered() {
    for framing in BOTH {
        let later = tool("later", |_| async {
            tokio::time::sleep(SECOND / 10).await;
            ToolResult::text("late")
        });
        let input =
            framed(framing, [INITIALIZE, INITIALIZED, &call(1, "later"), &ping(2)]);
        let (output, end) = talk(server().offering(later), framing, &input).await;
        assert!(end.is_ok());
        assert_eq!([pong(2), said(1, "late")], bodies(framing, &output)[1..]);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_ends_gets_one_second_after_the_end_of_input() {
    let endless = tool("endless", |_| pending());
    let client = Client::connect(server().offering(endless)).await;
    client.say(&call(1, "endless")).await;
    client.say(&ping(2)).await;
    let start = Instant::now();
    assert_eq!(vec![pong(2)], client.end().await);
    assert_eq!(SECOND, Instant::now() - start);
}

/// The second is for calls. An answer that waits for its reader is not thrown away.
#[tokio::test(start_paused = true)]
async fn a_client_that_reads_late_still_gets_every_answer() {
    let (ours, theirs) = duplex(256);
    let (from, to) = split(theirs);
    let transport = Transport::over(from, to, Framing::Newline, silent());
    let endless = tool("endless", |_| pending());
    let server = server().offering(endless);
    let running = tokio::spawn(async move { server.serve(transport).await });
    let (mut from, mut to) = split(ours);
    let pings: Vec<_> = (1..=100).map(ping).collect();
    let calls = call(0, "endless");
    let input = [INITIALIZE, INITIALIZED, &calls].into_iter();
    let input = framed(Framing::Newline, input.chain(pings.iter().map(String::as_str)));
    soon(to.write_all(&input)).await.expect("the server reads");
    to.shutdown().await.expect("the input ends");
    tokio::time::sleep(SECOND * 5 / 4).await;
    assert!(!running.is_finished(), "a process would have ended by now");
    let mut output = Vec::new();
    soon(from.read_to_end(&mut output)).await.expect("the output ends");
    let expected: Vec<_> = (1..=100).map(pong).collect();
    assert_eq!(expected, bodies(Framing::Newline, &output)[1..]);
    soon(running).await.expect("no panic").expect("a clean end");
}

#[tokio::test]
async fn a_client_that_does_not_read_any_more_ends_the_server() {
    let (from, mut input) = duplex(1024);
    let (output, to) = duplex(1024);
    let transport = Transport::over(from, to, Framing::Newline, silent());
    let server = server();
    let running = tokio::spawn(async move { server.serve(transport).await });
    drop(output);
    let pings = async {
        // The first answer fails, and a later request finds that out.
        while input.write_all((ping(1) + "\n").as_bytes()).await.is_ok() {
            tokio::task::yield_now().await;
        }
    };
    soon(pings).await;
    let end = soon(running).await.expect("no panic");
    assert!(matches!(end, Err(ServeError::Closed(_))), "{end:?}");
}

#[tokio::test]
async fn a_message_of_16_mib_comes_back_whole() {
    let text = "你好 MCP! ".repeat(16 * 1024 * 1024 / 12);
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{{"text":"{text}"}}}}}}"#
    );
    for framing in BOTH {
        let input = framed(framing, [INITIALIZE, INITIALIZED, &call]);
        let (output, end) = talk(server().offering(echo()), framing, &input).await;
        assert!(end.is_ok(), "{end:?}");
        assert!(said(1, &text) == bodies(framing, &output)[1], "not the same text");
    }
}
