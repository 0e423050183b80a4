use super::*;

#[track_caller]
fn comes_back_as(written: &str) -> String {
    let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
    let Message::Request(request) = message(&body) else { panic!("no request") };
    let answer = Message::Response(Response::result(request.id, json!({})));
    let answer = encoded(&answer);
    let start = r#"{"jsonrpc":"2.0","id":"#.len();
    let end = answer.len() - r#","result":{}}"#.len();
    answer[start..end].to_owned()
}

#[test]
fn an_id_comes_back_exactly_as_it_was_sent() {
    for written in [
        "0",
        "1",
        "-1",
        "9223372036854775808",
        "18446744073709551616",
        "-170141183460469231731687303715884105728",
        r#""""#,
        r#""1""#,
        r#""你好""#,
        r#""server-discover-probe-1""#,
    ] {
        assert_eq!(written, comes_back_as(written));
    }
}

#[test]
fn an_id_that_could_not_come_back_exactly_is_refused() {
    for written in ["1.0", "1e2", "-0", "1.5", "0.0", "1E0"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
        assert_eq!((INVALID_REQUEST, None, MessageKind::Request), verdict(&body));
    }
    let beyond = "170141183460469231731687303715884105728";
    let body = format!(r#"{{"jsonrpc":"2.0","id":{beyond},"method":"ping"}}"#);
    assert_eq!((INVALID_REQUEST, None, MessageKind::Request), verdict(body));
}

#[test]
fn an_id_is_no_boolean_array_or_object() {
    for written in ["true", "[1]", "{}"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
        assert_eq!((INVALID_REQUEST, None, MessageKind::Request), verdict(&body));
    }
}

#[test]
fn null_is_not_absent() {
    assert_eq!(
        (INVALID_REQUEST, None, MessageKind::Request),
        verdict(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#)
    );
    assert_eq!(
        Message::notification("ping", None),
        message(r#"{"jsonrpc":"2.0","method":"ping"}"#)
    );
}

#[test]
fn a_string_and_an_integer_print_differently() {
    assert_eq!("1", Id::Integer(1).to_string());
    assert_eq!(r#""1""#, Id::String("1".into()).to_string());
    assert_eq!(r#""a\n""#, Id::String("a\n".into()).to_string());
}

#[test]
fn an_answer_is_paired_by_id_and_by_its_type() {
    let request = |id| Request { id, method: "ping".into(), params: None };
    let string = Id::String("1".into());
    let requests = [request(Id::Integer(2)), request(Id::Integer(1))];
    let answer = |id| Response { id, outcome: Ok(json!({})) };
    assert_eq!(Some(&requests[1]), pair(&requests, &answer(id(1))));
    assert_eq!(Some(&requests[0]), pair(&requests, &answer(id(2))));
    assert_eq!(None, pair(&requests, &answer(Some(string.clone()))));
    assert_eq!(None, pair(&requests, &answer(id(3))));
    assert_eq!(None, pair(&requests, &answer(None)));
    let both = [request(Id::Integer(1)), request(string.clone())];
    assert_eq!(Some(&both[1]), pair(&both, &answer(Some(string))));
}
