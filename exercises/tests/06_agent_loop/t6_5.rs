use super::*;

#[test]
fn each_call_is_followed_by_the_tools_text() {
    judge_async("6.5", "a call and its result are in the conversation", || async {
        let work = call("work", json!({"n": 1}));
        let mut plan = Plan::new([Step::Calls(vec![work.clone()]), answer("done")]);
        let played = play(&mut plan).await?;
        let whole =
            vec![Entry::Call(work.clone()), said("fine"), Entry::Answer("done".into())];
        same(Ok("done".into()), played.result)
            .given("a call, then a final answer")
            .likely("after the calls of a step the model is asked again")?;
        same(whole, played.conversation)
            .given("what was added to the conversation")
            .likely("a call, its result, and then the model is asked again")?;
        let user = Entry::User("Go!".into());
        let second = vec![user.clone(), Entry::Call(work), said("fine")];
        same(vec![vec![user], second], plan.shown)
            .given("the conversations that the model was shown")
            .likely("the second time it reads the call and its end as well")
    });
}

#[test]
fn calls_are_made_one_after_the_other_and_seen_as_they_happen() {
    judge_async("6.5", "a call is reported before it runs", || async {
        let mut plan = Plan::new([calls(&["work", "fail"]), answer("done")]);
        let played = play(&mut plan).await?;
        reads(
            &played.diary,
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
        .given("a step with two calls, then a final answer")
        .likely("entries are recorded too late, or calls run at the same time")
    });
}

#[test]
fn the_same_call_twice_is_made_twice() {
    judge_async("6.5", "each call of a step is made, also equal ones", || async {
        let step = calls(&["work", "work", "work"]);
        let played = play(&mut Plan::new([step, answer("done")])).await?;
        let made = played.diary.text().matches("work runs").count();
        same((3, 7), (made, played.conversation.len()))
            .given("three equal calls, then a final answer: how many ran, entries")
            .likely("a model may mean it: two rolls of a die are two calls")
    });
}

#[test]
fn a_result_is_read_as_to_text_writes_it() {
    judge_async("6.5", "an observation is the whole text of the result", || async {
        for (name, expected) in [
            ("blocks", "a map\n[image: image/png]\nand a key"),
            ("data", r#"{"n":1}"#),
            ("blank", "the tool failed and gave no reason"),
        ] {
            let mut plan = Plan::new([calls(&[name]), answer("done")]);
            let played = play(&mut plan).await?;
            let got = played.conversation.get(1).cloned();
            same(Some(said(expected)), got)
                .given(match name {
                    "blocks" => "a result with a text, an image and a text",
                    "data" => "a result with structured content only",
                    _ => "a failed result without content",
                })
                .likely("`tool::to_text` makes the text: all blocks, never empty")?;
        }
        Ok(())
    });
}

#[test]
fn a_failed_tool_is_read_and_the_turn_continues() {
    judge_async(
        "6.5",
        "a failed tool's text is for the model, which may try again",
        || async {
            let steps = [calls(&["fail", "unknown"]), calls(&["work"]), answer("done")];
            let played = play(&mut Plan::new(steps)).await?;
            let likely = "`isError` and an unknown name are data, not call errors";
            same(Ok("done".into()), played.result)
                .given("calls of a tool that fails, of none, and of one that works")
                .likely(likely)?;
            let read: Vec<_> = played.conversation.iter().map(Entry::text).collect();
            same(("fail({})", "no such city"), (&*read[0], &*read[1]))
                .given("the call that fails, and what the model reads")
                .likely(likely)?;
            same(("unknown({})", 7), (&*read[2], read.len()))
                .given("the next call, and how many entries there are")
                .likely("after a failed tool the rest of the step is made as well")
        },
    );
}

#[test]
fn the_approver_is_asked_for_each_call_with_its_arguments() {
    judge_async("6.5", "an approval is for one call only", || async {
        let guarded = |text| call("guarded", json!({"text": text}));
        let three = vec![guarded("yes"), guarded("no"), guarded("yes")];
        let mut plan = Plan::new([Step::Calls(three), answer("done")]);
        let played = play(&mut plan).await?;
        let got = played.diary.text();
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
            .given("three calls of a tool that needs a yes: yes, no, yes")
            .likely("the registry asks the approver that it is given: the turn's")?;
        same(Ok("done".into()), played.result)
            .given("a refused call among others")
            .likely("a refusal is text that the model reads; the turn continues")?;
        let refused = played.conversation[3].text().contains("refused");
        holds(refused, "an observation that it was refused", &played.conversation[3])
            .given("the entry after the refused call")
    });
}

#[test]
fn the_approver_is_not_asked_for_automatic_calls() {
    judge_async("6.5", "`auto` runs without a question", || async {
        let played = play(&mut Plan::new([calls(&["work"]), answer("done")])).await?;
        let got = played.diary.text();
        holds(
            got.contains("work runs") && !got.contains("asked"),
            "no question",
            Lines(got),
        )
        .given("a call of a tool whose risk is `auto`")
        .likely("the registry decides whether to ask, not the loop")
    });
}

#[test]
fn a_model_without_an_end_is_stopped_at_the_limit() {
    judge_async("6.5", "the model is asked at most `max_steps` times", || async {
        for limit in [1, 3, 12] {
            let mut plan = Plan::new((0..20).map(|_| calls(&["work"])));
            let setting = Setting { max_steps: limit, user: pending() };
            let played = play_with(&mut plan, setting).await?;
            let given = format!("`max_steps` is {limit}, and a model that only calls");
            same(Err(TurnError::TooManySteps(limit)), played.result)
                .given(&given)
                .likely("a turn without a limit runs until the money is gone")?;
            same((limit, 2 * limit), (plan.shown.len(), played.conversation.len()))
                .given(format!("{given}: times asked, entries"))
                .likely(
                    "one too many or too few; the calls of the last step are also \
                         made",
                )?;
        }
        let mut plan = Plan::new([calls(&["work"]), calls(&[]), answer("at last")]);
        let setting = Setting { max_steps: 3, user: pending() };
        let played = play_with(&mut plan, setting).await?;
        same(Ok("at last".into()), played.result)
            .given("`max_steps` is 3, and a final answer at the third")
            .likely("a final answer at the last step counts; a step may have no calls")
    });
}
