use super::*;

/// Ends when the other tool rings.
struct Wait(Arc<Notify>);

impl Tool for Wait {
    fn call(&self, _: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async {
            self.0.notified().await;
            Ok(ToolResult::text("waited"))
        })
    }
}

fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let info = |name| ToolInfo::new(name, "", json!({"type": "object"}));
    let bell = Arc::new(Notify::new());
    let wait = (info("wait"), Wait(bell.clone()));
    let ring = from_fn(move |_| {
        bell.notify_one();
        Ok(ToolResult::text("rung"))
    });
    let me = Implementation::new("server", "1.0.0");
    let server =
        Server::new(me).with(echo())?.with(wait)?.with((info("ring"), ring))?;
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(
        async {
            let pipes = transport::Transport::stdio(
                frame::FramingMode::Auto,
                transport::silent(),
            )?;
            Ok(server.serve(pipes).await?)
        },
    )
}

#[test]
fn on_real_pipes_stdout_carries_frames_only() {
    child::serve_if_child(serve);
    judge("3.1", "stdout has one response per line, and nothing else", || {
        on_real_pipes(
            &[PING, &request("2", "no/such"), &request(r#""1""#, "ping")],
            &["response 1: {}", "response 2: error -32601", r#"response "1": {}"#],
        )
    });
}

#[test]
fn ping_works_before_the_handshake() {
    judge("3.1", "the response to ping is {}, at any time", || {
        let likely = "ping has no state to wait for: it asks whether you are there";
        Recorder::new().expect("response 1: {}", PING).likely(likely)?;
        for params in ["null", "{}", r#"{"_meta":{"progressToken":1}}"#] {
            Recorder::new()
                .expect("response 1: {}", &with_params("1", "ping", params))
                .likely("absent params, null and `_meta` are not a reason to refuse")?;
        }
        Ok(())
    });
}

#[test]
fn an_unknown_method_is_not_found() {
    judge("3.1", "an unknown method gets -32601", || {
        for method in ["no/such", "server/discover", "Ping", "tools/list/", "tools", ""]
        {
            Recorder::new()
                .expect("response 1: error -32601", &request("1", method))
                .likely("every request gets a response, and a name is compared whole")?;
        }
        Ok(())
    });
}

#[test]
fn a_notification_with_an_id_is_an_unknown_request() {
    judge("3.1", "the id makes the request, whatever the method is called", || {
        for method in ["notifications/initialized", "notifications/cancelled"] {
            Recorder::new()
                .expect("response 7: error -32601", &request("7", method))
                .likely(
                    "its sender waits for a response, and no request has this name",
                )?;
        }
        Ok(())
    });
}

#[test]
fn an_id_is_returned_exactly() {
    judge("3.1", "a response has the id of its request, unchanged", || {
        for id in ["0", "-1", "18446744073709551616", r#""1""#, r#""""#, r#""你好""#]
        {
            let mut server = Recorder::new();
            server
                .expect(&format!("response {id}: {{}}"), &request(id, "ping"))
                .likely("pass the `Id` on unchanged, not through text or a number")?;
            server
                .expect(
                    &format!("response {id}: error -32601"),
                    &request(id, "no/such"),
                )
                .likely("an error carries the id as well as a result does")?;
        }
        Ok(())
    });
}

#[test]
fn a_malformed_request_gets_a_response() {
    judge("3.1", "a message that may be a request gets a response", || {
        let array = with_params("7", "ping", "[1]");
        for (expected, line) in [
            ("response 7: error -32602", &*array),
            ("response 8: error -32600", r#"{"jsonrpc":"1.0","id":8,"method":"ping"}"#),
            ("response without id: error -32600", r#"[{"jsonrpc":"2.0","id":1}]"#),
            ("response without id: error -32700", "{"),
        ] {
            Recorder::new()
                .expect(expected, line)
                .likely("`ParseError::reply` knows its code and its id")?;
        }
        Ok(())
    });
}

#[test]
fn only_requests_get_responses() {
    judge("3.1", "a response and a malformed notification get no response", || {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":"no object"}"#,
            r#"{"jsonrpc":"2.0","method":"no/such","params":5}"#,
            r#"{"jsonrpc":"1.0","method":"no/such"}"#,
        ] {
            Recorder::new().expect("nothing", line).likely(
                "two peers that respond to such messages respond to each other forever",
            )?;
        }
        Ok(())
    });
}
