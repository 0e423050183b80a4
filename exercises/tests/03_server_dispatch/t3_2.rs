use super::*;

fn offer(version: &str) -> String {
    INITIALIZE.replace("2025-11-25", version)
}

#[test]
fn a_supported_revision_is_accepted() {
    judge("3.2", "a supported revision is accepted", || {
        for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
            let expected = format!(r#"response "init": revision {version}"#);
            Recorder::new().expects(&expected, &offer(version)).likely(
                "the newest revision was chosen, but the client offered another one",
            )?;
        }
        Ok(())
    });
}

#[test]
fn any_other_revision_gets_the_newest_supported_one() {
    judge("3.2", "for an unsupported revision the server offers its newest", || {
        let expected = r#"response "init": revision 2025-11-25"#;
        for version in ["1999-01-01", "9999-01-01", "2026-07-28", "2025-03-26", "1.0"] {
            Recorder::new().expects(expected, &offer(version)).likely(
                "the unsupported revision was accepted, or the request rejected; offer \
                 the newest one and let the client decide",
            )?;
        }
        for version in ["2025-06-18-draft", "2025-06", "2024", " 2024-11-05", ""] {
            Recorder::new().expects(expected, &offer(version)).likely(
                "compare the whole string: a part of a revision is not a revision",
            )?;
        }
        Ok(())
    });
}

#[test]
fn the_result_has_server_info_and_the_tools_capability() {
    judge("3.2", "the result has capabilities and serverInfo", || {
        let mut session = Recorder::new();
        let result = session.result(INITIALIZE)?;
        same_json(&json!("server"), &result["serverInfo"]["name"])
            .given(INITIALIZE)
            .likely("return the `Implementation` that `Session::new` received")?;
        same_json(&json!("1.0.0"), &result["serverInfo"]["version"])
            .given(INITIALIZE)?;
        let has_tools = result["capabilities"]["tools"].is_object();
        holds(has_tools, r#""capabilities":{"tools":{}}"#, Reaction(result.to_string()))
            .given(INITIALIZE)
            .likely("a client lists no tools unless the capability is declared")
    });
}

#[test]
fn a_revision_is_all_that_initialize_needs() {
    judge("3.2", "initialize needs only a protocolVersion", || {
        for others in [
            "",
            r#","capabilities":{}"#,
            r#","clientInfo":{"name":"t","version":"0"}"#,
            r#","capabilities":null,"clientInfo":null,"_meta":{}"#,
        ] {
            let params = format!(r#"{{"protocolVersion":"2025-06-18"{others}}}"#);
            Recorder::new()
                .expects(
                    "response 1: revision 2025-06-18",
                    &with_params("1", "initialize", &params),
                )
                .likely("do not require members that the server does not use")?;
        }
        Ok(())
    });
}

#[test]
fn initialize_without_a_revision_fails_and_may_be_repeated() {
    judge("3.2", "initialize without a string protocolVersion changes nothing", || {
        let mut session = Recorder::new();
        for line in [
            request("1", "initialize"),
            with_params("1", "initialize", "{}"),
            with_params("1", "initialize", r#"{"protocolVersion":20250618}"#),
            with_params("1", "initialize", r#"{"protocolVersion":null}"#),
        ] {
            session
                .expects("response 1: error -32602", &line)
                .likely("check the params before you change any state")?;
        }
        session
            .expects(AGREED, INITIALIZE)
            .likely("the rejected `initialize` changed the state")
    });
}

#[test]
fn a_second_initialize_is_rejected_and_resets_nothing() {
    judge("3.2", "a second initialize gets -32600 and changes nothing", || {
        let mut session = Recorder::new();
        session.result(&offer("2025-06-18"))?;
        session
            .expects(r#"response "init": error -32600"#, INITIALIZE)
            .likely("a session is initialized once: store that it has a revision")?;
        session
            .unknown_id(UnknownId::Null)
            .likely("the second `initialize` changed the negotiated revision")
    });
}

#[test]
fn the_negotiated_revision_is_stored() {
    judge("3.2", "the negotiated revision decides how to write an unknown id", || {
        let before = Recorder::new();
        before.unknown_id(UnknownId::Null).likely("no revision is negotiated yet")?;
        for (expected, version) in [
            (UnknownId::Null, "2024-11-05"),
            (UnknownId::Absent, "2025-11-25"),
            (UnknownId::Absent, "9999-01-01"),
        ] {
            let mut session = Recorder::new();
            session.result(&offer(version))?;
            session
                .unknown_id(expected)
                .likely("store the negotiated revision in `version`")?;
        }
        Ok(())
    });
}
