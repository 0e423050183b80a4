use super::*;

#[test]
fn null_is_a_result() {
    assert_eq!(
        response(1, Ok(Value::Null)),
        message(r#"{"jsonrpc":"2.0","id":1,"result":null}"#)
    );
}

#[test]
fn a_null_member_beside_a_non_null_one_counts_as_absent() {
    assert_eq!(
        response(1, Ok(json!({"a": 1}))),
        message(r#"{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}"#)
    );
    assert_eq!(
        response(2, Err(ErrorObject::new(5, "x"))),
        message(
            r#"{"jsonrpc":"2.0","id":2,"result":null,"error":{"code":5,"message":"x"}}"#
        )
    );
}

#[test]
fn result_and_error_exclude_each_other() {
    assert_eq!(
        (INVALID_REQUEST, id(3), MessageKind::Response),
        verdict(
            r#"{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1,"message":"x"}}"#
        )
    );
}

#[test]
fn two_nulls_are_no_outcome() {
    for members in [r#""error":null"#, r#""result":null,"error":null"#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,{members}}}"#);
        assert_eq!((INVALID_REQUEST, id(1), MessageKind::Response), verdict(&body));
    }
}

#[test]
fn a_result_needs_an_id() {
    for body in [
        r#"{"jsonrpc":"2.0","result":{}}"#,
        r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
    ] {
        assert_eq!(
            (INVALID_REQUEST, None, MessageKind::Response),
            verdict(body),
            "{body}"
        );
    }
}

#[test]
fn an_error_may_have_no_id_or_a_null_one() {
    let error = ErrorObject::new(-32700, "x");
    let expected = Message::Response(Response::error(None, error));
    for id in ["", r#""id":null,"#] {
        let body = format!(
            r#"{{"jsonrpc":"2.0",{id}"error":{{"code":-32700,"message":"x"}}}}"#
        );
        assert_eq!(expected, message(&body));
    }
}

#[test]
fn a_response_with_an_id_of_another_kind_is_refused() {
    let verdict = verdict(r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#);
    assert_eq!((INVALID_REQUEST, None, MessageKind::Response), verdict);
}

#[test]
fn the_data_of_an_error_is_kept() {
    let mut error = ErrorObject::new(5, "x");
    error.data = Some(json!([1]));
    assert_eq!(
        response(3, Err(error)),
        message(
            r#"{"jsonrpc":"2.0","id":3,"error":{"data":[1],"code":5,"message":"x"}}"#
        )
    );
}

#[test]
fn an_error_is_an_object_with_an_integer_code_and_a_message() {
    for error in [
        r#""boom""#,
        "[]",
        "{}",
        r#"{"message":"x"}"#,
        r#"{"code":1}"#,
        r#"{"code":"1","message":"x"}"#,
        r#"{"code":1.5,"message":"x"}"#,
        r#"{"code":1,"message":null}"#,
    ] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{error}}}"#);
        assert_eq!((INVALID_REQUEST, id(1), MessageKind::Response), verdict(&body));
        assert!(malformed(&body).reason.contains("`error"), "{body}");
    }
}

/// Some peers write one structure for all messages, with null for what is not meant.
#[test]
fn a_null_method_beside_an_outcome_counts_as_absent() {
    let body = br#"{"jsonrpc":"2.0","id":1,"method":null,"params":null,"result":{},"error":null}"#;
    let expected = Response::result(Id::Integer(1), json!({}));
    assert_eq!(Ok(Message::Response(expected)), parse(body));
    let alone =
        parse(br#"{"jsonrpc":"2.0","id":1,"method":null}"#).expect_err("no method");
    assert_eq!(MessageKind::Request, alone.shape);
}

/// A text that was cut in the middle of an emoji, a number that no float holds, and a
/// schema without a floor are real; each costs one element of a list.
#[test]
fn an_element_that_cannot_be_read_becomes_null_and_its_neighbours_live() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    for bad in [r#""cut \ud83d""#, r#"{"maximum":1e400}"#, &deep] {
        let result = format!(r#"{{"tools":[{{"name":"a"}},{bad}],"nextCursor":"2"}}"#);
        assert_eq!(
            response(1, Ok(json!({"tools": [{"name": "a"}, null], "nextCursor": "2"}))),
            message(&format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#))
        );
    }
}

#[test]
fn a_result_that_cannot_be_read_elsewhere_fails_its_request() {
    let body = br#"{"jsonrpc":"2.0","id":1,"result":{"text":"cut \ud83d"}}"#;
    let malformed = parse(body).expect_err("no value can hold it");
    assert_eq!(Some(Id::Integer(1)), malformed.id);
    assert!(malformed.reason.starts_with("`result` cannot be read: "));
}
