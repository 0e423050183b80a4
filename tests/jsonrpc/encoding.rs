use super::*;

#[test]
fn a_request_has_id_method_and_params_in_this_order() {
    let call = Message::request(3, "tools/call", object(json!({"name": "echo"})));
    assert_eq!(
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo"}}"#,
        encoded(&call)
    );
}

#[test]
fn absent_params_are_left_out() {
    let list = Message::request(2, "tools/list", None);
    assert_eq!(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, encoded(&list));
}

#[test]
fn a_notification_has_no_id() {
    let initialized = Message::notification("notifications/initialized", None);
    assert_eq!(
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        encoded(&initialized)
    );
}

#[test]
fn a_result_has_no_error_member() {
    assert_eq!(
        r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        encoded(&response(1, Ok(json!({}))))
    );
}

#[test]
fn an_error_has_no_result_member_and_no_data_unless_given() {
    let mut error = ErrorObject::new(-32601, "no");
    assert_eq!(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
        encoded(&response(1, Err(error.clone())))
    );
    error.data = Some(json!([1]));
    assert_eq!(
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":[1]}}"#,
        encoded(&response(1, Err(error)))
    );
}

#[test]
fn an_unknown_id_is_null_or_absent_as_the_revision_has_it() {
    let error = Response::error(None, ErrorObject::new(-32700, "x"));
    let text = |unknown| String::from_utf8(error.encode(unknown)).unwrap();
    assert_eq!(
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
        text(UnknownId::Null)
    );
    assert_eq!(
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}"#,
        text(UnknownId::Absent)
    );
    assert_eq!(text(UnknownId::Null), encoded(&Message::Response(error.clone())));
}

#[test]
fn a_known_id_is_written_whatever_the_revision() {
    let error = Response::error(id(0), ErrorObject::new(-32600, "x"));
    assert_eq!(error.encode(UnknownId::Null), error.encode(UnknownId::Absent));
}

#[test]
fn no_raw_newline_stands_in_a_body() {
    let text = "a\nb\r\nc\td\0e\u{7f}";
    let call = Message::request(1, "x\ny", object(json!({"text\n": text})));
    assert!(!call.encode().contains(&b'\n'));
    assert_eq!(call, parse(&call.encode()).unwrap());
}
