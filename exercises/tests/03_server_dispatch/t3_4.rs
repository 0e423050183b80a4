use super::*;

const LISTED: &str = "response 2: tools echo";

#[test]
fn no_list_before_the_handshake_is_done() {
    judge("3.4", "tools/list before notifications/initialized gets -32600", || {
        Recorder::new()
            .expect(REFUSED, LIST)
            .likely("the gate of a new session is closed")?;
        Recorder::initialized()?.expect(REFUSED, LIST).likely(
            "the response to `initialize` does not open it: the client's notification \
             does",
        )?;
        let cursor = with_params("2", "tools/list", r#"{"cursor":"2"}"#);
        for mut server in [Recorder::new(), Recorder::initialized()?] {
            server
                .expect(REFUSED, &cursor)
                .likely("check the gate before the params")?;
        }
        Ok(())
    });
}

#[test]
fn initialized_opens_the_gate() {
    judge("3.4", "after notifications/initialized the tools are listed", || {
        let mut server = Recorder::initialized()?;
        server
            .expect("nothing", INITIALIZED)
            .likely("a notification gets no response")?;
        server.expect(LISTED, LIST).likely("the notification is to be remembered")?;
        server.expect("nothing", INITIALIZED).likely("a second one changes nothing")?;
        server.expect(LISTED, LIST).likely("a second one changes nothing")
    });
}

#[test]
fn initialized_opens_the_gate_whatever_its_params() {
    judge("3.4", "notifications/initialized may have params", || {
        for params in ["{}", r#"{"_meta":{"a":1}}"#, "null"] {
            let line = format!(
                "{},\"params\":{params}}}",
                &INITIALIZED[..INITIALIZED.len() - 1]
            );
            let mut server = Recorder::initialized()?;
            server
                .expect("nothing", &line)
                .likely("a notification gets no response")?;
            server.expect(LISTED, LIST).likely(
                "it is the method that counts; every message may have `_meta`",
            )?;
        }
        Ok(())
    });
}

#[test]
fn initialized_before_initialize_opens_nothing() {
    judge("3.4", "the notification counts only after a handshake", || {
        let likely = "the notification was too early, and was remembered";
        let mut server = Recorder::new();
        server.expect("nothing", INITIALIZED)?;
        server.expect(REFUSED, LIST).likely(likely)?;
        server.expect(AGREED, INITIALIZE)?;
        server.expect(REFUSED, LIST).likely(likely)
    });
}

#[test]
fn a_failed_initialize_opens_nothing() {
    judge("3.4", "a refused initialize does not count", || {
        let mut server = Recorder::new();
        server.expect("response 1: error -32602", &request("1", "initialize"))?;
        server.expect("nothing", INITIALIZED)?;
        server
            .expect(REFUSED, LIST)
            .likely("receiving `initialize` is not enough; did it get a result?")
    });
}

#[test]
fn initialized_under_another_name_or_with_an_id_opens_nothing() {
    judge("3.4", "only the notification notifications/initialized opens it", || {
        let mut server = Recorder::initialized()?;
        let with_id = request("7", "notifications/initialized");
        server
            .expect("response 7: error -32601", &with_id)
            .likely("with an id it is a request, and no request has this name")?;
        server
            .expect("nothing", r#"{"jsonrpc":"2.0","method":"initialized"}"#)
            .likely("a notification, known or not, gets no response")?;
        server.expect(REFUSED, LIST).likely(
            "a request, or the name that language servers use, was treated as the \
             notification",
        )
    });
}

#[test]
fn the_gate_stays_open() {
    judge("3.4", "a second initialize is refused and does not close the gate", || {
        let mut server = Recorder::ready()?;
        server
            .expect(r#"response "init": error -32600"#, INITIALIZE)
            .likely("the second `initialize` was served, as if it were the first")?;
        server.expect(LISTED, LIST).likely("a refused request changes nothing")
    });
}

#[test]
fn ping_passes_on_both_sides_of_the_gate() {
    judge("3.4", "ping and unknown methods do not depend on the gate", || {
        for mut server in [Recorder::initialized()?, Recorder::ready()?] {
            server
                .expect("response 1: {}", PING)
                .likely("the gate is for tools/list and tools/call only")?;
            server
                .expect("response 5: error -32601", &request("5", "no/such"))
                .likely("a method that does not exist will not exist later either")?;
        }
        Ok(())
    });
}

#[test]
fn a_tool_is_listed_with_all_its_members() {
    judge("3.4", "each tool has name, description, inputSchema, in our order", || {
        let info = |name| ToolInfo::new(name, "d", json!({"type": "object"}));
        let infos = ["b", "a", "c"].map(info);
        let mut server = Recorder::with(&infos).initialize()?.open()?;
        let result = server.result(LIST)?;
        let expected = infos.iter().map(ToolInfo::to_json).collect::<Vec<_>>();
        same_json(&Value::from(expected), &result["tools"])
            .given("the tools b, a, c")
            .likely("`ToolInfo::to_json` writes one; sort none, leave none out")?;
        same_json(&Value::Null, &result["nextCursor"])
            .likely("all are on one page; who gets a cursor asks again")
    });
}

#[test]
fn a_server_without_tools_lists_none() {
    judge("3.4", "no tools are an empty array", || {
        let mut server = Recorder::with(&[]).initialize()?.open()?;
        let result = server.result(LIST)?;
        same_json(&json!([]), &result["tools"])
            .given("a session without tools")
            .likely("the list is there, and empty")
    });
}

#[test]
fn an_unknown_cursor_is_refused() {
    judge("3.4", "an unknown cursor gets -32602; null counts as absent", || {
        for cursor in [r#""2""#, r#""""#, "5"] {
            let params = format!(r#"{{"cursor":{cursor}}}"#);
            Recorder::ready()?
                .expect(
                    "response 2: error -32602",
                    &with_params("2", "tools/list", &params),
                )
                .likely(
                    "a client with a cursor asks for the next page: the first page \
                     again would never end",
                )?;
        }
        let null = with_params("2", "tools/list", r#"{"cursor":null}"#);
        Recorder::ready()?.expect(LISTED, &null).likely("null counts as left out")
    });
}
