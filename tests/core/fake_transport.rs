// ANCHOR: fake-transport
//! What a client's caller gets when the connection fails, when the tool does, and when
//! the connection breaks during a call. The server is a few lines of each test.

use mcp_from_scratch::{
    client::{Client, ClientConfig, ClientError},
    jsonrpc::{self, Message, Request, Response},
    lifecycle::State,
    transport::{Transport, silent},
};
use serde_json::{Map, Value, json};
use std::time::Duration;
use tokio::time::timeout;

/// Far longer than anything here takes, and far shorter than a request's timeout: what
/// is over within it was not ended by one.
const SOON: Duration = Duration::from_secs(5);

/// A client, and the end of its connection at which the server would be.
fn connect() -> (Client, Transport) {
    let (ours, theirs) = Transport::pair(silent());
    let hour = Duration::from_secs(3600);
    let settings = ClientConfig { timeout: hour, ..ClientConfig::default() };
    (Client::over(ours, settings), theirs)
}

/// The next request; notifications are skipped.
async fn request(fake: &mut Transport) -> Request {
    loop {
        let body =
            fake.receiver.receive().await.expect("more to come").expect("a frame");
        match jsonrpc::parse(&body).expect("the client writes messages") {
            Message::Request(request) => return request,
            Message::Notification(_) => {}
            other => panic!("the fake asks for nothing, got {other:?}"),
        }
    }
}

/// Answers the next request, which must be `method`, with `result`.
async fn answer(fake: &mut Transport, method: &str, result: Value) {
    let request = request(fake).await;
    assert_eq!(method, request.method);
    let answer = Message::Response(Response::result(request.id, result));
    fake.sender.send_and_flush(answer.encode()).await.expect("the client reads");
}

/// A client in state `ready`, and its server.
async fn ready() -> (Client, Transport) {
    let (client, mut fake) = connect();
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "fake", "version": "0" },
    });
    let (shaken, ()) =
        tokio::join!(client.handshake(), answer(&mut fake, "initialize", hello));
    shaken.expect("the handshake succeeds");
    (client, fake)
}

#[tokio::test]
async fn a_connection_that_fails_is_an_error_at_once_and_for_good() {
    let (client, fake) = connect();
    drop(fake);
    let shaken = timeout(SOON, client.handshake()).await.expect("it does not wait");
    assert!(matches!(shaken, Err(ClientError::Closed(_))), "{shaken:?}");
    assert_eq!((State::Closed, 0), (client.state(), client.pending()));
    let again = client.handshake().await;
    assert!(matches!(again, Err(ClientError::Closed(_))), "{again:?}");
}

#[tokio::test]
async fn a_tool_that_answers_is_error_has_a_result_and_the_client_continues() {
    let (client, mut fake) = ready().await;
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let failed = json!({ "content": text("no such city"), "isError": true });
    let script = async {
        answer(&mut fake, "tools/call", failed).await;
        answer(&mut fake, "tools/call", json!({ "content": text("18 °C") })).await;
    };
    let calls = async {
        let first = client.call_tool("weather", Map::new()).await;
        (first, client.call_tool("weather", Map::new()).await)
    };
    let ((first, second), ()) =
        timeout(SOON, async { tokio::join!(calls, script) }).await.expect("answers");
    let first = first.expect("a failed tool is not a protocol error");
    assert_eq!((true, text("no such city")), (first.is_error, first.content.into()));
    let second = second.expect("the connection has not suffered");
    assert_eq!((false, text("18 °C")), (second.is_error, second.content.into()));
}

#[tokio::test]
async fn a_connection_that_breaks_during_a_call_fails_the_call_at_once() {
    let (client, mut fake) = ready().await;
    let script = async {
        let call = request(&mut fake).await;
        drop(fake); // The call has come, its answer never goes out.
        call.method
    };
    let call = client.call_tool("weather", Map::new());
    let (outcome, method) =
        timeout(SOON, async { tokio::join!(call, script) }).await.expect("no waiting");
    assert_eq!("tools/call", method);
    assert!(matches!(outcome, Err(ClientError::Closed(_))), "{outcome:?}");
    assert_eq!((State::Closed, 0), (client.state(), client.pending()));
}
// ANCHOR_END: fake-transport
