use super::*;

#[test]
fn an_unknown_notification_gets_no_response() {
    judge("3.3", "a notification gets no response, not even an error", || {
        for method in ["notifications/roots/list_changed", "notifications/x", "no/such"]
        {
            let line = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
            let likely = "no request is pending for it; strict clients close the \
                          connection on such an error";
            Recorder::new().expect("nothing", &line).likely(likely)?;
            Recorder::initialized()?.expect("nothing", &line).likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn a_request_without_an_id_is_a_notification() {
    judge("3.3", "without an id there is no response, and nothing runs", || {
        for line in [
            r#"{"jsonrpc":"2.0","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}"#,
        ] {
            Recorder::initialized()?.expect("nothing", line).likely(
                "the id decides, not the method; a call whose result cannot be sent \
                 must not run",
            )?;
        }
        Ok(())
    });
}

#[test]
fn initialize_without_an_id_agrees_on_nothing() {
    judge("3.3", "a notification named initialize is not the request", || {
        let mut server = Recorder::new();
        server
            .expect("nothing", &INITIALIZE.replace(r#""id":"init","#, ""))
            .likely("it was treated as the request")?;
        server
            .expect(AGREED, INITIALIZE)
            .likely("the notification before it had changed the state")
    });
}

#[test]
fn on_real_pipes_a_notification_gets_no_line() {
    judge("3.3", "a notification leaves no trace between two responses", || {
        on_real_pipes(
            &[
                PING,
                r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
                r#"{"jsonrpc":"2.0","method":"ping"}"#,
                &request("2", "ping"),
            ],
            &["response 1: {}", "response 2: {}"],
        )
    });
}
