use super::*;

fn cancel(id: &str) -> String {
    let params = format!(r#"{{"requestId":{id},"reason":"enough"}}"#);
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
    )
}

#[test]
fn a_cancelled_call_stops_and_gets_no_response() {
    judge("3.6", "a cancelled call stops and gets no response", || {
        for (text, id) in
            [("3", integer(3)), ("0", integer(0)), (r#""3""#, Id::String("3".into()))]
        {
            let mut session = Recorder::calling(text)?;
            session
                .expects(&format!("cancel {text}"), &cancel(text))
                .likely("`requestId` names the call: a string or an integer, 0 too")?;
            session.finishes("nothing", id, ToolResult::text("late")).likely(
                "the call may end just before it stops; the client ignores its result",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_cancellation_needs_no_reason() {
    judge("3.6", "a cancellation needs only the id", || {
        for others in ["", r#","reason":null"#, r#","reason":"","_meta":{}"#] {
            let params = format!(r#"{{"requestId":3{others}}}"#);
            let line = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
            );
            Recorder::calling("3")?
                .expects("cancel 3", &line)
                .likely("`reason` is optional: do not require it")?;
        }
        Ok(())
    });
}

#[test]
fn only_the_named_call_is_cancelled() {
    judge("3.6", "other calls continue; 1 and \"1\" are different calls", || {
        let likely = "another call was cancelled: compare the `Id` values";
        let mut session = Recorder::calling("1")?;
        session.expects(&running("2"), &call("2"))?;
        session.expects("nothing", &cancel(r#""1""#)).likely(likely)?;
        session.expects("cancel 2", &cancel("2")).likely(likely)?;
        session
            .finishes(&text_result("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely(likely)?;
        let mut session = Recorder::calling(r#""1""#)?;
        session.expects("nothing", &cancel("1")).likely(likely)?;
        session
            .finishes(
                &text_result(r#""1""#, "hi"),
                Id::String("1".into()),
                ToolResult::text("hi"),
            )
            .likely(likely)
    });
}

#[test]
fn a_long_integer_names_a_call() {
    judge("3.6", "an integer id may have 64 bits, signed or unsigned", || {
        for id in ["18446744073709551615", "9007199254740993", "-9223372036854775808"] {
            Recorder::calling(id)?
                .expects(&format!("cancel {id}"), &cancel(id))
                .likely("`as_i64` holds 63 bits, a float 53; parse the digits")?;
        }
        Ok(())
    });
}

#[test]
fn a_late_cancellation_is_ignored() {
    judge("3.6", "a cancellation of a call that does not run is ignored", || {
        let likely = "the call ended while the cancellation was on its way: ignore it";
        let mut session = Recorder::calling("3")?;
        session.expects("nothing", &cancel("404")).likely(likely)?;
        session.finishes(
            &text_result("3", "hi"),
            integer(3),
            ToolResult::text("hi"),
        )?;
        session.expects("nothing", &cancel("3")).likely(likely)?;
        let mut session = Recorder::calling("3")?;
        session
            .expects("cancel 3", &cancel("3"))
            .likely("a running call can be cancelled: see the first test of 3.6")?;
        session.expects("nothing", &cancel("3")).likely("it is already cancelled")
    });
}

#[test]
fn a_cancellation_without_a_usable_id_is_ignored() {
    judge("3.6", "a cancellation without a valid id is ignored", || {
        let mut session = Recorder::calling("1")?;
        for line in [
            cancel("null"),
            cancel("1.0"),
            cancel("true"),
            cancel("[1]"),
            cancel(r#"{"id":1}"#),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#
                .into(),
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.into(),
        ] {
            session.expects("nothing", &line).likely(
                "ignore it: a notification gets no response, and must not panic",
            )?;
        }
        session
            .finishes(&text_result("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely("an invalid `requestId` was read as 1")
    });
}

#[test]
fn a_cancellation_with_an_id_cancels_nothing() {
    judge("3.6", "a request notifications/cancelled is an unknown method", || {
        let mut session = Recorder::calling("1")?;
        let line = with_params("2", "notifications/cancelled", r#"{"requestId":1}"#);
        session
            .expects("response 2: error -32601", &line)
            .likely("with an id it is a request, and no request has this method")?;
        session
            .finishes(&text_result("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely("the rejected request cancelled the call")
    });
}

#[test]
fn a_cancelled_id_is_free() {
    judge("3.6", "the id of a cancelled call may be used again", || {
        let mut session = Recorder::calling("3")?;
        session
            .expects("cancel 3", &cancel("3"))
            .likely("a running call can be cancelled: see the first test of 3.6")?;
        session
            .expects(&running("3"), &call("3"))
            .likely("the cancelled call is still in the list of running calls")?;
        session
            .finishes(&text_result("3", "new"), integer(3), ToolResult::text("new"))
            .likely("the second call gets its response, although the first got none")
    });
}

#[test]
fn on_real_pipes_a_cancelled_call_gets_no_line() {
    on_real_pipes(
        "3.6",
        "a cancelled call writes nothing to stdout; others continue",
        &[
            INITIALIZE,
            INITIALIZED,
            &with_params("5", "tools/call", r#"{"name":"wait","arguments":{}}"#),
            &cancel("5"),
            &with_params("7", "tools/call", r#"{"name":"ring","arguments":{}}"#),
            PING,
        ],
        &[AGREED, &text_result("7", "rung"), "response 1: {}"],
    );
}
