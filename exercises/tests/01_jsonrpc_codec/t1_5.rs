use super::*;

fn is_request(expected: Id, body: &str) -> Verdict {
    let method = "ping".into();
    is_read_as(Message::Request(Request { id: expected, method, params: None }), body)
}

#[test]
fn a_request_keeps_its_id_exactly() {
    judge("1.5", "an id is kept exactly as it was sent", || {
        for (expected, written) in [
            (Id::Integer(0), "0"),
            (Id::Integer(-1), "-1"),
            (Id::Integer(9_007_199_254_740_993), "9007199254740993"),
            (Id::Integer(18_446_744_073_709_551_616), "18446744073709551616"),
            (Id::Integer(i128::MIN), "-170141183460469231731687303715884105728"),
            (Id::String("1".into()), r#""1""#),
            (Id::String(String::new()), r#""""#),
            (Id::String("你好".into()), r#""你好""#),
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            is_request(expected, &body).likely(
                "parse the digits themselves: a float or 64 bits lose some of them",
            )?;
        }
        Ok(())
    });
}

#[test]
fn an_escape_equals_its_character() {
    judge("1.5", "\"\\u0061\" and \"a\" are the same string, in names too", || {
        let body = r#"{"jsonrpc":"2.0","id":"\u0061\"\ud83d\ude00","method":"ping"}"#;
        is_request(Id::String("a\"😀".into()), body).likely(
            "the quotes were removed by hand: let serde_json read the string",
        )?;
        let body = r#"{"jsonrpc":"2.0","\u0069d":1,"method":"p\u0069ng"}"#;
        is_request(Id::Integer(1), body)
            .likely("decode the escapes before comparing a name: `\\u0069d` is `id`")
    });
}

#[test]
fn an_id_that_cannot_be_returned_exactly_is_rejected() {
    judge("1.5", "an id is a string or an integer written in plain digits", || {
        for written in [
            "1.5",
            "1.0",
            "1e2",
            "1E0",
            "-0",
            "170141183460469231731687303715884105728",
            "true",
            "[1]",
            "{}",
        ] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{written},"method":"ping"}}"#);
            is_rejected(INVALID_REQUEST, None, MessageKind::Request, &body).likely(
                "the id was rounded or converted: 1.0 would be returned as 1",
            )?;
        }
        Ok(())
    });
}

#[test]
fn an_invalid_member_does_not_lose_the_id() {
    judge("1.5", "a readable id is kept, so that only this request fails", || {
        use MessageKind::{Request, Unknown};
        for (code, id, kind, body) in [
            (
                INVALID_PARAMS,
                id(7),
                Request,
                r#"{"jsonrpc":"2.0","id":7,"method":"m","params":[1]}"#,
            ),
            (
                INVALID_REQUEST,
                string_id("a"),
                Request,
                r#"{"jsonrpc":"2","id":"a","method":"m"}"#,
            ),
            (
                INVALID_REQUEST,
                id(0),
                Request,
                r#"{"jsonrpc":"2.0","id":0,"method":{}}"#,
            ),
            (INVALID_REQUEST, id(1), Unknown, r#"{"jsonrpc":"2.0","id":1}"#),
        ] {
            let likely = "the kind depends on which members are present (task 1.4)";
            is_rejected(code, id.clone(), kind, body)
                .likely(likely_unless_id_lost(id, body, likely))?;
        }
        Ok(())
    });
}

#[test]
fn a_duplicate_member_is_rejected() {
    judge("1.5", "a duplicate member is rejected: which value is meant?", || {
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#;
        let likely = "the first or the last value was used; `Members` lists duplicates";
        is_rejected(INVALID_REQUEST, id(1), MessageKind::Request, body)
            .likely(likely_unless_id_lost(id(1), body, likely))?;
        let body = r#"{"jsonrpc":"2.0","id":2,"\u0069d":3,"method":"ping"}"#;
        is_rejected(INVALID_REQUEST, None, MessageKind::Request, body)
            .likely("neither of two ids is reliable, so the error has no id")?;
        let body = concat!(
            r#"{"jsonrpc":"2.0","id":4,"method":"tools/call","#,
            r#""params":{"name":"echo","name":"delete_file"}}"#
        );
        is_rejected(INVALID_PARAMS, id(4), MessageKind::Request, body)
            .likely("`Value` keeps the last duplicate; `read_unrepeated` rejects it")
    });
}
