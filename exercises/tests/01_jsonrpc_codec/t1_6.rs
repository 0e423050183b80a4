use super::*;

fn is_response(expected: Result<Value, ErrorObject>, body: &str) -> Verdict {
    is_read_as(Message::Response(Response { id: id(1), result: expected }), body)
}

#[test]
fn a_result_is_any_json() {
    judge("1.6", "a response has a result, which may be any JSON", || {
        for result in [json!({}), json!([1]), json!(0), json!(false), json!(null)] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
            is_response(Ok(result), &body).likely(
                "a null result is a result, unless there is an error beside it",
            )?;
        }
        Ok(())
    });
}

#[test]
fn an_error_has_a_code_a_message_and_perhaps_data() {
    let rule = "an error has an integer code, a string message, maybe data";
    judge("1.6", rule, || {
        let error = ErrorObject::new(-32601, "no");
        let body = r#"{"jsonrpc":"2.0","id":1,"error":{"message":"no","code":-32601}}"#;
        is_response(Err(error.clone()), body)
            .likely("find the members by name: they may be in any order")?;
        let data = ErrorObject { data: Some(json!({"a": 1})), ..error };
        let body = concat!(
            r#"{"jsonrpc":"2.0","id":1,"error":"#,
            r#"{"code":-32601,"message":"no","data":{"a":1},"more":2}}"#
        );
        is_response(Err(data), body).likely("keep `data`: programs read it")
    });
}

#[test]
fn an_error_may_have_no_id() {
    judge("1.6", "an error for an unreadable message has no id, or a null id", || {
        for body in [
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}"#,
        ] {
            let error = Response::error(None, ErrorObject::new(-32700, "x"));
            is_read_as(Message::Response(error), body).likely(
                "the peer could not read the request's id, so its error has none",
            )?;
        }
        for body in [
            r#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
        ] {
            is_rejected(INVALID_REQUEST, None, MessageKind::Response, body)
                .likely("a result responds to a request, so it must have an id")?;
        }
        Ok(())
    });
}

#[test]
fn a_null_result_beside_an_error_counts_as_absent() {
    judge(
        "1.6",
        "exactly one of result and error; a null beside one is absent",
        || {
            let likely = "some peers write both members, one of them null";
            let body = r#"{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}"#;
            is_response(Ok(json!({"a": 1})), body).likely(likely)?;
            let error = ErrorObject::new(1, "x");
            let body = concat!(
                r#"{"jsonrpc":"2.0","id":1,"method":null,"params":null,"#,
                r#""result":null,"error":{"code":1,"message":"x"}}"#
            );
            is_response(Err(error), body).likely(likely)
        },
    );
}

#[test]
fn both_members_or_an_invalid_error_are_rejected() {
    judge("1.6", "both members at once, or an invalid error, get -32600", || {
        let both = r#""result":{},"error":{"code":1,"message":"x"}"#;
        for members in [
            both,
            r#""error":null"#,
            r#""error":"boom""#,
            r#""error":[1,"x"]"#,
            r#""error":{"code":"1","message":"x"}"#,
            r#""error":{"code":1.5,"message":"x"}"#,
            r#""error":{"code":9223372036854775808,"message":"x"}"#,
            r#""error":{"code":1}"#,
            r#""error":{"code":1,"message":null}"#,
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,{members}}}"#);
            let likely = if members == both {
                "one of the two was preferred; the other may be the intended one"
            } else {
                "an error is an object with an integer code and a string message"
            };
            is_rejected(INVALID_REQUEST, id(1), MessageKind::Response, &body)
                .likely(likely_unless_id_lost(id(1), &body, likely))?;
        }
        Ok(())
    });
}

#[test]
fn a_method_beside_a_result_or_an_error_is_rejected() {
    judge("1.6", "a method beside a result or an error is rejected: -32600", || {
        for body in [
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"m","error":{"code":1,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"m","result":{}}"#,
        ] {
            let rejected = |code| Description(format!("rejected: code {code}"));
            let got = match read(body) {
                Err(bad) => rejected(bad.code),
                message => describe(&message),
            };
            same(rejected(INVALID_REQUEST), got)
                .given(body)
                .likely("one of the two members was read and the other ignored")?;
        }
        Ok(())
    });
}

/// Half a surrogate pair: the string was cut inside an emoji.
#[test]
fn an_unrepresentable_string_does_not_lose_the_id() {
    judge("1.6", "an unreadable part fails one response, not the connection", || {
        let result = r#"{"content":[{"type":"text","text":"cut \ud83d"}]}"#;
        let body = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{result}}}"#);
        let of = |id: Option<Id>| Description(describe_id(id.as_ref()));
        let got = match read(&body) {
            Ok(Message::Response(response)) => of(response.id),
            Err(bad) => of(bad.id),
            other => describe(&other),
        };
        same(of(id(1)), got).given(body).likely(
            "the whole message was parsed as `Value`: parse each member separately",
        )
    });
}
