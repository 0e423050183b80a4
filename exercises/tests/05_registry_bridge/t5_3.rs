use super::*;

#[test]
fn auto_runs_without_asking_the_approver() {
    judge_async("5.3", "risk auto runs without asking the approver", async || {
        let (fake, approver) = (Fake::returning("ran"), Asked::allowing(""));
        let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
        let call = call("say", r#"{"z":1,"a":[null]}"#);
        let given = "a call of `say` (auto) and an approver that denies everything";
        let result = execute(&registry, &call, &approver).await?;
        same(ToolResult::text("ran"), result).given(given).likely(
            "risk auto needs no approval, whatever the approver would decide",
        )?;
        same(Vec::<String>::new(), approver.questions.all())
            .given(format!("{given}: what it was asked"))
            .likely("do not call `Approver::decide` for risk auto")?;
        same(vec![r#"{"z":1,"a":[null]}"#.to_owned()], fake.calls.all())
            .given(format!("{given}: the calls that reached the tool"))
            .likely("call the tool once, with the arguments of the model")
    });
}

#[test]
fn the_approver_is_asked_for_each_call() {
    judge_async("5.3", "the approver decides about each call", async || {
        let (a, b) = (r#"{"path":"a"}"#, r#"{"path":"b"}"#);
        for risk in [Risk::Suggest, Risk::Approve] {
            let approver = Asked::allowing(r#"wipe({"path":"a"})"#);
            let fake = Fake::returning("wiped");
            let registry = registry_of(&[("wipe", risk, &fake)])?;
            let mut failed = Vec::new();
            for path in [a, b, a] {
                let call = call("wipe", path);
                failed.push(execute(&registry, &call, &approver).await?.is_error);
            }
            let given = format!("`wipe` ({risk}) of a, b and a; only a is allowed");
            let asked = [a, b, a].map(|path| format!("{risk} wipe({path})"));
            let questions = approver.questions.all();
            holds(questions.len() == 3, "three questions", &questions)
                .given(&given)
                .likely("ask for suggest and for approve, once for each call")?;
            same(asked.to_vec(), questions)
                .given(format!("{given}: what the approver was asked"))
                .likely("the approver must see the arguments of this call")?;
            same(vec![a.to_owned(), a.to_owned()], fake.calls.all())
                .given(format!("{given}: the calls that reached the tool"))
                .likely("exactly the allowed calls run")?;
            same(vec![false, true, false], failed)
                .given(format!("{given}: whether each result is a failure"))
                .likely("a denied call is a failed result, an allowed one is not")?;
        }
        Ok(())
    });
}

#[test]
fn a_denied_call_is_a_failed_result_and_does_not_run() {
    judge_async("5.3", "a denied call does not run; the model reads it", async || {
        let fake = Fake::returning("wiped");
        let registry = registry_of(&[("wipe", Risk::Approve, &fake)])?;
        let given = "a call of `wipe` (approve) and an approver that denies it";
        let result = execute(&registry, &call("wipe", "{}"), &deny_all).await?;
        is_readable_failure(result).given(given)?;
        same(Vec::<String>::new(), fake.calls.all())
            .given(format!("{given}: the calls that reached the tool"))
            .likely("the tool ran before the decision of the approver")
    });
}

#[test]
fn an_unknown_name_is_a_failed_result_without_a_question() {
    judge_async(
        "5.3",
        "an unknown name fails; the approver is not asked",
        async || {
            let (fake, approver) = (Fake::returning("wiped"), Asked::allowing(""));
            let registry = registry_of(&[("wipe", Risk::Approve, &fake)])?;
            for name in ["Wipe", "wip", "wipe ", ""] {
                let given = format!("a call of {name:?}; the registry has `wipe`");
                let result = execute(&registry, &call(name, "{}"), &approver).await?;
                is_readable_failure(result).given(&given)?;
                same(Vec::<String>::new(), approver.questions.all())
                    .given(format!("{given}: what the approver was asked"))
                    .likely("look the name up first: an unknown tool cannot run")?;
            }
            same(Vec::<String>::new(), fake.calls.all())
                .given("the same calls: those that reached `wipe`")
                .likely("a similar name is another name")
        },
    );
}

#[test]
fn a_denied_call_and_a_missing_tool_have_different_texts() {
    judge_async("5.3", "a denied call and a missing tool differ", async || {
        let registry = registry_of(&[("a", Risk::Approve, &Fake::returning(""))])?;
        let denied = execute(&registry, &call("a", "{}"), &deny_all).await?;
        let none = ToolRegistry::new();
        let missing = execute(&none, &call("a", "{}"), &deny_all).await?;
        let both = [texts(&denied), texts(&missing)];
        holds(both[0] != both[1], "two different texts", both)
            .given("a call of `a`, which is denied, and of `a`, which does not exist")
            .likely("the model needs the reason, or it repeats the same call")
    });
}

#[test]
fn each_name_reaches_its_own_tool() {
    judge_async("5.3", "a call reaches the tool that has its name", async || {
        let fakes = ["one", "two", "three"].map(Fake::returning);
        let [one, two, three] = &fakes;
        let mut registry =
            registry_of(&[("one", Risk::Auto, one), ("two", Risk::Auto, two)])?;
        let _ =
            registry.register(spec("one", Risk::Auto), Fake::returning("false one"));
        let _ = registry.register(spec("three", Risk::Auto), three.clone());
        for name in ["one", "two", "three"] {
            let result = execute(&registry, &call(name, "{}"), &allow_all).await?;
            same(ToolResult::text(name), result)
                .given(format!("a call of `{name}`, after a second `one` was rejected"))
                .likely("the rejected tool changed `tools` or `places`")?;
        }
        Ok(())
    });
}

#[test]
fn the_arguments_reach_the_tool_unchanged() {
    judge_async("5.3", "a tool gets the arguments unchanged", async || {
        let fake = Fake::returning("");
        let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
        let written = r#"{"z":null,"a":{"b":null,"":[]},"extra":""}"#;
        execute(&registry, &call("say", written), &allow_all).await?;
        same_bytes(written, fake.calls.all().join("\n"))
            .given(format!("the arguments {written}, and those that the tool received"))
            .likely("keep null values and members that the schema does not list")
    });
}

#[test]
fn the_result_of_a_tool_is_returned_unchanged() {
    judge_async("5.3", "a result is returned unchanged, even a failure", async || {
        let failed = ToolResult {
            structured: Some(json!({"code": 28})),
            ..ToolResult::failure("disk full")
        };
        for expected in [failed, ToolResult::default()] {
            let fake = Fake::ending(Ok(expected.clone()));
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let result = execute(&registry, &call("say", "{}"), &allow_all).await?;
            same(expected, result)
                .given("a tool with this result")
                .likely("a failed tool is not a `CallError`; do not change its text")?;
        }
        Ok(())
    });
}

#[test]
fn a_transport_failure_is_an_error() {
    judge_async("5.3", "a `CallError` is returned as `Err`, unchanged", async || {
        for error in [
            CallError::Transport("exit status: 3".into()),
            CallError::Timeout("no response".into()),
            CallError::Cancelled,
            CallError::Rpc(ErrorObject::new(-32602, "Unknown tool: x")),
        ] {
            let fake = Fake::ending(Err(error.clone()));
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let result = registry.execute(call("say", "{}"), &allow_all).await;
            same(Err(error), result).given("a tool that cannot be reached").likely(
                "do not turn it into text: the model cannot fix a connection",
            )?;
        }
        Ok(())
    });
}
