use super::*;

#[test]
fn an_unknown_notification_gets_no_response() {
    judge("3.3", "a notification gets no response, not even an error", || {
        for method in ["notifications/roots/list_changed", "notifications/x", "no/such"]
        {
            let line = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
            let likely =
                "a client may close the connection if it receives such an error";
            Recorder::new().expects("nothing", &line).likely(likely)?;
            Recorder::initialized()?.expects("nothing", &line).likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn a_request_without_an_id_is_a_notification() {
    judge("3.3", "a message without an id gets no response and runs nothing", || {
        for line in [
            r#"{"jsonrpc":"2.0","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
        ] {
            Recorder::initialized()?.expects("nothing", line).likely(
                "without an id it is a notification, whatever the method; run no tool \
                 whose result cannot be returned",
            )?;
        }
        Ok(())
    });
}

#[test]
fn initialize_without_an_id_negotiates_nothing() {
    judge("3.3", "a notification with the method initialize is ignored", || {
        let mut session = Recorder::new();
        session
            .expects("nothing", &INITIALIZE.replace(r#""id":"init","#, ""))
            .likely("it was handled like the request")?;
        session
            .expects(AGREED, INITIALIZE)
            .likely("the notification before it changed the state")
    });
}

#[test]
fn on_real_pipes_a_notification_gets_no_line() {
    on_real_pipes(
        "3.3",
        "a notification writes nothing to stdout",
        &[
            PING,
            r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
            r#"{"jsonrpc":"2.0","method":"ping"}"#,
            &request("2", "ping"),
        ],
        &["response 1: {}", "response 2: {}"],
    );
}
