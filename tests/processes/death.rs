//! The server ends, or seems to, while calls are in flight.

use crate::{common::limit::run, script::*};
use mcp_from_scratch::{
    client::{Client, ClientError},
    lifecycle::State,
    tool::ToolResult,
};
use serde_json::Map;

/// A call that fails because the connection is over, and why. Had it waited for its
/// deadline, it would fail by a timeout.
async fn fails(client: &Client) -> String {
    match client.call_tool("t", Map::new()).await {
        Err(ClientError::Closed(closed)) => closed.reason,
        other => panic!("expected a closed connection, got {other:?}"),
    }
}

/// Three calls in flight fail with `expected`, and so does a later one.
fn assert_all_fail_at_once(script: &'static str, expected: &'static str) {
    run(async move {
        let (client, _notes) = ready(script).await;
        let reasons = tokio::join!(fails(&client), fails(&client), fails(&client));
        assert_eq!(
            (expected, expected, expected),
            (&*reasons.0, &*reasons.1, &*reasons.2)
        );
        assert_eq!((State::Closed, 0), (client.state(), client.pending()));
        assert_eq!(expected, fails(&client).await);
        client.close().await;
        assert_eq!(expected, fails(&client).await);
    });
}

#[test]
fn a_server_that_exits_fails_all_calls_with_its_status_and_last_lines() {
    assert_all_fail_at_once(
        "read -r a; read -r b; read -r c; echo 'out of disk' >&2; exit 3",
        "the server ended with exit status: 3; its last lines on stderr: out of disk",
    );
}

#[test]
fn a_server_that_is_killed_fails_all_calls_with_the_signal() {
    assert_all_fail_at_once(
        "read -r a; read -r b; read -r c; kill -9 $$",
        "the server ended with signal: 9 (SIGKILL)",
    );
}

#[test]
fn a_server_that_exits_without_reading_fails_all_calls_with_its_status() {
    assert_all_fail_at_once(
        "echo one >&2; echo two >&2; exit 4",
        "the server ended with exit status: 4; its last lines on stderr: one | two",
    );
}

#[test]
fn a_server_that_closes_its_stdout_but_runs_on_fails_all_calls() {
    assert_all_fail_at_once(
        "read -r a; read -r b; read -r c; exec >&-; exec sleep 60",
        "the server closed its stdout",
    );
}

#[test]
fn a_grandchild_that_holds_stdout_open_delays_no_failure() {
    assert_all_fail_at_once(
        "sleep 60 & read -r a; read -r b; read -r c; exit 5",
        "the server ended with exit status: 5",
    );
}

#[test]
fn a_response_is_delivered_before_the_death_that_follows_it() {
    run(async {
        let (client, _notes) =
            ready(r#"read -r a; echo '{"jsonrpc":"2.0","id":2,"result":{}}'; exit 3"#)
                .await;
        let answered = client.call_tool("t", Map::new()).await;
        assert!(answered.is_ok(), "{answered:?}");
        assert_eq!("the server ended with exit status: 3", fails(&client).await);
    });
}

/// The response is in the pipe, and the death is known before it is read.
#[test]
fn a_last_response_is_delivered_even_if_a_grandchild_holds_the_pipe() {
    run(async {
        let (client, _notes) = ready(
            r#"sleep 60 & read -r a
               echo '{"jsonrpc":"2.0","id":2,"result":{}}'; exit 3"#,
        )
        .await;
        let answered = client.call_tool("t", Map::new()).await;
        assert!(answered.is_ok(), "{answered:?}");
        assert_eq!("the server ended with exit status: 3", fails(&client).await);
        client.close().await;
    });
}

#[test]
fn a_server_that_only_stops_reading_fails_the_call_and_keeps_no_entry() {
    run(async {
        let script = "exec <&-; echo deaf >&2; exec sleep 60";
        let (client, mut notes) = ready(script).await;
        assert_eq!("deaf", stderr_line(&mut notes).await);
        assert_eq!("the server no longer reads", fails(&client).await);
        assert_eq!(0, client.pending());
        client.close().await;
    });
}

/// The request cannot be written, and the reader still waits for the grandchild.
#[test]
#[cfg(target_os = "linux")]
fn a_call_after_the_death_gets_the_status() {
    run(async {
        let (client, mut notes) = ready("sleep 60 & echo $$ >&2; exit 3").await;
        let server = stderr_line(&mut notes).await;
        crate::common::processes::reaped(&server).await;
        let reason = fails(&client).await;
        let expected = "the server ended with exit status: 3";
        assert!(reason.starts_with(expected), "{reason}");
        client.close().await;
    });
}

/// Whether one of five servers comes in time: a busy machine may make some late.
async fn one_of_five(
    script: &str,
    in_time: impl Fn(&Result<ToolResult, String>) -> bool,
) {
    for _ in 0..5 {
        let (client, _notes) = ready(script).await;
        let result = client.call_tool("t", Map::new()).await;
        if in_time(&result.map_err(|error| error.to_string())) {
            return;
        }
    }
    panic!("none of five came in time");
}

#[test]
fn a_death_is_given_a_moment_for_a_last_answer() {
    run(async {
        let script = r#"read -r a
            (sleep 0.02; echo '{"jsonrpc":"2.0","id":2,"result":{}}') & exit 3"#;
        one_of_five(script, |result| result.is_ok()).await;
    });
}

#[test]
fn a_death_is_given_a_moment_for_its_last_line_on_stderr() {
    run(async {
        let script = "read -r a; (sleep 0.02; echo late >&2) >&- & exit 3";
        let expected =
            "the server ended with exit status: 3; its last lines on stderr: late";
        one_of_five(script, |result| result.as_ref().is_err_and(|it| it == expected))
            .await;
    });
}
