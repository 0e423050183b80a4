use super::*;

fn is_notification(method: &str, params: Value, body: &str) -> Verdict {
    let params = self::params(params);
    let expected = Notification { method: method.into(), params };
    is_read_as(Message::Notification(expected), body)
}

#[test]
fn a_method_without_an_id_is_a_notification() {
    judge("1.4", "a message with a method and no id member is a notification", || {
        for body in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":null}"#,
            " {\"method\" :\t\"notifications/initialized\", \"jsonrpc\": \"2.0\"} \r",
        ] {
            is_notification("notifications/initialized", Value::Null, body)
                .likely("an object without an id member is not a request")?;
        }
        let body = r#"{"jsonrpc":"2.0","method":"m","params":{"id":1,"result":2}}"#;
        is_notification("m", json!({"id": 1, "result": 2}), body)
            .likely("members of params were read as members of the message")?;
        let body = r#"{"jsonrpc":"2.0","x":[1],"method":"m","Id":1,"ID":2}"#;
        is_notification("m", Value::Null, body)
            .likely("ignore members that JSON-RPC does not define; `Id` is one of them")
    });
}

#[test]
fn without_method_result_and_error_the_kind_is_unknown() {
    judge("1.4", "without method, result and error the kind is unknown", || {
        for body in [
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":null}"#,
            "{}",
        ] {
            is_rejected(INVALID_REQUEST, None, MessageKind::Unknown, body)
                .likely("an object that is not a request need not be a response")?;
        }
        Ok(())
    });
}

#[test]
fn an_invalid_member_does_not_change_the_kind() {
    judge("1.4", "the kind depends on which members are present, valid or not", || {
        use MessageKind::{Notification, Request, Response};
        for (code, kind, body) in [
            (INVALID_REQUEST, Notification, r#"{"jsonrpc":"1.0","method":"m"}"#),
            (INVALID_REQUEST, Notification, r#"{"jsonrpc":2.0,"method":"m"}"#),
            (INVALID_REQUEST, Notification, r#"{"method":"m"}"#),
            (INVALID_REQUEST, Notification, r#"{"jsonrpc":"2.0","method":7}"#),
            (
                INVALID_PARAMS,
                Notification,
                r#"{"jsonrpc":"2.0","method":"m","params":[1]}"#,
            ),
            (INVALID_REQUEST, Response, r#"{"jsonrpc":"1.0","result":{}}"#),
            (INVALID_REQUEST, Response, r#"{"jsonrpc":"1.0","id":null,"error":null}"#),
        ] {
            is_rejected(code, None, kind, body)
                .likely("check only which members are present, not their values")?;
        }
        let body = r#"{"jsonrpc":"2.0","id":null,"method":"m"}"#;
        is_rejected(INVALID_REQUEST, None, Request, body)
            .likely("a null id is present, so this is not a notification")
    });
}

#[test]
fn a_null_method_beside_a_result_is_a_response() {
    judge("1.4", "a null method beside a result or an error counts as absent", || {
        let likely =
            "some peers write every member of every message, unused ones as null";
        let body = r#"{"jsonrpc":"1.0","method":null,"result":{}}"#;
        is_rejected(INVALID_REQUEST, None, MessageKind::Response, body)
            .likely(likely)?;
        let body = r#"{"jsonrpc":"1.0","method":null,"result":null,"error":{}}"#;
        is_rejected(INVALID_REQUEST, None, MessageKind::Response, body)
            .likely(likely)?;
        let body = r#"{"jsonrpc":"2.0","method":null}"#;
        is_rejected(INVALID_REQUEST, None, MessageKind::Notification, body)
            .likely("without a result or an error, a null method is an invalid method")
    });
}
