use super::*;

#[test]
fn a_call_error_ends_the_turn_and_is_returned() {
    judge_async("6.6", "a call error ends the turn and is returned", || async {
        let names = ["refuse", "late", "break", "gone"];
        for (name, error) in names.into_iter().zip(call_errors()) {
            let mut plan = Plan::new([calls(&[name]), answer("never")]);
            let played = play(&mut plan).await?;
            same(Err(TurnError::Call(error)), played.result)
                .given(format!("a call of `{name}`, which ends with a CallError"))
                .likely("return the error unchanged")?;
            same(1, plan.shown.len())
                .given("how often the model was asked")
                .likely("do not ask the model again after a call error")?;
            same(
                vec![Entry::Call(call_of(name)), Entry::ToolExecutionFailed],
                played.conversation,
            )
            .given("the entries added to the conversation")
            .likely("record the end of the call, without the details of the error")?;
        }
        Ok(())
    });
}

#[test]
fn the_rest_of_the_step_is_skipped_and_recorded() {
    judge_async("6.6", "the rest of the step is recorded as skipped", || async {
        let step = calls(&["work", "break", "guarded", "fail", "work", "fail"]);
        let played = play(&mut Plan::new([step, answer("never")])).await?;
        let whole = vec![
            Entry::Call(call_of("work")),
            observation("fine"),
            Entry::Call(call_of("break")),
            Entry::ToolExecutionFailed,
            Entry::Skipped(call_of("guarded")),
            Entry::Skipped(call_of("fail")),
            Entry::Skipped(call_of("work")),
            Entry::Skipped(call_of("fail")),
        ];
        same(whole, played.conversation)
            .given("calls of work, break and four more; break ends with a CallError")
            .likely(
                "record every call of the step in order: the next turn reads them",
            )?;
        has_logged(
            &played.log,
            &[
                "entry: work({})",
                "work runs with {}",
                "work is done",
                "entry: fine",
                "entry: break({})",
                "break runs with {}",
                "entry: tool execution failed",
                "entry: skipped: guarded({})",
                "entry: skipped: fail({})",
                "entry: skipped: work({})",
                "entry: skipped: fail({})",
            ],
        )
        .given("the same calls: what happened")
        .likely("do not run or approve a skipped call; pass it to `on_entry`, too")
    });
}

#[test]
fn a_cancelled_call_ends_the_turn() {
    judge_async("6.6", "a cancelled call is dropped, the rest skipped", || async {
        let mut plan = Plan::new([calls(&["hang", "work"]), answer("never")]);
        let settings = Settings { max_steps: 8, cancelled: after_polls(5) };
        let played = play_with(&mut plan, settings).await?;
        same(Err(TurnError::Call(CallError::Cancelled)), played.result)
            .given("a call that never ends, and a cancellation")
            .likely("run the call with `run_until_cancelled`: task 6.3")?;
        has_logged(
            &played.log,
            &[
                "entry: hang({})",
                "hang runs with {}",
                "hang is dropped",
                "entry: cancelled by the user",
                "entry: skipped: work({})",
            ],
        )
        .likely("record it as cancelled, not failed, after the call is dropped")
    });
}

#[test]
fn the_next_turn_continues_the_conversation() {
    judge_async("6.6", "after an error the conversation is complete", || async {
        let log = Log::default();
        let (tools, approver) = (fakes(&log)?, AskedApprover(log.clone()));
        let mut plan =
            Plan::new([calls(&["break", "work"]), calls(&["work"]), answer("ok")]);
        let mut conversation = vec![Entry::User("Go!".into())];
        for again in ["Again!", ""] {
            let turn = Turn::new(&tools, &approver);
            let _ = done(turn.run(&mut plan, &mut conversation, &mut |_| {})).await?;
            conversation.push(Entry::User(again.into()));
        }
        let read: Vec<_> = conversation.iter().map(Entry::text).collect();
        let whole = [
            "Go!",
            "break({})",
            "tool execution failed",
            "skipped: work({})",
            "Again!",
            "work({})",
            "fine",
            "ok",
            "",
        ];
        holds(read == whole, whole.join("\n"), Lines(read.join("\n")))
            .given("a turn that ends with an error, and another one")
            .likely("keep the entries before the error, and record all calls")
    });
}
