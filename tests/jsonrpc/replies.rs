use super::*;

#[test]
fn a_malformed_request_is_answered_with_its_id() {
    let bad = malformed(r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[]}"#);
    let error = ErrorObject::new(-32602, "`params` must be an object, got an array");
    assert_eq!(Some(Response::error(id(1), error)), bad.reply());
}

#[test]
fn something_unreadable_is_answered_without_an_id() {
    let reply = malformed("{").reply().expect("an answer is owed");
    assert_eq!((None, PARSE_ERROR), (reply.id, reply.outcome.unwrap_err().code));
    let reply = malformed("[]").reply().expect("an answer is owed");
    assert_eq!((None, INVALID_REQUEST), (reply.id, reply.outcome.unwrap_err().code));
}

#[test]
fn an_object_of_unknown_shape_is_answered_with_its_id() {
    let reply = malformed(r#"{"jsonrpc":"2.0","id":"a"}"#).reply();
    assert_eq!(Some(Id::String("a".into())), reply.expect("an answer is owed").id);
}

#[test]
fn a_malformed_notification_is_not_answered() {
    for body in [
        r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
        r#"{"jsonrpc":"1.0","method":"m"}"#,
        r#"{"jsonrpc":"2.0","method":1}"#,
    ] {
        assert_eq!(None, malformed(body).reply(), "{body}");
    }
}

#[test]
fn a_malformed_response_is_not_answered() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":"boom"}"#,
        r#"{"id":1,"result":{}}"#,
    ] {
        assert_eq!(None, malformed(body).reply(), "{body}");
    }
}

#[test]
fn a_reason_is_one_short_visible_line() {
    let long =
        format!(r#"{{"jsonrpc":"\u001b{}","id":1,"method":"m"}}"#, "é".repeat(500));
    let escape = "{\"jsonrpc\":\"\u{202e}\u{7f}\",\"id\":1,\"method\":\"m\"}";
    for body in [long.as_str(), escape] {
        let reason = malformed(body).reason;
        assert!(reason.len() < 150 && !reason.contains('\n'), "{reason}");
        assert!(!reason.chars().any(|c| c.is_control() || c == '\u{202e}'));
    }
}
