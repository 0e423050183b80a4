use super::*;

fn cancel(id: &str) -> String {
    let params = format!(r#"{{"requestId":{id},"reason":"enough"}}"#);
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
    )
}

#[test]
fn a_cancelled_call_is_stopped_and_gets_no_response() {
    judge("3.6", "a cancelled call is stopped, and gets no response", || {
        for (text, id) in
            [("3", integer(3)), ("0", integer(0)), (r#""3""#, Id::String("3".into()))]
        {
            let mut server = Recorder::calling(text)?;
            server.expect(&format!("stop {text}"), &cancel(text)).likely(
                "`requestId` names the call: a string or an integer, \
                         including 0",
            )?;
            server.finish("nothing", id, ToolResult::text("late")).likely(
                "it may end just before it is stopped; the client that cancelled does \
                 not wait",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_cancellation_needs_no_reason() {
    judge("3.6", "a cancellation with the id alone cancels as well", || {
        for others in ["", r#","reason":null"#, r#","reason":"","_meta":{}"#] {
            let params = format!(r#"{{"requestId":3{others}}}"#);
            let line = format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{params}}}"#
            );
            Recorder::calling("3")?
                .expect("stop 3", &line)
                .likely("`reason` is optional, and for people")?;
        }
        Ok(())
    });
}

#[test]
fn only_the_call_that_is_named_is_cancelled() {
    judge("3.6", "the other calls continue; 1 and \"1\" are different calls", || {
        let likely = "the wrong call was cancelled: compare the `Id`s themselves";
        let mut server = Recorder::calling("1")?;
        server.expect(&running("2"), &call("2"))?;
        server.expect("nothing", &cancel(r#""1""#)).likely(likely)?;
        server.expect("stop 2", &cancel("2")).likely(likely)?;
        server
            .finish(&text_response("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely(likely)?;
        let mut server = Recorder::calling(r#""1""#)?;
        server.expect("nothing", &cancel("1")).likely(likely)?;
        server
            .finish(
                &text_response(r#""1""#, "hi"),
                Id::String("1".into()),
                ToolResult::text("hi"),
            )
            .likely(likely)
    });
}

#[test]
fn a_long_integer_names_a_call() {
    judge("3.6", "an integer id may be of any 64 bits, signed or not", || {
        for id in ["18446744073709551615", "9007199254740993", "-9223372036854775808"] {
            Recorder::calling(id)?.expect(&format!("stop {id}"), &cancel(id)).likely(
                "`as_i64` finish at 63 bits and a float at 53; read the digits",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_late_cancellation_is_ignored() {
    judge("3.6", "cancelling a call that does not run is not an error", || {
        let likely = "it was in flight when the call ended; that is a normal race";
        let mut server = Recorder::calling("3")?;
        server.expect("nothing", &cancel("404")).likely(likely)?;
        server.finish(&text_response("3", "hi"), integer(3), ToolResult::text("hi"))?;
        server.expect("nothing", &cancel("3")).likely(likely)?;
        let mut server = Recorder::calling("3")?;
        server
            .expect("stop 3", &cancel("3"))
            .likely("a call that runs can be cancelled: see the first test of 3.6")?;
        server.expect("nothing", &cancel("3")).likely("it was stopped already")
    });
}

#[test]
fn a_cancellation_without_a_usable_id_is_ignored() {
    judge("3.6", "a cancellation that names no call does nothing, silently", || {
        let mut server = Recorder::calling("1")?;
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
            server.expect("nothing", &line).likely(
                "it names no call; a notification gets no response, and causes no \
                 panic",
            )?;
        }
        server
            .finish(&text_response("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely("something that is not an id was read as 1")
    });
}

#[test]
fn a_cancellation_with_an_id_cancels_nothing() {
    judge("3.6", "a request called notifications/cancelled is unknown", || {
        let mut server = Recorder::calling("1")?;
        let line = with_params("2", "notifications/cancelled", r#"{"requestId":1}"#);
        server
            .expect("response 2: error -32601", &line)
            .likely("with an id it is a request, and no request has this name")?;
        server
            .finish(&text_response("1", "hi"), integer(1), ToolResult::text("hi"))
            .likely("the request cancelled the call nevertheless")
    });
}

#[test]
fn a_cancelled_id_is_free() {
    judge("3.6", "after its call is cancelled, an id may be used again", || {
        let mut server = Recorder::calling("3")?;
        server
            .expect("stop 3", &cancel("3"))
            .likely("a call that runs can be cancelled: see the first test of 3.6")?;
        server
            .expect(&running("3"), &call("3"))
            .likely("the cancelled call is still among those that run")?;
        server
            .finish(&text_response("3", "new"), integer(3), ToolResult::text("new"))
            .likely("the second call gets its response, whatever happened to the first")
    });
}

#[test]
fn on_real_pipes_a_cancelled_call_gets_no_line() {
    judge("3.6", "a cancelled call writes nothing; the others continue", || {
        on_real_pipes(
            &[
                INITIALIZE,
                INITIALIZED,
                &with_params("5", "tools/call", r#"{"name":"wait","arguments":{}}"#),
                &cancel("5"),
                &with_params("7", "tools/call", r#"{"name":"ring","arguments":{}}"#),
                PING,
            ],
            &[AGREED, &text_response("7", "rung"), "response 1: {}"],
        )
    });
}
