//! What the graders of exercise 1 leave open: the words of a refusal, and input that a
//! learner need not survive.

use mcp_from_scratch::jsonrpc::{
    INVALID_PARAMS, INVALID_REQUEST, Id, Message, MessageKind, ParseError, Response,
    parse,
};
use serde_json::json;

#[track_caller]
fn malformed(body: impl AsRef<[u8]>) -> ParseError {
    parse(body.as_ref()).expect_err("a refusal")
}

/// Code, id and kind of a refusal.
#[track_caller]
fn verdict(body: impl AsRef<[u8]>) -> (i64, Option<Id>, MessageKind) {
    let bad = malformed(body);
    (bad.code, bad.id, bad.kind)
}

fn id(number: i128) -> Option<Id> {
    Some(Id::Integer(number))
}

#[test]
fn a_refusal_says_what_was_expected_and_what_came() {
    for (reason, body) in [
        ("not UTF-8: invalid byte at offset 2", &b"{\"\xff\"}"[..]),
        ("not valid JSON: EOF while parsing an object at line 1 column 1", b"{"),
        (
            "`jsonrpc` must be \"2.0\", got \"1.0\"",
            br#"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
        ),
        ("`method` must be a string, got 1", br#"{"jsonrpc":"2.0","id":1,"method":1}"#),
        (
            "`params` must be an object, got an array",
            br#"{"jsonrpc":"2.0","id":1,"method":"m","params":[]}"#,
        ),
        (
            "`id` must be a string or an integer, got 1.0",
            br#"{"jsonrpc":"2.0","id":1.0,"method":"m"}"#,
        ),
        (
            "a result must carry the `id` of its request",
            br#"{"jsonrpc":"2.0","result":{}}"#,
        ),
        (
            "has both a `result` and an `error`",
            br#"{"jsonrpc":"2.0","id":1,"result":1,"error":{}}"#,
        ),
        (
            "`error` must be an object, got a string",
            br#"{"jsonrpc":"2.0","id":1,"error":"boom"}"#,
        ),
    ] {
        assert_eq!(reason, malformed(body).reason);
    }
    assert!(malformed("[]").reason.contains("batches"));
}

#[test]
fn a_reason_is_one_short_visible_line() {
    let long = "é".repeat(500);
    let long = format!(r#"{{"jsonrpc":"\u001b{long}","id":1,"method":"m"}}"#);
    let escape = "{\"jsonrpc\":\"\u{202e}\u{7f}\",\"id\":1,\"method\":\"m\"}";
    for body in [long.as_str(), escape] {
        let reason = malformed(body).reason;
        assert!(reason.len() < 150 && !reason.contains('\n'), "{reason}");
        assert!(!reason.chars().any(|c| c.is_control() || c == '\u{202e}'));
    }
}

/// Two readers could believe two things: one checks the first name, one runs the second.
#[test]
fn a_member_that_is_repeated_inside_params_is_refused_at_any_depth() {
    for params in [
        r#"{"arguments":{"path":"a","\u0070ath":"b"}}"#,
        r#"{"a":[{"b":{"c":1,"c":1}}]}"#,
    ] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
        assert_eq!(
            (INVALID_PARAMS, id(1), MessageKind::Request),
            verdict(body),
            "{params}"
        );
    }
    let apart = br#"{"jsonrpc":"2.0","method":"m","params":{"a":{"b":1},"c":[{"b":1},{"b":1}]}}"#;
    assert!(parse(apart).is_ok());
}

#[test]
fn deep_nesting_costs_one_request_and_keeps_its_id() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let params =
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":{{"x":{deep}}}}}"#);
    assert_eq!((INVALID_PARAMS, id(7), MessageKind::Request), verdict(params));
    let result =
        format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"x":{{"y":{deep}}}}}}}"#);
    assert_eq!((INVALID_REQUEST, id(7), MessageKind::Response), verdict(result));
    let unknown = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","x":{deep}}}"#);
    assert_eq!(Ok(Message::request(7, "m", None)), parse(unknown.as_bytes()));
    assert_eq!((INVALID_REQUEST, None, MessageKind::Unknown), verdict(deep));
}

/// A text that was cut inside an emoji, a number that no float holds, and a schema of
/// 200 levels are real; each costs one element of a list.
#[test]
fn an_element_that_cannot_be_read_becomes_null_and_its_neighbours_remain() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    for bad in [r#""cut \ud83d""#, r#"{"maximum":1e400}"#, &deep] {
        let result = format!(r#"{{"tools":[{{"name":"a"}},{bad}],"nextCursor":"2"}}"#);
        let read = json!({"tools": [{"name": "a"}, null], "nextCursor": "2"});
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
        let expected = Message::Response(Response::result(Id::Integer(1), read));
        assert_eq!(Ok(expected), parse(body.as_bytes()));
    }
}

#[test]
fn a_string_and_an_integer_print_differently() {
    assert_eq!("1", Id::Integer(1).to_string());
    assert_eq!(r#""1""#, Id::String("1".into()).to_string());
    assert_eq!(r#""a\n""#, Id::String("a\n".into()).to_string());
}
