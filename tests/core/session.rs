//! The words in which a session refuses. Its rules are tested by the graders of
//! exercise 3, which compare no wording.

use mcp_from_scratch::{
    jsonrpc,
    protocol::Implementation,
    server::{Action, Catalog, Session},
    tool::echo,
};
use std::sync::Arc;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const CALL: &str =
    r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}"#;

/// A session that has received these lines.
fn after(lines: &[&str]) -> Session {
    let mut catalog = Catalog::new(Implementation::new("server", "1.0.0"));
    let (info, tool) = echo();
    catalog.add(info, tool).expect("the only one");
    let mut session = Session::new(Arc::new(catalog));
    for line in lines {
        session.receive(jsonrpc::parse(line.as_bytes()));
    }
    session
}

#[test]
fn an_error_says_what_is_wrong() {
    let ready = &[INITIALIZE, INITIALIZED][..];
    for (code, message, before, line) in [
        (
            -32601,
            "method not found: x",
            &[][..],
            r#"{"jsonrpc":"2.0","id":1,"method":"x"}"#,
        ),
        (
            -32602,
            "`initialize` needs a string `protocolVersion`",
            &[],
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
        ),
        (-32600, "the session is already initialized", ready, INITIALIZE),
        (-32600, "`tools/call` before `notifications/initialized`", &[], CALL),
        (
            -32600,
            "id 7 is in use by a running call",
            &[INITIALIZE, INITIALIZED, CALL],
            CALL,
        ),
        (
            -32602,
            "unknown cursor \"2\"",
            ready,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"2"}}"#,
        ),
        (
            -32602,
            "unknown tool `none`",
            ready,
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"none"}}"#,
        ),
        (
            -32602,
            "`tools/call` needs a string `name`",
            ready,
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call"}"#,
        ),
        (
            -32602,
            "`arguments` must be an object",
            ready,
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"echo","arguments":[]}}"#,
        ),
    ] {
        match after(before).receive(jsonrpc::parse(line.as_bytes())) {
            Action::Reply(response) => {
                let error = response.result.expect_err("an error");
                assert_eq!((code, message), (error.code, &*error.message));
            }
            other => panic!("expected an error for {line}, got {other:?}"),
        }
    }
}

#[test]
fn a_response_that_no_request_waits_for_is_ignored_with_a_note() {
    let line = r#"{"jsonrpc":"2.0","id":7,"result":{}}"#;
    let action = after(&[INITIALIZE, INITIALIZED, CALL])
        .receive(jsonrpc::parse(line.as_bytes()));
    assert!(matches!(action, Action::Ignore(_)), "{action:?}");
}
