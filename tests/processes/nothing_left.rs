//! The ways in which a server can behave badly, one after another: after each of them
//! no process is left, and nobody waits for an answer.

use crate::{
    common::{
        limit::run,
        marks::{assert_nothing_runs, mark, runs},
        notes::Notes,
    },
    script::*,
};
use mcp_from_scratch::{
    client::{Client, ClientError},
    process::{Exit, ServerCommand},
};
use serde_json::{Map, json};
use std::time::Duration;
use tokio::task::JoinSet;

/// A ready client, whose server and all its children carry the mark.
async fn marked(script: &str) -> (Client, Notes, String) {
    let mark = mark();
    let env = vec![("TEST_MARK".to_owned(), mark.clone())];
    let spec = ServerCommand { env, ..shell(&format!("{HANDSHAKE}{script}")) };
    let (client, notes) = start(&spec);
    client.handshake().await.expect("the handshake succeeds");
    assert!(runs(&mark), "the mark finds the server");
    (client, notes, mark)
}

/// Closes, and looks for what is left.
async fn end(client: &Client, mark: &str) -> Exit {
    let exit = client.close().await.expect("there was a process");
    assert!(exit.status.is_some(), "it was reaped");
    assert_eq!(0, client.pending());
    assert_nothing_runs(mark);
    exit
}

#[test]
fn after_a_death_with_100_calls_in_flight() {
    run(async {
        // It has read all of them when it dies; its child holds the pipes open.
        let script = r#"sleep 60 &
            i=0; while [ $i -lt 100 ]; do read -r line; i=$((i + 1)); done
            echo 'out of disk' >&2; exit 3"#;
        let (client, _notes, mark) = marked(script).await;
        let mut calls = JoinSet::new();
        for _ in 0..100 {
            let client = client.clone();
            calls.spawn(async move { client.call_tool("t", Map::new()).await });
        }
        while let Some(call) = calls.join_next().await {
            let result = call.expect("no panic");
            let Err(ClientError::Closed(closed)) = result else { panic!("{result:?}") };
            let expected = "the server ended with exit status: 3; its last lines on \
                            stderr: out of disk";
            assert_eq!(expected, closed.reason);
        }
        assert_eq!(0, client.pending(), "before it is closed, too");
        end(&client, &mark).await;
    });
}

#[test]
fn after_16_mebibytes_each_way_of_which_half_is_read() {
    run(async {
        let script = r#"head -c 8388608 >/dev/null
            head -c 16777216 /dev/zero | tr '\0' a; exec sleep 60"#;
        let (client, _notes, mark) = marked(script).await;
        let arguments = json!({ "te_t": "x".repeat(16 * 1024 * 1024) });
        let arguments = arguments.as_object().cloned().expect("an object");
        let close = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert_eq!(1, client.pending());
            end(&client, &mark).await
        };
        let (call, _) = tokio::join!(client.call_tool("t", arguments), close);
        assert_eq!("the client was closed", call.expect_err("closed").to_string());
    });
}

#[test]
fn after_a_client_that_is_dropped_with_a_call_in_flight() {
    run(async {
        let (client, _notes, mark) = marked("sleep 60 & wait").await;
        let call = client.call_tool("t", Map::new());
        let moment = Duration::from_millis(50);
        tokio::time::timeout(moment, call).await.expect_err("nobody answers");
        assert_eq!(0, client.pending());
        drop(client);
        tokio::time::sleep(moment).await; // lets the task that kills it run
        assert_nothing_runs(&mark);
    });
}
