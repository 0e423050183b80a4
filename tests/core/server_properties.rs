//! Any input, in any order, cut anywhere: each request gets one response.

use crate::common::serving::*;
use mcp_from_scratch::{
    frame::{Framing, FramingMode},
    server::Server,
    tool::{ToolResult, echo},
};
use proptest::prelude::*;
use serde_json::Value;

const BOTH: [Framing; 2] = [Framing::Newline, Framing::ContentLength];

/// What settles the framing, and is owed nothing.
const SETTLED: &str = INITIALIZED;

const NOISE: &str = "# a line of log: {\"id\":1}\n";

/// One message, and whether it is owed an answer.
fn message(id: usize) -> impl Strategy<Value = (String, bool)> {
    let line = |text: &str, owed| Just((text.replace("ID", &id.to_string()), owed));
    prop_oneof![
        line(r#"{"jsonrpc":"2.0","id":ID,"method":"ping"}"#, true),
        line(r#"{"jsonrpc":"2.0","id":ID,"method":"tools/list"}"#, true),
        line(r#"{"jsonrpc":"2.0","id":ID,"method":"no/such"}"#, true),
        line(r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":[]}"#, true),
        line(
            r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"echo"}}"#,
            true
        ),
        line(
            r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"later"}}"#,
            true
        ),
        line(
            r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"none"}}"#,
            true
        ),
        line(r#"{"jsonrpc":"2.0","id":ID,"method":"notifications/initialized"}"#, true),
        line(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, false),
        line(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ID"}}"#,
            false
        ),
        line(
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"later"}}"#,
            false
        ),
        line(r#"{"jsonrpc":"2.0","method":"no/such","params":ID}"#, false),
        line(r#"{"jsonrpc":"2.0","id":ID,"result":{}}"#, false),
        line(r#"{"jsonrpc":"2.0","id":ID,"error":{}}"#, false),
    ]
}

/// Each with the number of lines of noise before it.
fn messages() -> impl Strategy<Value = Vec<(usize, (String, bool))>> {
    (0usize..40).prop_flat_map(|count| {
        (0..count).map(|id| (0..3usize, message(id))).collect::<Vec<_>>()
    })
}

fn tools() -> Server {
    server().offering(echo()).offering(tool("later", |_| async {
        tokio::task::yield_now().await;
        ToolResult::text("late")
    }))
}

/// The ids of the responses, and how many responses have no id.
fn answered(framing: Framing, output: &[u8]) -> (Vec<u64>, usize) {
    let (mut ids, mut without) = (Vec::new(), 0);
    for body in bodies(framing, output) {
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        match (&answer["id"], answer["id"].as_u64()) {
            (_, Some(id)) => ids.push(id),
            (Value::Null, None) => without += 1,
            (id, None) => assert_eq!("init", id),
        }
    }
    ids.sort_unstable();
    (ids, without)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None, // what fails here becomes a test of the session
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_request_and_nothing_else_gets_one_response(
        messages in messages(),
        framing in prop::sample::select(&BOTH[..]),
        handshake in any::<bool>(),
        chunk in prop::sample::select(&[1usize, 7, 64 * 1024][..]),
    ) {
        let start = if handshake { &[INITIALIZE, INITIALIZED][..] } else { &[SETTLED] };
        let mut input = framed(framing, start.iter().copied());
        for (noise, (message, _)) in &messages {
            input.extend(NOISE.repeat(*noise).bytes());
            input.extend(framing.encode(message.as_bytes()));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (output, end) =
            runtime.block_on(talk_in_chunks(tools(), FramingMode::Auto, &input, chunk));
        prop_assert!(end.is_ok());
        let (ids, without) = answered(framing, &output);
        let owed = (0..).zip(&messages).filter(|(_, (_, message))| message.1);
        let owed: Vec<u64> = owed.map(|(id, _)| id).collect();
        prop_assert_eq!(owed, ids);
        // A bad line is a bad message; text between frames is not.
        let lines: usize = messages.iter().map(|(noise, _)| noise).sum();
        let lines = if framing == Framing::Newline { lines } else { 0 };
        prop_assert_eq!(lines, without);
    }
}
