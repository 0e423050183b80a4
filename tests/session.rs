//! The rules of a server, without its pipes: one test a rule.

use mcp_from_scratch::{
    jsonrpc::{self, Id},
    protocol::Implementation,
    server::{Action, Session},
    tool::{Arguments, Tool, ToolResult, echo},
};
use serde_json::json;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
const LISTED: &str = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo","description":"Echo the given text back verbatim.","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"The text to give back."}},"required":["text"]}}]}}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#;

/// A session before `initialize`.
fn new() -> Session {
    Session::new(Implementation::new("server", "1.0.0"), vec![echo().info().clone()])
}

/// A session that has answered `initialize` and waits for the notification.
fn initialized() -> Session {
    let mut session = new();
    answer(&mut session, INITIALIZE);
    session
}

/// A session whose gate is open.
fn ready() -> Session {
    let mut session = initialized();
    assert_eq!(Action::Nothing, receive(&mut session, INITIALIZED));
    session
}

fn every_state() -> [(&'static str, Session); 3] {
    [("new", new()), ("initialized", initialized()), ("ready", ready())]
}

fn receive(session: &mut Session, line: &str) -> Action {
    session.receive(jsonrpc::parse(line.as_bytes()))
}

/// The line that the session answers with.
#[track_caller]
fn answer(session: &mut Session, line: &str) -> String {
    match receive(session, line) {
        Action::Reply(response) => {
            String::from_utf8(response.encode(session.unknown_id())).expect("UTF-8")
        }
        other => panic!("expected an answer to {line}, got {other:?}"),
    }
}

/// Whether nothing is owed for the line.
fn is_silent(session: &mut Session, line: &str) -> bool {
    matches!(receive(session, line), Action::Nothing | Action::Ignore(_))
}

/// Starts the call with the id 3.
fn calling() -> Session {
    let mut session = ready();
    assert_eq!(call(Id::Integer(3)), receive(&mut session, CALL));
    session
}

fn call(id: Id) -> Action {
    let arguments = json!({"text": "hi"}).as_object().cloned().expect("an object");
    Action::Call { id, tool: "echo".into(), arguments: Arguments(arguments) }
}

#[test]
fn initialize_is_answered_with_the_revision_that_was_offered() {
    for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
        let expected = format!(
            r#"{{"jsonrpc":"2.0","id":"init","result":{{"protocolVersion":"{version}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"server","version":"1.0.0"}}}}}}"#
        );
        let offer = INITIALIZE.replace("2025-06-18", version);
        assert_eq!(expected, answer(&mut new(), &offer));
    }
}

#[test]
fn an_unknown_revision_is_answered_with_our_newest() {
    let expected = r#"{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"server","version":"1.0.0"}}}"#;
    for version in ["1999-01-01", "2025-03-26", "9999-01-01", "1.0.0", ""] {
        let offer = INITIALIZE.replace("2025-06-18", version);
        assert_eq!(expected, answer(&mut new(), &offer), "{version}");
    }
}

#[test]
fn initialize_without_a_revision_fails_and_may_be_repeated() {
    let expected = r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"`initialize` needs a string `protocolVersion`"}}"#;
    let mut session = new();
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":20250618}}"#,
    ] {
        assert_eq!(expected, answer(&mut session, line));
    }
    assert!(answer(&mut session, INITIALIZE).contains(r#""result":"#));
}

#[test]
fn a_failed_initialize_does_not_let_the_notification_open_the_gate() {
    let mut session = new();
    answer(&mut session, r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#);
    assert!(is_silent(&mut session, INITIALIZED));
    assert!(answer(&mut session, LIST).contains("-32600"));
}

#[test]
fn a_second_initialize_is_refused_and_harms_nothing() {
    let expected = r#"{"jsonrpc":"2.0","id":"init","error":{"code":-32600,"message":"this session is initialized already"}}"#;
    assert_eq!(expected, answer(&mut initialized(), INITIALIZE));
    let mut session = ready();
    assert_eq!(expected, answer(&mut session, INITIALIZE));
    assert_eq!(LISTED, answer(&mut session, LIST));
}

#[test]
fn ping_is_answered_in_every_state() {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (state, mut session) in every_state() {
        let expected = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        assert_eq!(expected, answer(&mut session, line), "{state}");
    }
}

#[test]
fn the_gate_is_shut_until_the_client_says_that_it_is_initialized() {
    for mut session in [new(), initialized()] {
        assert_eq!(
            r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"`tools/list` before `notifications/initialized`"}}"#,
            answer(&mut session, LIST)
        );
        assert_eq!(
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"`tools/call` before `notifications/initialized`"}}"#,
            answer(&mut session, CALL)
        );
    }
    assert_eq!(LISTED, answer(&mut ready(), LIST));
    assert_eq!(call(Id::Integer(3)), receive(&mut ready(), CALL));
}

#[test]
fn initialized_before_initialize_opens_nothing() {
    let mut session = new();
    assert!(is_silent(&mut session, INITIALIZED));
    answer(&mut session, INITIALIZE);
    assert!(answer(&mut session, LIST).contains("-32600"));
}

#[test]
fn initialized_with_an_id_is_an_unknown_method_and_opens_nothing() {
    let line = r#"{"jsonrpc":"2.0","id":7,"method":"notifications/initialized"}"#;
    let expected = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no method `notifications/initialized`"}}"#;
    let mut session = initialized();
    assert_eq!(expected, answer(&mut session, line));
    assert!(answer(&mut session, LIST).contains("-32600"));
}

#[test]
fn initialized_without_its_prefix_opens_nothing() {
    let mut session = initialized();
    let line = r#"{"jsonrpc":"2.0","method":"initialized"}"#;
    assert_eq!(Action::Nothing, receive(&mut session, line));
    assert!(answer(&mut session, LIST).contains("-32600"));
}

#[test]
fn an_unknown_method_is_not_found_in_every_state() {
    for method in ["server/discover", "logging/setLevel", "Ping", "tools/list/", ""] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":"d","method":"{method}"}}"#);
        let expected = format!(
            r#"{{"jsonrpc":"2.0","id":"d","error":{{"code":-32601,"message":"no method `{method}`"}}}}"#
        );
        for (state, mut session) in every_state() {
            assert_eq!(expected, answer(&mut session, &line), "{state}");
        }
    }
}

#[test]
fn a_notification_is_never_answered() {
    for line in [
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[3]}"#,
        r#"{"jsonrpc":"2.0","method":"no/such","params":5}"#,
        r#"{"jsonrpc":"1.0","method":"no/such"}"#,
        r#"{"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","method":5}"#,
    ] {
        for (state, mut session) in every_state() {
            assert!(is_silent(&mut session, line), "{state}: {line}");
        }
    }
}

#[test]
fn initialize_as_a_notification_initializes_nothing() {
    let mut session = new();
    receive(&mut session, &INITIALIZE.replace(r#""id":"init","#, ""));
    assert!(answer(&mut session, INITIALIZE).contains(r#""result":"#));
}

#[test]
fn an_answer_that_nobody_waits_for_is_not_answered() {
    for line in [
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"both"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":"no object"}"#,
    ] {
        let action = receive(&mut calling(), line);
        assert!(matches!(action, Action::Ignore(_)), "{line}: {action:?}");
    }
}

#[test]
fn what_is_unreadable_is_answered_with_the_id_null_until_2025_11_25_is_agreed_on() {
    let mut session = new();
    let null = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"expected one JSON object, got a number"}}"#;
    assert_eq!(null, answer(&mut session, "42"));
    assert_eq!(null, answer(&mut initialized(), "42"));
    answer(&mut session, &INITIALIZE.replace("2025-06-18", "2025-11-25"));
    let absent = r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"expected one JSON object, got a number"}}"#;
    assert_eq!(absent, answer(&mut session, "42"));
}

#[test]
fn the_list_is_one_page() {
    let expected = r#"{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"unknown cursor \"2\""}}"#;
    let line =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"2"}}"#;
    assert_eq!(expected, answer(&mut ready(), line));
    let line =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}}"#;
    assert!(answer(&mut ready(), line).contains("-32602"));
    let line =
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":null}}"#;
    assert_eq!(LISTED, answer(&mut ready(), line));
}

#[test]
fn an_outcome_is_answered_once_with_the_id_of_its_call() {
    let mut session = calling();
    let response = session.finish(&Id::Integer(3), ToolResult::text("hi"));
    let body = response.expect("an answer").encode(session.unknown_id());
    assert_eq!(
        r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"hi"}]}}"#,
        String::from_utf8_lossy(&body)
    );
    assert_eq!(None, session.finish(&Id::Integer(3), ToolResult::text("again")));
}
