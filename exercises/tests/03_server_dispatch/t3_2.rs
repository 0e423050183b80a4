use super::*;

fn offer(version: &str) -> String {
    INITIALIZE.replace("2025-11-25", version)
}

#[test]
fn a_revision_that_we_speak_is_agreed_on() {
    judge("3.2", "a revision that the server speaks is answered with itself", || {
        for version in ["2024-11-05", "2025-06-18", "2025-11-25"] {
            let expected = format!(r#"answer "init": revision {version}"#);
            Recorder::new()
                .owes(&expected, &offer(version))
                .likely("the newest was taken although the client does not know it")?;
        }
        Ok(())
    });
}

#[test]
fn any_other_revision_is_answered_with_our_newest() {
    judge("3.2", "a revision that we do not speak is answered with our newest", || {
        let expected = r#"answer "init": revision 2025-11-25"#;
        for version in ["1999-01-01", "9999-01-01", "2026-07-28", "2025-03-26", "1.0"] {
            Recorder::new().owes(expected, &offer(version)).likely(
                "it was echoed, which promises what we cannot keep, or refused, \
                 although only the client can decide to leave",
            )?;
        }
        for version in ["2025-06-18-draft", "2025-06", "2024", " 2024-11-05", ""] {
            Recorder::new()
                .owes(expected, &offer(version))
                .likely("a revision is compared whole; a part of it is none")?;
        }
        Ok(())
    });
}

#[test]
fn the_answer_says_who_the_server_is_and_that_it_has_tools() {
    judge("3.2", "the result has capabilities and serverInfo", || {
        let mut talk = Recorder::new();
        let result = talk.result(INITIALIZE)?;
        same_json(&json!("server"), &result["serverInfo"]["name"])
            .given(INITIALIZE)
            .likely("`Session::new` was told who the server is")?;
        same_json(&json!("1.0.0"), &result["serverInfo"]["version"])
            .given(INITIALIZE)?;
        let has_tools = result["capabilities"]["tools"].is_object();
        holds(has_tools, r#""capabilities":{"tools":{}}"#, Owed(result.to_string()))
            .given(INITIALIZE)
            .likely("what is not declared is not asked for")
    });
}

#[test]
fn a_revision_is_all_that_initialize_needs() {
    judge("3.2", "initialize is answered if it has a protocolVersion", || {
        for others in [
            "",
            r#","capabilities":{}"#,
            r#","clientInfo":{"name":"t","version":"0"}"#,
            r#","capabilities":null,"clientInfo":null,"_meta":{}"#,
        ] {
            let params = format!(r#"{{"protocolVersion":"2025-06-18"{others}}}"#);
            Recorder::new()
                .owes(
                    "answer 1: revision 2025-06-18",
                    &with_params("1", "initialize", &params),
                )
                .likely("what we do not read, we need not ask for")?;
        }
        Ok(())
    });
}

#[test]
fn initialize_without_a_revision_fails_and_may_be_repeated() {
    judge("3.2", "without a string protocolVersion it is -32602, and no harm", || {
        let mut talk = Recorder::new();
        for line in [
            request("1", "initialize"),
            with_params("1", "initialize", "{}"),
            with_params("1", "initialize", r#"{"protocolVersion":20250618}"#),
            with_params("1", "initialize", r#"{"protocolVersion":null}"#),
        ] {
            talk.owes("answer 1: error -32602", &line)
                .likely("look at the params before any state is changed")?;
        }
        talk.owes(AGREED, INITIALIZE)
            .likely("a refused `initialize` had changed the state already")
    });
}

#[test]
fn a_second_initialize_is_refused_and_resets_nothing() {
    judge("3.2", "the second initialize gets -32600; the first one stands", || {
        let mut talk = Recorder::new();
        talk.result(&offer("2025-06-18"))?;
        talk.owes(r#"answer "init": error -32600"#, INITIALIZE)
            .likely("a session agrees once; whether it has is to be remembered")?;
        talk.unknown_id(UnknownId::Null)
            .likely("the second one changed the agreed revision")
    });
}

#[test]
fn the_agreed_revision_is_remembered() {
    judge(
        "3.2",
        "what is agreed on decides how unreadable things are answered",
        || {
            let before = Recorder::new();
            before.unknown_id(UnknownId::Null).likely("nothing is agreed on yet")?;
            for (expected, version) in [
                (UnknownId::Null, "2024-11-05"),
                (UnknownId::Absent, "2025-11-25"),
                (UnknownId::Absent, "9999-01-01"),
            ] {
                let mut talk = Recorder::new();
                talk.result(&offer(version))?;
                talk.unknown_id(expected)
                    .likely("`version` of the session is what was answered")?;
            }
            Ok(())
        },
    );
}
