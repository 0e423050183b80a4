use super::*;

#[test]
fn each_call_is_followed_by_its_result() {
    judge_async("6.5", "a call and its result are in the conversation", || async {
        let work = call("work", json!({"n": 1}));
        let mut plan = Plan::new([Step::Calls(vec![work.clone()]), answer("done")]);
        let played = play(&mut plan).await?;
        let whole = vec![
            Entry::Call(work.clone()),
            observation("fine"),
            Entry::Answer("done".into()),
        ];
        same(Ok("done".into()), played.result)
            .given("a call, then an answer")
            .likely("ask the model again after the calls of a step")?;
        same(whole, played.conversation)
            .given("the entries added to the conversation")
            .likely("record the call, then its result, then the answer")?;
        let user = Entry::User("Go!".into());
        let second = vec![user.clone(), Entry::Call(work), observation("fine")];
        same(vec![vec![user], second], plan.shown)
            .given("the conversations that the model received")
            .likely("the second time it must read the call and its result, too")
    });
}

#[test]
fn calls_are_made_in_sequence_and_recorded_at_once() {
    judge_async(
        "6.5",
        "a call is recorded before it runs, its result after",
        || async {
            let mut plan = Plan::new([calls(&["work", "fail"]), answer("done")]);
            let played = play(&mut plan).await?;
            has_logged(
                &played.log,
                &[
                    "entry: work({})",
                    "work runs with {}",
                    "work is done",
                    "entry: fine",
                    "entry: fail({})",
                    "fail runs with {}",
                    "entry: no such city",
                    "entry: done",
                ],
            )
            .given("a step with two calls, then an answer")
            .likely("an entry was recorded too late, or the calls ran in parallel")
        },
    );
}

#[test]
fn the_same_call_twice_is_made_twice() {
    judge_async("6.5", "each call of a step is made, even equal ones", || async {
        let step = calls(&["work", "work", "work"]);
        let played = play(&mut Plan::new([step, answer("done")])).await?;
        let made = played.log.text().matches("work runs").count();
        same((3, 7), (made, played.conversation.len()))
            .given("three equal calls, then an answer: how many ran, entries")
            .likely("make equal calls, too: a model may roll a die twice")
    });
}

#[test]
fn an_observation_is_the_text_of_the_whole_result() {
    judge_async("6.5", "an observation is the text of the whole result", || async {
        for (name, expected) in [
            ("blocks", "a map\n[image: image/png]\nand a key"),
            ("data", r#"{"n":1}"#),
            ("blank", "the tool failed and gave no reason"),
        ] {
            let mut plan = Plan::new([calls(&[name]), answer("done")]);
            let played = play(&mut plan).await?;
            let got = played.conversation.get(1).cloned();
            same(Some(observation(expected)), got)
                .given(match name {
                    "blocks" => "a result with a text, an image and a text",
                    "data" => "a result with structured content only",
                    _ => "a failed result without content",
                })
                .likely(
                    "use `tool::to_text`: it shows all blocks and is never empty",
                )?;
        }
        Ok(())
    });
}

#[test]
fn after_a_failed_tool_the_turn_continues() {
    judge_async("6.5", "the model reads the text of a failed tool", || async {
        let steps = [calls(&["fail", "missing"]), calls(&["work"]), answer("done")];
        let played = play(&mut Plan::new(steps)).await?;
        let likely = "a failed or unknown tool is a result, not a `CallError`";
        same(Ok("done".into()), played.result)
            .given("calls of a failing, an unknown and a working tool")
            .likely(likely)?;
        let read: Vec<_> = played.conversation.iter().map(Entry::text).collect();
        same(("fail({})", "no such city"), (&*read[0], &*read[1]))
            .given("the call that fails, and its observation")
            .likely(likely)?;
        same(("missing({})", 7), (&*read[2], read.len()))
            .given("the next call, and the number of entries")
            .likely("after a failed tool make the other calls of the step")
    });
}

#[test]
fn the_approver_is_asked_for_each_call_with_its_arguments() {
    judge_async("6.5", "the approver decides about each call separately", || async {
        let guarded = |text| call("guarded", json!({"text": text}));
        let three = vec![guarded("yes"), guarded("no"), guarded("yes")];
        let mut plan = Plan::new([Step::Calls(three), answer("done")]);
        let played = play(&mut plan).await?;
        let got = played.log.text();
        let happened: Vec<_> =
            got.lines().filter(|line| !line.starts_with("entry: ")).collect();
        let expected = vec![
            r#"the approver is asked: approve guarded({"text":"yes"})"#,
            r#"guarded runs with {"text":"yes"}"#,
            "guarded is done",
            r#"the approver is asked: approve guarded({"text":"no"})"#,
            r#"the approver is asked: approve guarded({"text":"yes"})"#,
            r#"guarded runs with {"text":"yes"}"#,
            "guarded is done",
        ];
        holds(expected == happened, expected.join("\n"), Lines(happened.join("\n")))
            .given(
                "three calls of a tool that needs approval: allowed, denied, allowed",
            )
            .likely("pass the approver of the turn to the registry for each call")?;
        same(Ok("done".into()), played.result)
            .given("a denied call among others")
            .likely("a denied call is a result for the model; the turn continues")?;
        let refused = matches!(&played.conversation[3], Entry::Observation(text) if text.contains("refused"));
        holds(refused, "an observation with “refused”", &played.conversation[3])
            .given("the entry after the denied call")
    });
}

#[test]
fn the_approver_is_not_asked_for_risk_auto() {
    judge_async("6.5", "a tool with risk `auto` runs without a question", || async {
        let played = play(&mut Plan::new([calls(&["work"]), answer("done")])).await?;
        let got = played.log.text();
        holds(
            got.contains("work runs") && !got.contains("asked"),
            "no question",
            Lines(got),
        )
        .given("a call of a tool whose risk is `auto`")
        .likely("the registry decides whether to ask; the loop must not ask")
    });
}

#[test]
fn a_model_that_only_calls_is_stopped_at_the_limit() {
    judge_async("6.5", "the model is asked at most `max_steps` times", || async {
        for limit in [1, 3, 12] {
            let mut plan = Plan::new((0..20).map(|_| calls(&["work"])));
            let settings = Settings { max_steps: limit, cancelled: pending() };
            let played = play_with(&mut plan, settings).await?;
            let given = format!("`max_steps` is {limit}, and a model that only calls");
            same(Err(TurnError::TooManySteps(limit)), played.result)
                .given(&given)
                .likely("end the turn after `max_steps` steps")?;
            same((limit, 2 * limit), (plan.shown.len(), played.conversation.len()))
                .given(format!("{given}: how often it was asked, entries"))
                .likely(
                    "ask exactly `max_steps` times, and make the last calls, too",
                )?;
        }
        let mut plan = Plan::new([calls(&["work"]), calls(&[]), answer("at last")]);
        let settings = Settings { max_steps: 3, cancelled: pending() };
        let played = play_with(&mut plan, settings).await?;
        same(Ok("at last".into()), played.result)
            .given("`max_steps` is 3, and an answer at the third step")
            .likely("an answer at the last step counts; a step may have no calls")
    });
}
