use super::*;

#[test]
fn auto_runs_and_the_gate_is_not_asked() {
    judge_async("5.3", "risk auto runs, and the approver is not asked", async || {
        let (fake, approver) = (Fake::says("ran"), Asked::yes_to(""));
        let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
        let call = call("say", r#"{"z":1,"a":[null]}"#);
        let given = "a call of `say` (auto) and an approver that would deny it";
        let got = outcome(&registry, &call, &approver).await?;
        same(ToolResult::text("ran"), got)
            .given(given)
            .likely("a missing approver must not stop calls that need no approval")?;
        same(Vec::<String>::new(), approver.questions.all())
            .given(format!("{given}: what it was asked"))
            .likely(
                "`Approver::decide` is never called for auto: too many questions make \
                 users careless",
            )?;
        same(vec![r#"{"z":1,"a":[null]}"#.to_owned()], fake.calls.all())
            .given(format!("{given}: the calls that reached the tool"))
            .likely("the arguments reach the tool as the model wrote them, once")
    });
}

#[test]
fn the_approver_is_asked_for_each_call() {
    judge_async(
        "5.3",
        "a yes is for that very call: each call is asked, with its arguments",
        async || {
            let (a, b) = (r#"{"path":"a"}"#, r#"{"path":"b"}"#);
            for risk in [Risk::Suggest, Risk::Approve] {
                let approver = Asked::yes_to(r#"wipe({"path":"a"})"#);
                let fake = Fake::says("wiped");
                let registry = registry_of(&[("wipe", risk, &fake)])?;
                let mut failed = Vec::new();
                for path in [a, b, a] {
                    let call = call("wipe", path);
                    failed.push(outcome(&registry, &call, &approver).await?.is_error);
                }
                let given = format!("`wipe` ({risk}) of a, b and a; a yes to a only");
                let asked = [a, b, a].map(|path| format!("{risk} wipe({path})"));
                let questions = approver.questions.all();
                holds(questions.len() == 3, "three questions", &questions)
                    .given(&given)
                    .likely("suggest and approve are asked, once for each call")?;
                same(asked.to_vec(), questions)
                    .given(format!("{given}: the questions to the approver"))
                    .likely("a yes to a path that was not shown is worth nothing")?;
                same(vec![a.to_owned(), a.to_owned()], fake.calls.all())
                    .given(format!("{given}: the calls that reached the tool"))
                    .likely("what ran is not what was allowed")?;
                same(vec![false, true, false], failed)
                    .given(format!("{given}: whether each result is a failure"))
                    .likely("a refusal is a failed result, and an approval is not")?;
            }
            Ok(())
        },
    );
}

#[test]
fn a_refusal_is_data_and_nothing_runs() {
    judge_async(
        "5.3",
        "after a no nothing runs, and the model reads that it was refused",
        async || {
            let fake = Fake::says("wiped");
            let registry = registry_of(&[("wipe", Risk::Approve, &fake)])?;
            let given = "a call of `wipe` (approve) and an approver that denies it";
            let got = outcome(&registry, &call("wipe", "{}"), &deny_all).await?;
            is_reported(got).given(given)?;
            same(Vec::<String>::new(), fake.calls.all())
                .given(format!("{given}: the calls that reached the tool"))
                .likely("the tool ran before the approver decided")
        },
    );
}

#[test]
fn an_unknown_name_is_data_and_the_approver_is_not_asked() {
    judge_async(
        "5.3",
        "an unknown name is a failed result, and the approver is not asked",
        async || {
            let (fake, approver) = (Fake::says("wiped"), Asked::yes_to(""));
            let registry = registry_of(&[("wipe", Risk::Approve, &fake)])?;
            for name in ["Wipe", "wip", "wipe ", ""] {
                let given = format!("a call of {name:?}; the registry has `wipe`");
                let got = outcome(&registry, &call(name, "{}"), &approver).await?;
                is_reported(got).given(&given)?;
                same(Vec::<String>::new(), approver.questions.all())
                    .given(format!("{given}: the questions to the approver"))
                    .likely("look up the name first; an unknown tool cannot run")?;
            }
            same(Vec::<String>::new(), fake.calls.all())
                .given("the same calls: those that reached `wipe`")
                .likely("a near name is another name")
        },
    );
}

#[test]
fn the_model_can_distinguish_a_refusal_from_a_missing_tool() {
    judge_async("5.3", "a refusal and an unknown tool read differently", async || {
        let registry = registry_of(&[("a", Risk::Approve, &Fake::says(""))])?;
        let here = outcome(&registry, &call("a", "{}"), &deny_all).await?;
        let none = ToolRegistry::new();
        let missing = outcome(&none, &call("a", "{}"), &deny_all).await?;
        let both = [words(&here), words(&missing)];
        holds(both[0] != both[1], "two different texts", both)
            .given("`a`, refused by the approver, and `a`, which is not registered")
            .likely("a model that reads “failed” twice tries the same thing again")
    });
}

#[test]
fn each_name_reaches_its_own_tool() {
    judge_async("5.3", "a call reaches the tool that has its name", async || {
        let fakes = ["one", "two", "three"].map(Fake::says);
        let [one, two, three] = &fakes;
        let mut registry =
            registry_of(&[("one", Risk::Auto, one), ("two", Risk::Auto, two)])?;
        let _ = registry.register(spec("one", Risk::Auto), Fake::says("false one"));
        let _ = registry.register(spec("three", Risk::Auto), three.clone());
        for name in ["one", "two", "three"] {
            let got = outcome(&registry, &call(name, "{}"), &yes).await?;
            same(ToolResult::text(name), got)
                .given(format!("a call of `{name}`, after a second `one` was refused"))
                .likely("a collision left a trace in `tools` or in `places`")?;
        }
        Ok(())
    });
}

#[test]
fn the_arguments_reach_the_tool_unchanged() {
    judge_async(
        "5.3",
        "a tool is given the arguments of its call, whole",
        async || {
            let fake = Fake::says("");
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let written = r#"{"z":null,"a":{"b":null,"":[]},"extra":""}"#;
            outcome(&registry, &call("say", written), &yes).await?;
            same_bytes(written, fake.calls.all().join("\n"))
                .given(format!("the arguments {written}, and what the tool was given"))
                .likely("`null` and members that no schema names are also arguments")
        },
    );
}

#[test]
fn the_result_is_returned_unchanged() {
    judge_async("5.3", "a result is returned whole, also a failed one", async || {
        let failed = ToolResult {
            structured: Some(json!({"code": 28})),
            ..ToolResult::failure("disk full")
        };
        for ends in [failed, ToolResult::default()] {
            let fake = Fake::ends(Ok(ends.clone()));
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let got = outcome(&registry, &call("say", "{}"), &yes).await?;
            same(ends, got).given("a tool that ends like this").likely(
                "a failed tool is not a call error, and its text is not \
                         rewritten",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_call_error_is_an_error_of_another_type() {
    judge_async("5.3", "a call error is returned as an unchanged `Err`", async || {
        for error in [
            CallError::Transport("exit status: 3".into()),
            CallError::Timeout("no response".into()),
            CallError::Cancelled,
            CallError::Rpc(ErrorObject::new(-32602, "Unknown tool: x")),
        ] {
            let fake = Fake::ends(Err(error.clone()));
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let got = registry.execute(call("say", "{}"), &yes).await;
            same(Err(error), got).given("a tool that cannot be reached").likely(
                "turned into text for the model, which cannot fix a connection",
            )?;
        }
        Ok(())
    });
}
