//! The outcome of a call, from the wire to the model and to the caller: one test for
//! each row of the course's table of outcomes.

use crate::common::limit::run;
use crate::common::plan::{Plan, call};
use crate::common::scripted::{Answer, connect, connect_with_timeout};
use mcp_from_scratch::{
    agent::{Entry, Step, Turn, TurnError},
    bridge::{Options, register_mcp_tools},
    client::{Client, ClientConfig},
    frame::Framing,
    jsonrpc::ErrorObject,
    process::ServerCommand,
    registry::{Decision, Risk, ToolCall, ToolRegistry, ToolSpec, deny_all},
    tool::CallError,
    transport::silent,
};
use serde_json::json;
use std::{future::Future, pin::Pin, time::Duration};

const WORK: &str = r#"[{"name":"work","inputSchema":{"type":"object"}}]"#;

/// What the two sides of a turn got out of it.
struct Told {
    /// Every entry after the user's, as the model reads it.
    model: Vec<String>,
    caller: Result<String, TurnError>,
    /// The conversation with nothing left out, to look for what must not be in it.
    whole: String,
}

/// One turn of a model that calls `work` and then, if it is asked again, answers `done`.
async fn turn(client: &Client) -> Told {
    turn_with(client, |_, _| Decision::Allow, Box::pin(std::future::pending())).await
}

async fn turn_with(
    client: &Client,
    approver: fn(&ToolSpec, &ToolCall) -> Decision,
    cancelled: Pin<Box<dyn Future<Output = ()> + Send + '_>>,
) -> Told {
    let mut registry = ToolRegistry::new();
    let options = Options { risk: Risk::Approve, ..Options::default() };
    register_mcp_tools(&mut registry, client, &options).await.expect("one tool");
    let work = Step::Calls(vec![call("work", "{}")]);
    let mut model = Plan::new([work, Step::Answer("done".into())]);
    let mut talk = vec![Entry::User("Work!".into())];
    let turn = Turn { cancelled, ..Turn::new(&registry, &approver) };
    let caller = turn.run(&mut model, &mut talk, &mut |_| {}).await;
    let read = talk[1..].iter().map(Entry::text).collect();
    let whole = format!("{talk:?}");
    Told { model: read, caller, whole }
}

/// The turn continues: the model reads `text` and answers.
#[track_caller]
fn assert_continues(text: &str, told: &Told) {
    assert_eq!(["work({})", text, "done"], told.model[..]);
    assert_eq!(Ok("done".into()), told.caller);
}

/// The turn ends: the model reads no more than `text`, the caller gets `cause`.
#[track_caller]
fn assert_ends(text: &str, cause: CallError, said: &str, told: &Told) {
    assert_eq!(["work({})", text], told.model[..]);
    assert_eq!(Err(TurnError::Call(cause)), told.caller);
    let error = told.caller.as_ref().expect_err("just compared");
    assert_eq!(format!("tool execution failed: {said}"), error.to_string());
    for secret in ["secret", "3260", "status", "response to"] {
        assert!(!told.whole.contains(secret), "{secret} is in {}", told.whole);
    }
}

#[test]
fn of_a_result_the_model_reads_the_text_and_the_turn_continues() {
    run(async {
        let line = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}"#;
        let server = connect(WORK, move |_| Answer::Line(line)).await;
        assert_continues("fine", &turn(&server.client).await);
    });
}

#[test]
fn of_a_failed_tool_the_model_reads_the_text_and_the_turn_continues() {
    run(async {
        let line = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
        let server = connect(WORK, move |_| Answer::Line(line)).await;
        assert_continues("disk full", &turn(&server.client).await);
    });
}

#[test]
fn of_a_refusal_the_model_reads_that_and_the_turn_continues() {
    run(async {
        let mut server = connect(WORK, |_| Answer::HangUp).await;
        let never = Box::pin(std::future::pending());
        let told = turn_with(&server.client, deny_all, never).await;
        let refused = "the call of `work` was refused: no user is there to approve it";
        assert_continues(refused, &told);
        assert_eq!(Vec::<String>::new(), server.heard());
    });
}

#[test]
fn of_a_protocol_error_the_caller_gets_code_message_and_data() {
    run(async {
        let line = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"boom in /secret","data":{"k":[1]}}}"#;
        let server = connect(WORK, move |_| Answer::Line(line)).await;
        let data = Some(json!({"k": [1]}));
        let error =
            ErrorObject { code: -32000, message: "boom in /secret".into(), data };
        let said = "the server responded with error -32000: boom in /secret";
        let told = turn(&server.client).await;
        assert_ends("tool execution failed", CallError::Rpc(error), said, &told);
    });
}

/// The server's word that it has no such tool is a protocol error like any other; a
/// name that the registry does not have is data.
#[test]
fn a_tool_that_the_server_does_not_know_any_more_ends_the_turn() {
    run(async {
        let line = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"unknown tool `work`"}}"#;
        let server = connect(WORK, move |_| Answer::Line(line)).await;
        let error = ErrorObject::new(-32602, "unknown tool `work`");
        let said = "the server responded with error -32602: unknown tool `work`";
        let told = turn(&server.client).await;
        assert_ends("tool execution failed", CallError::Rpc(error), said, &told);
    });
}

#[test]
fn of_a_timeout_the_caller_gets_that_the_tool_may_have_run() {
    run(async {
        let timeout = Duration::from_millis(250);
        let mut server = connect_with_timeout(WORK, timeout, |_| Answer::Silence).await;
        let told = turn(&server.client).await;
        let late = "no response to `tools/call` within 0.25 s";
        let said = format!("{late}; whether the tool ran is unknown");
        let cause = CallError::Timeout(late.into());
        assert_ends("tool execution failed", cause, &said, &told);
        assert_eq!(
            r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"work","arguments":{}}}"#,
            server.hears().await
        );
        assert_eq!(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"the request timed out"}}"#,
            server.hears().await
        );
    });
}

#[test]
fn of_a_cancelled_call_both_get_that_and_the_server_is_notified() {
    run(async {
        let mut server = connect(WORK, |_| Answer::Silence).await;
        let client = server.client.clone();
        // The user cancels as soon as the server has the call.
        let has_it = Box::pin(async {
            server.hears().await;
        });
        let told = turn_with(&client, |_, _| Decision::Allow, has_it).await;
        let said = "cancelled by the user; a tool that was called may have run";
        assert_ends("cancelled by the user", CallError::Cancelled, said, &told);
        assert_eq!(
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3,"reason":"the caller gave up"}}"#,
            server.hears().await
        );
        assert_eq!(0, client.pending());
    });
}

#[test]
fn of_a_connection_that_ends_the_caller_gets_that() {
    run(async {
        let server = connect(WORK, |_| Answer::HangUp).await;
        let told = turn(&server.client).await;
        let said = "the peer closed the connection";
        let cause = CallError::Transport(said.into());
        assert_ends("tool execution failed", cause, said, &told);
        // And of the next call, which finds nobody there.
        let mut again = ToolRegistry::new();
        let gone =
            register_mcp_tools(&mut again, &server.client, &Options::default()).await;
        assert_eq!(said, gone.expect_err("closed").to_string());
    });
}

/// Shakes hands, lists `work`, and dies of the first call.
#[cfg(unix)]
const MORTAL: &str = r#"read line; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}}'
read line; read line; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"work","inputSchema":{}}]}}'
read line; echo 'cannot open /secret' >&2; exit 3"#;

#[cfg(unix)]
#[test]
fn of_a_server_that_dies_the_caller_gets_its_exit_status_and_last_lines() {
    run(async {
        let args = vec!["-c".into(), MORTAL.into()];
        let spec =
            ServerCommand { program: "sh".into(), args, ..ServerCommand::default() };
        let client =
            Client::spawn(&spec, Framing::Newline, ClientConfig::default(), silent())
                .expect("a shell");
        client.handshake().await.expect("a welcome");
        let told = turn(&client).await;
        let said = "the server ended with exit status: 3; its last lines on stderr: \
                    cannot open /secret";
        let cause = CallError::Transport(said.into());
        assert_ends("tool execution failed", cause, said, &told);
        client.close().await;
    });
}

#[test]
fn of_a_malformed_answer_the_caller_gets_what_is_wrong_with_it() {
    for (reason, line) in [
        (
            "a result must be an object, got null",
            r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
        ),
        (
            "a result must be an object, got \"secret\"",
            r#"{"jsonrpc":"2.0","id":ID,"result":"secret"}"#,
        ),
        (
            "`content` must be an array, got \"secret\"",
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":"secret"}}"#,
        ),
        (
            "`isError` must be a boolean, got \"secret\"",
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[],"isError":"secret"}}"#,
        ),
        (
            "expected a complete result, got resultType \"input_required\"",
            r#"{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required"}}"#,
        ),
    ] {
        run(async move {
            let server = connect(WORK, move |_| Answer::Line(line)).await;
            let told = turn(&server.client).await;
            let said = format!("malformed response to `tools/call`: {reason}");
            let cause = CallError::Transport(said.clone());
            assert_ends("tool execution failed", cause, &said, &told);
        });
    }
}

#[test]
fn a_malformed_response_ends_the_turn_too() {
    run(async {
        let line = r#"{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"secret"}}"#;
        let server = connect(WORK, move |_| Answer::Line(line)).await;
        let told = turn(&server.client).await;
        assert_eq!(["work({})", "tool execution failed"], told.model[..]);
        let error = told.caller.expect_err("malformed").to_string();
        let start = "tool execution failed: malformed response to `tools/call`: ";
        assert!(error.starts_with(start), "{error}");
        assert!(!told.whole.contains("secret"), "{}", told.whole);
    });
}
