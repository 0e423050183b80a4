use super::*;

fn offer(version: &str) -> String {
    INITIALIZE.replace("2025-11-25", version)
}

#[test]
fn a_supported_revision_is_accepted() {
    judge("3.2", "a supported revision is accepted", || {
        for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
            let expected = format!(r#"response "init": revision {version}"#);
            Recorder::new()
                .expect(&expected, &offer(version))
                .likely("the newest was taken although the client does not know it")?;
        }
        Ok(())
    });
}

#[test]
fn for_any_other_revision_the_newest_is_offered() {
    judge("3.2", "for an unsupported revision the server offers its newest", || {
        let expected = r#"response "init": revision 2025-11-25"#;
        for version in ["1999-01-01", "9999-01-01", "2026-07-28", "2025-03-26", "1.0"] {
            Recorder::new().expect(expected, &offer(version)).likely(
                "it was echoed, although it is not supported, or refused, although \
                 only the client may decide to leave",
            )?;
        }
        for version in ["2025-06-18-draft", "2025-06", "2024", " 2024-11-05", ""] {
            Recorder::new().expect(expected, &offer(version)).likely(
                "a revision is compared whole; a part of it is not a \
                         revision",
            )?;
        }
        Ok(())
    });
}

#[test]
fn the_response_has_the_servers_name_and_capabilities() {
    judge("3.2", "the result has capabilities and serverInfo", || {
        let mut server = Recorder::new();
        let result = server.result(INITIALIZE)?;
        same_json(&json!("server"), &result["serverInfo"]["name"])
            .given(INITIALIZE)
            .likely("`Session::new` gets the server's name")?;
        same_json(&json!("1.0.0"), &result["serverInfo"]["version"])
            .given(INITIALIZE)?;
        let has_tools = result["capabilities"]["tools"].is_object();
        holds(has_tools, r#""capabilities":{"tools":{}}"#, Reaction(result.to_string()))
            .given(INITIALIZE)
            .likely("a client does not use what is not declared")
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
                .expect(
                    "response 1: revision 2025-06-18",
                    &with_params("1", "initialize", &params),
                )
                .likely("do not require members that the server does not read")?;
        }
        Ok(())
    });
}

#[test]
fn initialize_without_a_revision_fails_and_may_be_repeated() {
    judge("3.2", "without a string protocolVersion it is -32602, and no harm", || {
        let mut server = Recorder::new();
        for line in [
            request("1", "initialize"),
            with_params("1", "initialize", "{}"),
            with_params("1", "initialize", r#"{"protocolVersion":20250618}"#),
            with_params("1", "initialize", r#"{"protocolVersion":null}"#),
        ] {
            server
                .expect("response 1: error -32602", &line)
                .likely("look at the params before any state is changed")?;
        }
        server
            .expect(AGREED, INITIALIZE)
            .likely("a refused `initialize` had changed the state already")
    });
}

#[test]
fn a_second_initialize_is_refused_and_resets_nothing() {
    judge("3.2", "the second initialize gets -32600; the first stays valid", || {
        let mut server = Recorder::new();
        server.result(&offer("2025-06-18"))?;
        server
            .expect(r#"response "init": error -32600"#, INITIALIZE)
            .likely("a session agrees once; whether it has is to be remembered")?;
        server
            .unknown_id(UnknownId::Null)
            .likely("the second one changed the agreed revision")
    });
}

#[test]
fn the_agreed_revision_is_remembered() {
    judge(
        "3.2",
        "the negotiated revision decides the id of a response to an unreadable message",
        || {
            let before = Recorder::new();
            before.unknown_id(UnknownId::Null).likely("nothing is agreed on yet")?;
            for (expected, version) in [
                (UnknownId::Null, "2024-11-05"),
                (UnknownId::Absent, "2025-11-25"),
                (UnknownId::Absent, "9999-01-01"),
            ] {
                let mut server = Recorder::new();
                server.result(&offer(version))?;
                server.unknown_id(expected).likely(
                    "`version` of the session is the revision in the \
                             response",
                )?;
            }
            Ok(())
        },
    );
}
