use super::*;

#[test]
fn invalid_json_is_a_parse_error() {
    judge("1.3", "a body that is not JSON is rejected with -32700, without id", || {
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
            is_rejected(PARSE_ERROR, None, MessageKind::Unknown, body).likely(
                "check whether the whole text is JSON; if not, it has no id, and its \
                 kind is unknown",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_log_line_that_begins_like_json_is_a_parse_error() {
    judge("1.3", "the whole body must be JSON, not only its first bytes", || {
        for body in ["[cache] warm", "42 tools", "true story", "2026-08-22 ready"] {
            is_rejected(PARSE_ERROR, None, MessageKind::Unknown, body).likely(
                "the first byte decided: `[` or `4` does not begin an object; check \
                 first whether the whole text is JSON",
            )?;
        }
        Ok(())
    });
}

#[test]
fn invalid_utf8_is_a_parse_error() {
    judge("1.3", "JSON is UTF-8; any other bytes are rejected with -32700", || {
        let body = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"p\xffng\"}";
        is_rejected(PARSE_ERROR, None, MessageKind::Unknown, body)
            .likely("the bytes were converted lossily, or not checked at all")
    });
}

#[test]
fn a_batch_or_a_scalar_is_an_invalid_request() {
    judge("1.3", "JSON that is not an object gets one -32600, without an id", || {
        for body in [
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"["2.0",1,"ping"]"#,
            " [ ]\r",
            "42",
            "true",
            "null",
            r#""hello""#,
        ] {
            is_rejected(INVALID_REQUEST, None, MessageKind::Unknown, body).likely(
                "it is valid JSON, so -32700 is wrong; it is not an object, so it is \
                 not a message (MCP has no batches)",
            )?;
        }
        Ok(())
    });
}
