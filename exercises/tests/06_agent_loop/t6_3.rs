use super::*;

#[test]
fn work_that_is_done_is_its_result() {
    judge_async("6.3", "without a cancellation the result is returned", || async {
        let likely = "the work continues until the user cancels";
        let mut never = Box::pin(pending());
        let got = done(run_until_cancelled(ready(42), &mut never)).await?;
        same(Ok(42), got).given("work that is done at once").likely(likely)?;
        let later = async {
            after_looks(5).await;
            43
        };
        let got = done(run_until_cancelled(later, &mut never)).await?;
        same(Ok(43), got).given("work that is done at the sixth look").likely(likely)
    });
}

#[test]
fn a_cancellation_ends_the_waiting() {
    judge_async("6.3", "endless work stops when the user cancels", || async {
        let likely = "wait for both, and take whichever is ready first";
        for looks in [0, 5] {
            let got =
                done(run_until_cancelled(pending::<()>(), &mut after_looks(looks)))
                    .await;
            same(Err(CallError::Cancelled), got?)
                .given(format!("work without an end; the user at look {}", looks + 1))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn after_the_user_nothing_begins() {
    judge_async("6.3", "if both are ready, the cancellation wins", || async {
        // A choice by lot would pass now and then.
        for _ in 0..20 {
            let diary = Diary::default();
            let work = async { diary.note("the work has begun") };
            let got = done(run_until_cancelled(work, &mut after_looks(0))).await?;
            same(Err(CallError::Cancelled), got)
                .given("work that would be done at once, and a user who cancels")
                .likely(
                    "the cancellation is polled after the work, or in random \
                         order",
                )?;
            reads(&diary, &[]).given("what happened")?;
        }
        Ok(())
    });
}

#[test]
fn stopped_work_is_dropped() {
    judge_async(
        "6.3",
        "work that is stopped is dropped, and not left behind",
        || async {
            let diary = Diary::default();
            let guard = Dropped(diary.clone(), "the work");
            let work = async move {
                let _guard = guard;
                pending::<()>().await
            };
            let got = done(run_until_cancelled(work, &mut after_looks(3))).await?;
            diary.note("the waiting is over");
            same(Err(CallError::Cancelled), got)?;
            reads(&diary, &["the work is dropped", "the waiting is over"])
                .likely("dropping the call notifies the server that the caller is gone")
        },
    );
}

#[test]
fn the_user_may_be_heard_later() {
    judge_async("6.3", "a user can also cancel later work", || async {
        let mut user = after_looks(3);
        same(Ok(1), done(run_until_cancelled(ready(1), &mut user)).await?)?;
        let got = done(run_until_cancelled(pending::<()>(), &mut user)).await?;
        same(Err(CallError::Cancelled), got)
            .given("one piece of work that is done, then one without an end")
            .likely("it is the same future through the whole turn")
    });
}
