//! The rules of `tools/call` and of cancelling, without a pipe or a tool that runs.

use mcp_from_scratch::{
    jsonrpc::{self, Id},
    protocol::Implementation,
    server::{Action, Session},
    tool::{Arguments, Tool, ToolResult, echo},
};
use serde_json::{Map, Value};

/// A session after its handshake.
fn ready() -> Session {
    let peer = Implementation::new("server", "1.0.0");
    let mut session = Session::new(peer, vec![echo().info().clone()]);
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    ] {
        receive(&mut session, line);
    }
    session
}

/// One in which a call of `echo` runs under this id.
fn calling(id: &str) -> Session {
    let mut session = ready();
    let action = receive(&mut session, &call(id));
    assert!(matches!(action, Action::Call { .. }), "{action:?}");
    session
}

fn call(id: &str) -> String {
    let name = r#"{"name":"echo"}"#;
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{name}}}"#)
}

fn cancel(id: &str) -> String {
    let params = format!(r#"{{"requestId":{id},"reason":"enough"}}"#);
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
    )
}

fn receive(session: &mut Session, line: &str) -> Action {
    session.receive(jsonrpc::parse(line.as_bytes()))
}

#[track_caller]
fn answer(session: &mut Session, line: &str) -> String {
    match receive(session, line) {
        Action::Reply(response) => {
            String::from_utf8(response.encode(session.unknown_id())).expect("UTF-8")
        }
        other => panic!("expected an answer to {line}, got {other:?}"),
    }
}

fn integer(number: i128) -> Id {
    Id::Integer(number)
}

#[test]
fn an_unknown_tool_is_a_protocol_error() {
    let line = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_such_tool","arguments":{}}}"#;
    let expected = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"unknown tool `no_such_tool`"}}"#;
    assert_eq!(expected, answer(&mut ready(), line));
}

#[test]
fn a_call_without_a_name_is_a_protocol_error() {
    let expected = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`tools/call` needs a string `name`"}}"#;
    for line in [
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":null}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"arguments":{"text":"hi"}}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":5}}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":null}}"#,
    ] {
        assert_eq!(expected, answer(&mut ready(), line), "{line}");
    }
}

#[test]
fn params_that_are_no_object_are_a_protocol_error() {
    for params in [r#"["echo"]"#, r#""echo""#, "5"] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{params}}}"#
        );
        let said = answer(&mut ready(), &line);
        assert!(said.contains(r#""id":5,"error":{"code":-32602"#), "{said}");
    }
}

#[test]
fn arguments_that_are_no_object_are_a_protocol_error() {
    let expected = r#"{"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"`arguments` must be an object"}}"#;
    for arguments in ["[]", r#""{}""#, "0", "false"] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#
        );
        assert_eq!(expected, answer(&mut ready(), &line));
    }
}

#[test]
fn arguments_that_are_absent_or_null_are_an_empty_object() {
    let empty = Arguments(Map::<String, Value>::new());
    let expected =
        Action::Call { id: integer(5), tool: "echo".into(), arguments: empty };
    for params in [
        r#"{"name":"echo"}"#,
        r#"{"name":"echo","arguments":null}"#,
        r#"{"name":"echo","arguments":{}}"#,
    ] {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{params}}}"#
        );
        assert_eq!(expected, receive(&mut ready(), &line));
    }
}

#[test]
fn a_call_without_an_id_runs_nothing() {
    let line = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;
    assert_eq!(Action::Nothing, receive(&mut ready(), line));
}

#[test]
fn a_call_that_is_refused_leaves_its_id_free() {
    let mut session = ready();
    let line = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"no_such_tool"}}"#;
    assert!(answer(&mut session, line).contains("-32602"));
    assert!(matches!(receive(&mut session, &call("5")), Action::Call { .. }));
}

#[test]
fn a_cancelled_call_is_stopped_and_owed_no_answer() {
    for (text, id) in
        [("3", integer(3)), ("0", integer(0)), (r#""3""#, Id::String("3".into()))]
    {
        let mut session = calling(text);
        assert_eq!(
            Action::Cancel(id.clone()),
            receive(&mut session, &cancel(text)),
            "{text}"
        );
        assert_eq!(None, session.finish(&id, ToolResult::text("late")));
        assert_eq!(Action::Nothing, receive(&mut session, &cancel(text)), "twice");
    }
}

#[test]
fn a_cancelled_id_may_be_used_again() {
    let mut session = calling("3");
    receive(&mut session, &cancel("3"));
    assert!(matches!(receive(&mut session, &call("3")), Action::Call { .. }));
}

#[test]
fn the_string_1_does_not_cancel_the_number_1() {
    let mut session = calling("1");
    assert_eq!(Action::Nothing, receive(&mut session, &cancel(r#""1""#)));
    assert!(session.finish(&integer(1), ToolResult::text("hi")).is_some());
    let mut session = calling(r#""1""#);
    assert_eq!(Action::Nothing, receive(&mut session, &cancel("1")));
    assert!(session.finish(&Id::String("1".into()), ToolResult::text("hi")).is_some());
}

#[test]
fn a_long_integer_id_can_be_cancelled() {
    for id in ["18446744073709551615", "-9223372036854775808"] {
        let expected = Action::Cancel(integer(id.parse().expect("an integer")));
        assert_eq!(expected, receive(&mut calling(id), &cancel(id)));
    }
}

#[test]
fn cancelling_what_does_not_run_is_silent() {
    let mut session = calling("1");
    for line in [
        cancel("404"),
        cancel("null"),
        cancel("1.0"),
        cancel("[1]"),
        cancel(r#"{"id":1}"#),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.into(),
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#.into(),
    ] {
        let action = receive(&mut session, &line);
        let silent = matches!(action, Action::Nothing | Action::Ignore(_));
        assert!(silent, "{line}: {action:?}");
    }
    assert!(session.finish(&integer(1), ToolResult::text("hi")).is_some());
}

#[test]
fn a_cancellation_with_an_id_is_a_request_and_cancels_nothing() {
    let mut session = calling("1");
    let line = r#"{"jsonrpc":"2.0","id":2,"method":"notifications/cancelled","params":{"requestId":1}}"#;
    let expected = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no method `notifications/cancelled`"}}"#;
    assert_eq!(expected, answer(&mut session, line));
    assert!(session.finish(&integer(1), ToolResult::text("hi")).is_some());
}

#[test]
fn an_id_in_use_is_refused_and_the_running_call_goes_on() {
    let mut session = calling("7");
    let expected = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"id 7 is in use by a running call"}}"#;
    assert_eq!(expected, answer(&mut session, &call("7")));
    let ping = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;
    assert_eq!(expected, answer(&mut session, ping));
    assert!(matches!(receive(&mut session, &call(r#""7""#)), Action::Call { .. }));
    assert!(session.finish(&integer(7), ToolResult::text("hi")).is_some());
    assert!(matches!(receive(&mut session, &call("7")), Action::Call { .. }));
}
