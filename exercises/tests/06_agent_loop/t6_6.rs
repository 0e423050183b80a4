use super::*;

#[test]
fn a_call_error_ends_the_turn_and_the_caller_gets_the_cause() {
    judge_async("6.6", "the turn ends, and its error is the whole cause", || async {
        let ways = ["refuse", "late", "break", "gone"].into_iter().zip(trouble());
        for (name, error) in ways {
            let mut plan = Plan::new([calls(&[name]), answer("never")]);
            let played = play(&mut plan).await?;
            same(Err(TurnError::Call(error)), played.result)
                .given(format!("a call of `{name}`, which ends with a call error"))
                .likely("the caller gets the unchanged cause")?;
            same(1, plan.shown.len())
                .given("how often the model was asked")
                .likely("after a call error the model is not asked again")?;
            same(
                vec![Entry::Call(plain(name)), Entry::ToolExecutionFailed],
                played.conversation,
            )
            .given("what was added to the conversation")
            .likely("the call has an entry for its end, without the details")?;
        }
        Ok(())
    });
}

#[test]
fn the_rest_of_the_step_is_skipped_and_recorded() {
    judge_async("6.6", "calls that are not made are recorded as skipped", || async {
        let step = calls(&["work", "break", "guarded", "fail", "work", "fail"]);
        let played = play(&mut Plan::new([step, answer("never")])).await?;
        let whole = vec![
            Entry::Call(plain("work")),
            said("fine"),
            Entry::Call(plain("break")),
            Entry::ToolExecutionFailed,
            Entry::Skipped(plain("guarded")),
            Entry::Skipped(plain("fail")),
            Entry::Skipped(plain("work")),
            Entry::Skipped(plain("fail")),
        ];
        same(whole, played.conversation)
            .given("calls of work, break and four more; break ends with a call error")
            .likely(
                "each call needs an entry, in order, or the next turn starts askew",
            )?;
        reads(
            &played.diary,
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
        .likely(
            "a skipped call neither runs nor asks, and is reported like all \
                 entries",
        )
    });
}

#[test]
fn a_user_who_stops_a_call_ends_the_turn() {
    judge_async("6.6", "a stopped call is dropped, the rest is skipped", || async {
        let mut plan = Plan::new([calls(&["hang", "work"]), answer("never")]);
        let setting = Setting { max_steps: 8, user: after_looks(5) };
        let played = play_with(&mut plan, setting).await?;
        same(Err(TurnError::Call(CallError::Cancelled)), played.result)
            .given("a call that never ends, and a user who cancels")
            .likely("a call is work that can be stopped: task 6.3")?;
        reads(
            &played.diary,
            &[
                "entry: hang({})",
                "hang runs with {}",
                "hang is dropped",
                "entry: cancelled by the user",
                "entry: skipped: work({})",
            ],
        )
        .likely("cancelled, not failed; and the call is dropped before it is recorded")
    });
}

#[test]
fn the_next_turn_continues_the_conversation() {
    judge_async("6.6", "after an error the conversation is whole", || async {
        let diary = Diary::default();
        let (tools, approver) = (fakes(&diary)?, Asked(diary.clone()));
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
            .given("a turn that fails, and another one with the same conversation")
            .likely("what was recorded before the error stays, and nothing is missing")
    });
}
