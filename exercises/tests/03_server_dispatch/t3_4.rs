use super::*;

const LISTED: &str = "response 2: tools echo";

#[test]
fn no_list_before_the_handshake_is_done() {
    judge("3.4", "tools/list before notifications/initialized gets -32600", || {
        Recorder::new()
            .owes(SHUT, LIST)
            .likely("the gate is shut when the session is new")?;
        Recorder::initialized()?.owes(SHUT, LIST).likely(
            "the response to `initialize` does not open it: the client's notification \
             does",
        )?;
        let cursor = with_params("2", "tools/list", r#"{"cursor":"2"}"#);
        for mut talk in [Recorder::new(), Recorder::initialized()?] {
            talk.owes(SHUT, &cursor).likely("check the gate before the params")?;
        }
        Ok(())
    });
}

#[test]
fn initialized_opens_the_gate() {
    judge("3.4", "after notifications/initialized the tools are listed", || {
        let mut talk = Recorder::initialized()?;
        talk.owes("nothing", INITIALIZED).likely("a notification gets no response")?;
        talk.owes(LISTED, LIST).likely("the notification is to be remembered")?;
        talk.owes("nothing", INITIALIZED).likely("a second one changes nothing")?;
        talk.owes(LISTED, LIST).likely("a second one changes nothing")
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
            let mut talk = Recorder::initialized()?;
            talk.owes("nothing", &line).likely("a notification gets no response")?;
            talk.owes(LISTED, LIST).likely(
                "it is the method that counts; every message may have `_meta`",
            )?;
        }
        Ok(())
    });
}

#[test]
fn initialized_before_initialize_opens_nothing() {
    judge(
        "3.4",
        "the notification counts only after the response to initialize",
        || {
            let likely = "the notification was too early, and was remembered";
            let mut talk = Recorder::new();
            talk.owes("nothing", INITIALIZED)?;
            talk.owes(SHUT, LIST).likely(likely)?;
            talk.owes(AGREED, INITIALIZE)?;
            talk.owes(SHUT, LIST).likely(likely)
        },
    );
}

#[test]
fn a_failed_initialize_opens_nothing() {
    judge("3.4", "a refused initialize does not count", || {
        let mut talk = Recorder::new();
        talk.owes("response 1: error -32602", &request("1", "initialize"))?;
        talk.owes("nothing", INITIALIZED)?;
        talk.owes(SHUT, LIST)
            .likely("receiving `initialize` is not enough; did it get a result?")
    });
}

#[test]
fn initialized_under_another_name_or_with_an_id_opens_nothing() {
    judge("3.4", "only the notification notifications/initialized opens it", || {
        let mut talk = Recorder::initialized()?;
        let with_id = request("7", "notifications/initialized");
        talk.owes("response 7: error -32601", &with_id)
            .likely("with an id it is a request, and no request has this name")?;
        talk.owes("nothing", r#"{"jsonrpc":"2.0","method":"initialized"}"#)
            .likely("a notification, known or not, gets no response")?;
        talk.owes(SHUT, LIST).likely(
            "a request, or the name that language servers use, was treated as the \
             notification",
        )
    });
}

#[test]
fn the_gate_stays_open() {
    judge("3.4", "a second initialize is refused and does not shut the gate", || {
        let mut talk = Recorder::ready()?;
        talk.owes(r#"response "init": error -32600"#, INITIALIZE)
            .likely("the second `initialize` was served, as if it were the first")?;
        talk.owes(LISTED, LIST).likely("a refused request changes nothing")
    });
}

#[test]
fn ping_passes_on_both_sides_of_the_gate() {
    judge("3.4", "ping and unknown methods do not depend on the gate", || {
        for mut talk in [Recorder::initialized()?, Recorder::ready()?] {
            talk.owes("response 1: {}", PING)
                .likely("the gate is for tools/list and tools/call only")?;
            talk.owes("response 5: error -32601", &request("5", "no/such"))
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
        let mut talk = Recorder::with(&infos).begun()?.open()?;
        let result = talk.result(LIST)?;
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
        let mut talk = Recorder::with(&[]).begun()?.open()?;
        let result = talk.result(LIST)?;
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
                .owes(
                    "response 2: error -32602",
                    &with_params("2", "tools/list", &params),
                )
                .likely(
                    "a client with a cursor asks for the next page: the first page \
                     again would never end",
                )?;
        }
        let null = with_params("2", "tools/list", r#"{"cursor":null}"#);
        Recorder::ready()?.owes(LISTED, &null).likely("null counts as left out")
    });
}
