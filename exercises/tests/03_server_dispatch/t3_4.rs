use super::*;

const LISTED: &str = "response 2: tools echo";

#[test]
fn no_list_before_the_handshake_is_done() {
    judge("3.4", "tools/list before notifications/initialized gets -32600", || {
        Recorder::new()
            .expects(NOT_READY, LIST)
            .likely("the gate of a new session is closed")?;
        Recorder::initialized()?.expects(NOT_READY, LIST).likely(
            "the response to `initialize` does not open the gate; the client's \
             notification does",
        )?;
        let cursor = with_params("2", "tools/list", r#"{"cursor":"2"}"#);
        for mut session in [Recorder::new(), Recorder::initialized()?] {
            session
                .expects(NOT_READY, &cursor)
                .likely("check the gate before you check the params")?;
        }
        Ok(())
    });
}

#[test]
fn initialized_opens_the_gate() {
    judge("3.4", "after notifications/initialized the tools are listed", || {
        let mut session = Recorder::initialized()?;
        session
            .expects("nothing", INITIALIZED)
            .likely("a notification gets no response")?;
        session
            .expects(LISTED, LIST)
            .likely("store that the notification has arrived")?;
        session
            .expects("nothing", INITIALIZED)
            .likely("a repeated notification changes nothing")?;
        session.expects(LISTED, LIST).likely("a repeated notification changes nothing")
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
            let mut session = Recorder::initialized()?;
            session
                .expects("nothing", &line)
                .likely("a notification gets no response")?;
            session
                .expects(LISTED, LIST)
                .likely("only the method counts; every message may have `_meta`")?;
        }
        Ok(())
    });
}

#[test]
fn initialized_before_initialize_opens_nothing() {
    judge("3.4", "the notification counts only after the initialize response", || {
        let likely = "a notification before `initialize` must not be stored";
        let mut session = Recorder::new();
        session.expects("nothing", INITIALIZED)?;
        session.expects(NOT_READY, LIST).likely(likely)?;
        session.expects(AGREED, INITIALIZE)?;
        session.expects(NOT_READY, LIST).likely(likely)
    });
}

#[test]
fn a_failed_initialize_opens_nothing() {
    judge("3.4", "after a rejected initialize the gate stays closed", || {
        let mut session = Recorder::new();
        session.expects("response 1: error -32602", &request("1", "initialize"))?;
        session.expects("nothing", INITIALIZED)?;
        session
            .expects(NOT_READY, LIST)
            .likely("a received `initialize` is not enough: it must succeed")
    });
}

#[test]
fn initialized_under_another_name_or_with_an_id_opens_nothing() {
    judge("3.4", "only the notification notifications/initialized opens it", || {
        let mut session = Recorder::initialized()?;
        let with_id = request("7", "notifications/initialized");
        session
            .expects("response 7: error -32601", &with_id)
            .likely("with an id it is a request, and no request has this method")?;
        session
            .expects("nothing", r#"{"jsonrpc":"2.0","method":"initialized"}"#)
            .likely("a notification gets no response, known or not")?;
        session.expects(NOT_READY, LIST).likely(
            "a request, or the notification `initialized` of language servers, \
             opened the gate",
        )
    });
}

#[test]
fn the_gate_stays_open() {
    judge("3.4", "a second initialize is rejected; the gate stays open", || {
        let mut session = Recorder::ready()?;
        session
            .expects(r#"response "init": error -32600"#, INITIALIZE)
            .likely("the second `initialize` was handled like the first")?;
        session.expects(LISTED, LIST).likely("a rejected request changes nothing")
    });
}

#[test]
fn ping_does_not_depend_on_the_gate() {
    judge("3.4", "ping and unknown methods do not depend on the gate", || {
        for mut session in [Recorder::initialized()?, Recorder::ready()?] {
            session
                .expects("response 1: {}", PING)
                .likely("only tools/list and tools/call check the gate")?;
            session
                .expects("response 5: error -32601", &request("5", "no/such"))
                .likely(
                    "an unknown method gets -32601, whether the gate is open or not",
                )?;
        }
        Ok(())
    });
}

#[test]
fn a_tool_is_listed_with_all_members() {
    judge("3.4", "tools are listed in order, with all of their members", || {
        let info = |name| ToolInfo::new(name, "d", json!({"type": "object"}));
        let infos = ["b", "a", "c"].map(info);
        let mut session = Recorder::with(&infos).handshake()?;
        let result = session.result(LIST)?;
        let expected = infos.iter().map(ToolInfo::to_json).collect::<Vec<_>>();
        same_json(&Value::from(expected), &result["tools"])
            .given("the tools b, a, c")
            .likely("write each with `ToolInfo::to_json`; keep the order, omit none")?;
        same_json(&Value::Null, &result["nextCursor"])
            .likely("all tools are on one page, so there is no next cursor")
    });
}

#[test]
fn a_server_without_tools_lists_none() {
    judge("3.4", "a server without tools lists an empty array", || {
        let mut session = Recorder::with(&[]).handshake()?;
        let result = session.result(LIST)?;
        same_json(&json!([]), &result["tools"])
            .given("a session without tools")
            .likely("the list is present and empty")
    });
}

#[test]
fn an_unknown_cursor_is_rejected() {
    judge("3.4", "an unknown cursor gets -32602; null counts as absent", || {
        for cursor in [r#""2""#, r#""""#, "5"] {
            let params = format!(r#"{{"cursor":{cursor}}}"#);
            Recorder::ready()?
                .expects(
                    "response 2: error -32602",
                    &with_params("2", "tools/list", &params),
                )
                .likely(
                    "the server never returned this cursor; a client that gets the \
                     first page again never reaches the end",
                )?;
        }
        let null = with_params("2", "tools/list", r#"{"cursor":null}"#);
        Recorder::ready()?
            .expects(LISTED, &null)
            .likely("a null cursor counts as absent")
    });
}
