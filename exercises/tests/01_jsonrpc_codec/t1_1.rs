use super::*;

#[test]
fn a_request_has_jsonrpc_id_method_params_in_this_order() {
    judge("1.1", "a request is jsonrpc, id, method, params, in this order", || {
        let echo = json!({"name": "echo", "arguments": {"text": "hi"}});
        let call = Message::request(3, "tools/call", params(echo));
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","#,
                r#""params":{"name":"echo","arguments":{"text":"hi"}}}"#
            ),
            call.encode(),
        )
        .given("the request 3, tools/call, with params")
        .likely("build a `Wire`: it writes the members in the order of its fields")
    });
}

#[test]
fn absent_params_are_omitted() {
    judge("1.1", "absent params are omitted; an empty object is written", || {
        let list = Message::request(2, "tools/list", None);
        same_bytes(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#, list.encode())
            .given("a request without params")
            .likely(
                "`None` was written as `{}` or null; pass it to `Wire` unchanged",
            )?;
        let list = Message::request(2, "tools/list", params(json!({})));
        same_bytes(
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
            list.encode(),
        )
        .given("a request with params that are an empty object")
        .likely("an empty object is a value; only `None` is omitted")
    });
}

#[test]
fn an_id_is_written_with_its_type() {
    judge("1.1", "an integer id has all its digits, a string id is a string", || {
        for (id, written) in [
            (Id::Integer(0), "0"),
            (Id::Integer(i128::MAX), "170141183460469231731687303715884105727"),
            (Id::String("1".into()), r#""1""#),
            (Id::String("a\"b".into()), r#""a\"b""#),
        ] {
            let given = format!("a request with the id {id}");
            let ping = Request { id, method: "ping".into(), params: None };
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            same_bytes(body, Message::Request(ping).encode())
                .given(given)
                .likely("pass the `Id` itself to `Wire`; do not convert it")?;
        }
        Ok(())
    });
}

#[test]
fn a_notification_has_no_id() {
    judge("1.1", "a notification has no id member, not even null", || {
        let done = Message::notification("notifications/initialized", None);
        same_bytes(
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            done.encode(),
        )
        .given("a notification without params")
        .likely("in `Wire`, `id: None` omits the member, `id: Some(None)` is null")?;
        let call = json!({"requestId": 3});
        let cancelled = Message::notification("notifications/cancelled", params(call));
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","#,
                r#""params":{"requestId":3}}"#
            ),
            cancelled.encode(),
        )
        .given("a notification with params")
        .likely("a notification has params like a request; it only has no id")
    });
}

#[test]
fn a_message_contains_no_raw_newline() {
    judge("1.1", "a message is one line: a newline in a string is written \\n", || {
        let text = json!({"text": "a\n\"b\"\u{1}"});
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"method":"m","#,
                r#""params":{"text":"a\n\"b\"\u0001"}}"#
            ),
            Message::request(1, "m", params(text)).encode(),
        )
        .given("a string with a newline, quotes and a control character")
        .likely("the JSON was formatted by hand: let serde_json write strings")
    });
}

#[test]
fn a_response_has_a_result_or_an_error() {
    let rule = "a response has a result or an error; the other is omitted";
    judge("1.1", rule, || {
        let likely =
            "in `Wire`, the member that the response does not have stays `None`";
        for (result, likely) in
            [(json!({}), likely), (json!(null), "a null result is a result: write it")]
        {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
            let given = format!("the response to 1 with the result {result}");
            let response = Response::result(Id::Integer(1), result);
            same_bytes(body, Message::Response(response).encode())
                .given(given)
                .likely(likely)?;
        }
        let data = Some(json!([1]));
        let error = ErrorObject { data, ..ErrorObject::new(-32601, "no") };
        same_bytes(
            concat!(
                r#"{"jsonrpc":"2.0","id":"a","#,
                r#""error":{"code":-32601,"message":"no","data":[1]}}"#
            ),
            Message::Response(Response::error(string_id("a"), error)).encode(),
        )
        .given("the response to \"a\" with an error that has data")
        .likely(likely)
    });
}

#[test]
fn an_unknown_id_is_null_or_absent_by_revision() {
    let rule = "an unknown id is null, or from revision 2025-11-25 on absent";
    judge("1.1", rule, || {
        let error = Response::error(None, ErrorObject::new(-32700, "x"));
        let null =
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#;
        same_bytes(null, error.encode(UnknownId::Null))
            .given("an error without an id, UnknownId::Null")
            .likely(
                "in `Wire`, `id: None` omits the member, `id: Some(None)` is null",
            )?;
        same_bytes(
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}"#,
            error.encode(UnknownId::Absent),
        )
        .given("an error without an id, UnknownId::Absent")
        .likely("`UnknownId` decides, and only if the id is `None`")?;
        same_bytes(null, Message::Response(error).encode())
            .given("the same error as a `Message`")
            .likely("`Message::encode` has no revision: it uses `UnknownId::Null`")?;
        let known = Response::error(id(0), ErrorObject::new(-32600, "x"));
        same_bytes(
            r#"{"jsonrpc":"2.0","id":0,"error":{"code":-32600,"message":"x"}}"#,
            known.encode(UnknownId::Absent),
        )
        .given("an error with the id 0, UnknownId::Absent")
        .likely("a known id is written in every revision; 0 is a known id")
    });
}
