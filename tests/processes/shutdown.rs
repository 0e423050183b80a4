//! The ladder: end of input, SIGTERM, SIGKILL, with a bounded wait after each step.

use crate::{
    common::{limit::run, notes::Notes},
    script::*,
};
use mcp_from_scratch::{client::Client, process::Exit};
use std::os::unix::process::ExitStatusExt;

/// How a server ends that continues with `script`.
async fn close(script: &str) -> Exit {
    let (client, notes) = ready(script).await;
    close_it(&client, notes).await
}

async fn close_it(client: &Client, notes: Notes) -> Exit {
    let exit = client.close().await.expect("there is a process");
    drop(notes);
    exit
}

fn signal(exit: &Exit) -> Option<i32> {
    exit.status.expect("it has ended").signal()
}

#[test]
fn a_server_that_ends_with_its_input_gets_no_signal() {
    run(async {
        let exit = close("cat >/dev/null; echo bye >&2; exit 7").await;
        assert_eq!(Some(7), exit.status.and_then(|status| status.code()));
        assert_eq!(vec!["bye"], exit.stderr_tail);
    });
}

#[test]
fn a_server_that_takes_its_time_to_end_gets_it() {
    run(async {
        let exit = close("cat >/dev/null; sleep 0.1; exit 7").await;
        assert_eq!(Some(7), exit.status.and_then(|status| status.code()));
    });
}

#[test]
fn a_server_that_ignores_the_end_of_its_input_gets_sigterm() {
    run(async {
        let exit = close("exec sleep 60").await;
        assert_eq!(Some(15), signal(&exit));
    });
}

#[test]
fn a_server_may_clean_up_after_sigterm() {
    run(async {
        // A shell runs its trap when `sleep` has ended, which the signal ends as well.
        let script = "trap 'echo saved >&2; exit 9' TERM
                      echo set >&2
                      while :; do sleep 0.01 2>/dev/null; done";
        let (client, mut notes) = ready(script).await;
        assert_eq!("set", stderr_line(&mut notes).await);
        let exit = close_it(&client, notes).await;
        assert_eq!(Some(9), exit.status.and_then(|status| status.code()));
        assert_eq!(vec!["set", "saved"], exit.stderr_tail);
    });
}

#[test]
fn what_a_wrapper_left_in_the_background_may_clean_up_too() {
    run(async {
        let script = "(trap 'echo saved >&2; exit' TERM
                       echo set >&2
                       while :; do sleep 0.01 2>/dev/null; done) &
                      cat >/dev/null";
        let (client, mut notes) = ready(script).await;
        assert_eq!("set", stderr_line(&mut notes).await);
        let exit = close_it(&client, notes).await;
        assert_eq!(Some(0), exit.status.and_then(|status| status.code()));
        assert_eq!(vec!["set", "saved"], exit.stderr_tail);
    });
}

#[test]
fn a_server_that_ignores_sigterm_too_gets_sigkill() {
    run(async {
        let script = "trap '' TERM; echo set >&2; exec sleep 60";
        let (client, mut notes) = ready(script).await;
        assert_eq!("set", stderr_line(&mut notes).await);
        let exit = close_it(&client, notes).await;
        assert_eq!(Some(9), signal(&exit));
    });
}

#[test]
fn a_server_that_writes_without_an_end_is_ended_all_the_same() {
    run(async {
        let script = "trap '' TERM; echo set >&2; exec yes 'a line of log'";
        let (client, mut notes) = ready(script).await;
        while notes.next().await != "stderr: set" {} // the rest is noise
        let exit = close_it(&client, notes).await;
        assert_eq!(Some(9), signal(&exit));
    });
}

#[test]
fn a_server_that_does_not_read_is_ended_all_the_same() {
    run(async {
        let (client, notes) = ready("exec sleep 60").await;
        let text = "x".repeat(1024 * 1024); // more than the pipe holds
        let arguments = serde_json::json!({ "text": text });
        let arguments = arguments.as_object().cloned().expect("an object");
        let close = async {
            while client.pending() == 0 {
                tokio::task::yield_now().await;
            }
            close_it(&client, notes).await
        };
        let (call, exit) = tokio::join!(client.call_tool("t", arguments), close);
        assert_eq!("the client was closed", call.expect_err("closed").to_string());
        assert_eq!(Some(15), signal(&exit));
    });
}

#[test]
fn a_server_may_be_closed_before_the_handshake() {
    run(async {
        let (client, notes) = start(&shell("cat >/dev/null; exit 7"));
        let exit = close_it(&client, notes).await;
        assert_eq!(Some(7), exit.status.and_then(|status| status.code()));
    });
}

#[test]
fn every_close_returns_the_same_exit() {
    run(async {
        let (client, _notes) = ready("cat >/dev/null; exit 7").await;
        let (first, second) = tokio::join!(client.close(), client.close());
        for exit in [first, second, client.close().await] {
            let status = exit.and_then(|exit| exit.status);
            assert_eq!(Some(7), status.and_then(|status| status.code()));
        }
    });
}

#[test]
fn a_server_that_ended_long_ago_still_has_its_status() {
    run(async {
        let (client, _notes) = ready("echo bye >&2; exit 7").await;
        client.ping().await.expect_err("no response comes");
        let exit = client.close().await.expect("there was a process");
        assert_eq!(Some(7), exit.status.and_then(|status| status.code()));
        assert_eq!(vec!["bye"], exit.stderr_tail);
    });
}

#[test]
fn a_client_leaves_a_server_whose_revision_it_does_not_support() {
    run(async {
        let script = r#"read -r line
            echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1999-01-01",
            "capabilities":{}}}' | tr -d '\n'; echo; cat >&2; exit 7"#;
        let (client, _notes) = start(&shell(script));
        let error = client.handshake().await.expect_err("1999").to_string();
        assert!(error.ends_with("the server responded with 1999-01-01"), "{error}");
        let exit = client.close().await.expect("there was a process");
        assert_eq!(Some(7), exit.status.and_then(|status| status.code()));
        assert_eq!(Vec::<String>::new(), exit.stderr_tail, "nothing more was sent");
    });
}
