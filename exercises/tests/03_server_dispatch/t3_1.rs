use super::*;

#[test]
fn on_real_pipes_stdout_carries_frames_only() {
    child::serve_if_child(serve);
    on_real_pipes(
        "3.1",
        "stdout carries one response per line, and nothing else",
        &[PING, &request("2", "no/such"), &request(r#""1""#, "ping")],
        &["response 1: {}", "response 2: error -32601", r#"response "1": {}"#],
    );
}

#[test]
fn ping_gets_a_response_before_the_handshake() {
    judge("3.1", "ping gets the result {} at any time", || {
        let likely = "ping needs no handshake: it asks whether the server is alive";
        Recorder::new().expects("response 1: {}", PING).likely(likely)?;
        for params in ["null", "{}", r#"{"_meta":{"progressToken":1}}"#] {
            Recorder::new()
                .expects("response 1: {}", &with_params("1", "ping", params))
                .likely("accept ping with params: they may be null, or have `_meta`")?;
        }
        Ok(())
    });
}

#[test]
fn an_unknown_method_is_not_found() {
    judge("3.1", "a request for an unknown method gets -32601", || {
        for method in ["no/such", "server/discover", "Ping", "tools/list/", "tools", ""]
        {
            Recorder::new()
                .expects("response 1: error -32601", &request("1", method))
                .likely(
                    "every request gets a response; compare the whole method name",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_notification_with_an_id_is_an_unknown_request() {
    judge("3.1", "a message with an id is a request, whatever its method", || {
        for method in ["notifications/initialized", "notifications/cancelled"] {
            Recorder::new()
                .expects("response 7: error -32601", &request("7", method))
                .likely("with an id it is a request, and no request has this method")?;
        }
        Ok(())
    });
}

#[test]
fn an_id_is_returned_exactly() {
    judge("3.1", "a response has the id of its request, exactly as received", || {
        for id in ["0", "-1", "18446744073709551616", r#""1""#, r#""""#, r#""你好""#]
        {
            let mut session = Recorder::new();
            session
                .expects(&format!("response {id}: {{}}"), &request(id, "ping"))
                .likely(
                    "pass the `Id` on unchanged; do not convert it to text or a number",
                )?;
            session
                .expects(
                    &format!("response {id}: error -32601"),
                    &request(id, "no/such"),
                )
                .likely("an error has the id of its request, like a result")?;
        }
        Ok(())
    });
}

#[test]
fn a_malformed_request_gets_an_error() {
    judge("3.1", "a malformed request gets an error, with its id if readable", || {
        let array = with_params("7", "ping", "[1]");
        for (expected, line) in [
            ("response 7: error -32602", &*array),
            ("response 8: error -32600", r#"{"jsonrpc":"1.0","id":8,"method":"ping"}"#),
            ("response without id: error -32600", r#"[{"jsonrpc":"2.0","id":1}]"#),
            ("response without id: error -32700", "{"),
        ] {
            Recorder::new()
                .expects(expected, line)
                .likely("`ParseError::reply` returns the response with code and id")?;
        }
        Ok(())
    });
}

#[test]
fn a_message_that_is_not_a_request_gets_no_response() {
    judge("3.1", "a response or a malformed notification gets no response", || {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"no object"}"#,
            r#"{"jsonrpc":"2.0","method":"no/such","params":5}"#,
            r#"{"jsonrpc":"1.0","method":"no/such"}"#,
        ] {
            Recorder::new()
                .expects("nothing", line)
                .likely("if both peers respond to responses, they never stop")?;
        }
        Ok(())
    });
}
