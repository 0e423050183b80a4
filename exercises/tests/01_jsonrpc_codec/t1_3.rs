use super::*;

#[test]
fn a_body_that_is_not_json_is_a_parse_error() {
    judge("1.3", "a body that is not valid JSON gets -32700, without an id", || {
        for body in [
            "",
            "{",
            "log: got a line",
            r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#,
            r#"{'jsonrpc':'2.0','id':1,'method':'ping'}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}"#,
            r#"{"jsonrpc":"2.0","id":01,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0"}"#,
        ] {
            is_refused(PARSE_ERROR, None, MessageKind::Unknown, body).likely(
                "is the whole text valid JSON? Without that there is no id and no kind",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_log_line_that_begins_like_json_is_a_parse_error() {
    judge("1.3", "the whole text decides, not its first byte", || {
        for body in ["[cache] warm", "42 tools", "true story", "2026-08-22 ready"] {
            is_refused(PARSE_ERROR, None, MessageKind::Unknown, body).likely(
                "reading stopped at `[` or `4`, which begins no object; is the whole \
                 text JSON?",
            )?;
        }
        Ok(())
    });
}

#[test]
fn bytes_that_are_not_utf8_are_a_parse_error() {
    judge("1.3", "JSON is UTF-8; anything else gets -32700", || {
        let body = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffng\"}";
        is_refused(PARSE_ERROR, None, MessageKind::Unknown, body)
            .likely("a lossy conversion, or no check of the bytes at all")
    });
}

#[test]
fn a_batch_or_a_scalar_is_an_invalid_request() {
    judge("1.3", "JSON that is not an object gets -32600, once, without an id", || {
        for body in [
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"["2.0",1,"ping"]"#,
            " [ ]\r",
            "42",
            "true",
            "null",
            r#""hello""#,
        ] {
            is_refused(INVALID_REQUEST, None, MessageKind::Unknown, body).likely(
                "it is valid JSON, so not a parse error; it is not an object, so not \
                 a message (MCP has no batches)",
            )?;
        }
        Ok(())
    });
}
