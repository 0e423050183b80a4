use super::*;

#[test]
fn a_message_is_read_whatever_the_order_of_its_members() {
    assert_eq!(
        Message::request(0, "roots/list", object(json!({"a": 1}))),
        message(r#"{"method":"roots/list","params":{"a":1},"jsonrpc":"2.0","id":0}"#)
    );
}

#[test]
fn blanks_and_unknown_members_are_passed_over() {
    assert_eq!(
        Message::request(1, "ping", None),
        message(
            " {\"jsonrpc\" : \"2.0\",\r\n\"x\":[],\t\"id\":1,\"method\":\"ping\"} "
        )
    );
}

#[test]
fn escapes_in_names_and_values_are_read() {
    assert_eq!(
        Message::request(1, "ping", None),
        message(r#"{"jsonrpc":"2\u002e0","\u0069d":1,"method":"p\u0069ng"}"#)
    );
}

#[test]
fn what_is_no_json_is_a_parse_error() {
    for body in [
        "",
        "{",
        "log: got a line",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}"#,
        r#"{'jsonrpc':'2.0','id':1,'method':'ping'}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"} // done"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}"#,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\nb\"}",
        "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    ] {
        assert_eq!((PARSE_ERROR, None, MessageKind::Unknown), verdict(body), "{body}");
    }
}

#[test]
fn a_line_of_log_that_begins_like_json_is_a_parse_error() {
    for body in [
        "[dotenv@17.0.0] injecting env",
        "42 tools",
        "2026-08-22 ready",
        "true story",
        "\"quoted\" text",
        r#"[{"jsonrpc":"2.0","method":"sum"},{"jsonrpc":"2.0","method"]"#,
    ] {
        assert_eq!((PARSE_ERROR, None, MessageKind::Unknown), verdict(body), "{body}");
    }
}

#[test]
fn what_is_not_utf8_is_a_parse_error_that_says_where() {
    let bad = malformed(b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffing\"}");
    assert_eq!((PARSE_ERROR, None), (bad.code, bad.id));
    assert_eq!("not UTF-8: byte 35 begins no character", bad.reason);
}

#[test]
fn a_batch_is_one_invalid_request() {
    for body in [r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[]", "[1]"] {
        assert_eq!((INVALID_REQUEST, None, MessageKind::Unknown), verdict(body));
        assert!(malformed(body).reason.contains("batches"), "{body}");
    }
}

#[test]
fn an_array_in_the_order_of_the_members_is_no_message() {
    let verdict = verdict(r#"["2.0",1,"ping"]"#);
    assert_eq!((INVALID_REQUEST, None, MessageKind::Unknown), verdict);
}

#[test]
fn a_scalar_is_an_invalid_request() {
    for body in ["42", "-1.5", "null", r#""hello""#, "true", " 0 "] {
        assert_eq!(
            (INVALID_REQUEST, None, MessageKind::Unknown),
            verdict(body),
            "{body}"
        );
    }
}

#[test]
fn an_object_that_is_no_message_is_an_invalid_request() {
    assert_eq!((INVALID_REQUEST, None, MessageKind::Unknown), verdict("{}"));
    assert_eq!(
        (INVALID_REQUEST, id(1), MessageKind::Unknown),
        verdict(r#"{"jsonrpc":"2.0","id":1}"#)
    );
}

#[test]
fn jsonrpc_is_exactly_the_string_2_0() {
    for version in [r#""1.0""#, r#""2""#, r#""2.0 ""#, "2.0", "2", "null", "[]"] {
        let body = format!(r#"{{"jsonrpc":{version},"id":1,"method":"ping"}}"#);
        assert_eq!((INVALID_REQUEST, id(1), MessageKind::Request), verdict(&body));
    }
    let absent = r#"{"id":1,"method":"ping"}"#;
    assert_eq!((INVALID_REQUEST, id(1), MessageKind::Request), verdict(absent));
}

#[test]
fn a_member_that_stands_twice_is_refused() {
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","\u006dethod":"ping"}"#,
        r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}"#,
    ] {
        assert_eq!(
            (INVALID_REQUEST, id(1), MessageKind::Request),
            verdict(body),
            "{body}"
        );
    }
    for body in [
        r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":null,"error":null,"result":{}}"#,
    ] {
        let verdict = verdict(body);
        assert_eq!((INVALID_REQUEST, id(1), MessageKind::Response), verdict, "{body}");
    }
}

#[test]
fn an_id_that_stands_twice_is_not_used_in_the_answer() {
    for body in [
        r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"ping","method":"ping","id":3}"#,
        r#"{"jsonrpc":"2.0","id":2,"id":3,"method":"ping","method":"ping"}"#,
    ] {
        assert_eq!(
            (INVALID_REQUEST, None, MessageKind::Request),
            verdict(body),
            "{body}"
        );
    }
}

/// A gate that reads the first name must not let a server run the second.
#[test]
fn a_member_that_stands_twice_inside_params_is_refused_at_any_depth() {
    for params in [
        r#"{"name":"read","name":"delete"}"#,
        r#"{"arguments":{"path":"a","\u0070ath":"b"}}"#,
        r#"{"a":[{"b":{"c":1,"c":1}}]}"#,
    ] {
        let body =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#);
        assert_eq!(
            (INVALID_PARAMS, id(1), MessageKind::Request),
            verdict(&body),
            "{params}"
        );
        assert!(malformed(&body).reason.contains("stands twice"), "{params}");
    }
    let apart = r#"{"jsonrpc":"2.0","method":"m","params":{"a":{"b":1},"c":[{"b":1},{"b":1}]}}"#;
    message(apart);
}
