use super::*;

#[test]
fn an_id_makes_a_request_of_any_method() {
    assert_eq!(
        Message::request(1, "notifications/initialized", None),
        message(r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}"#)
    );
}

#[test]
fn a_method_is_a_string() {
    for method in ["1", "null", "{}", "[]", r#""\ud800""#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":{method}}}"#);
        assert_eq!((INVALID_REQUEST, id(1), MessageKind::Request), verdict(&body));
    }
    let notification = verdict(r#"{"jsonrpc":"2.0","method":1}"#);
    assert_eq!((INVALID_REQUEST, None, MessageKind::Notification), notification);
}

#[test]
fn null_params_count_as_absent() {
    assert_eq!(
        Message::request(1, "ping", None),
        message(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#)
    );
}

#[test]
fn empty_params_are_not_absent() {
    assert_eq!(
        Message::request(1, "ping", object(json!({}))),
        message(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}"#)
    );
}

#[test]
fn params_that_are_no_object_are_invalid_params() {
    for params in ["[]", r#"["echo"]"#, r#""x""#, "1", "false"] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":2,"method":"m","params":{params}}}"#);
        assert_eq!((INVALID_PARAMS, id(2), MessageKind::Request), verdict(&body));
        let body = format!(r#"{{"jsonrpc":"2.0","method":"m","params":{params}}}"#);
        assert_eq!((INVALID_PARAMS, None, MessageKind::Notification), verdict(&body));
    }
}

#[test]
fn what_is_wrong_with_params_is_not_called_a_batch() {
    assert_eq!(
        "`params` must be an object, got an array",
        malformed(r#"{"jsonrpc":"2.0","id":2,"method":"m","params":[]}"#).reason
    );
}

#[test]
fn the_order_of_params_is_kept() {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"m","params":{"z":1,"a":2,"m":3}}"#;
    assert_eq!(body, encoded(&message(body)));
}

#[test]
fn a_method_beside_an_outcome_is_refused() {
    for outcome in [r#""result":{}"#, r#""error":{"code":1,"message":"x"}"#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m",{outcome}}}"#);
        assert_eq!((INVALID_REQUEST, id(1), MessageKind::Request), verdict(&body));
    }
}

#[test]
fn a_lone_surrogate_costs_one_request_and_keeps_its_id() {
    let body = r#"{"jsonrpc":"2.0","id":7,"method":"m","params":{"t":"cut \ud83d"}}"#;
    assert_eq!((INVALID_PARAMS, id(7), MessageKind::Request), verdict(body));
    let body = r#"{"jsonrpc":"2.0","id":7,"result":{"t":"cut \udc00"}}"#;
    assert_eq!((INVALID_REQUEST, id(7), MessageKind::Response), verdict(body));
    let pair = r#"{"jsonrpc":"2.0","id":7,"result":{"t":"\ud83d\ude00"}}"#;
    assert_eq!(response(7, Ok(json!({"t": "😀"}))), message(pair));
}

#[test]
fn deep_nesting_costs_one_request_and_keeps_its_id() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let params =
        format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","params":{{"x":{deep}}}}}"#);
    assert_eq!((INVALID_PARAMS, id(7), MessageKind::Request), verdict(params));
    let result =
        format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"x":{{"y":{deep}}}}}}}"#);
    assert_eq!((INVALID_REQUEST, id(7), MessageKind::Response), verdict(result));
    let unknown = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"m","x":{deep}}}"#);
    assert_eq!(Message::request(7, "m", None), message(&unknown));
    assert_eq!((INVALID_REQUEST, None, MessageKind::Unknown), verdict(deep));
}
