use super::*;

#[test]
fn work_that_ends_returns_its_result() {
    judge_async("6.3", "work that is not cancelled returns its result", || async {
        let likely = "the work continues until the user cancels";
        let mut never = Box::pin(pending());
        let got = done(run_until_cancelled(ready(42), &mut never)).await?;
        same(Ok(42), got).given("work that ends at once").likely(likely)?;
        let later = async {
            after_polls(5).await;
            43
        };
        let got = done(run_until_cancelled(later, &mut never)).await?;
        same(Ok(43), got).given("work that ends at the sixth poll").likely(likely)
    });
}

#[test]
fn a_cancellation_ends_endless_work() {
    judge_async("6.3", "a cancellation stops endless work", || async {
        let likely = "wait for the work and for `cancelled`, whichever is ready first";
        for polls in [0, 5] {
            let got =
                done(run_until_cancelled(pending::<()>(), &mut after_polls(polls)))
                    .await;
            same(Err(CallError::Cancelled), got?)
                .given(format!("endless work; cancelled at poll {}", polls + 1))
                .likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn after_a_cancellation_no_work_begins() {
    judge_async("6.3", "if both are ready, the cancellation comes first", || async {
        // A random choice would sometimes pass.
        for _ in 0..20 {
            let log = Log::default();
            let work = async { log.note("the work has begun") };
            let got = done(run_until_cancelled(work, &mut after_polls(0))).await?;
            same(Err(CallError::Cancelled), got)
                .given("work that would end at once, already cancelled")
                .likely(
                    "poll `cancelled` first; `select!` is random unless `biased`",
                )?;
            has_logged(&log, &[]).given("what happened")?;
        }
        Ok(())
    });
}

#[test]
fn cancelled_work_is_dropped() {
    judge_async("6.3", "cancelled work is dropped", || async {
        let log = Log::default();
        let guard = Dropped(log.clone(), "the work");
        let work = async move {
            let _guard = guard;
            pending::<()>().await
        };
        let got = done(run_until_cancelled(work, &mut after_polls(3))).await?;
        log.note("the function has returned");
        same(Err(CallError::Cancelled), got)?;
        has_logged(&log, &["the work is dropped", "the function has returned"])
            .likely("dropping a call sends the cancellation to the server")
    });
}

#[test]
fn a_cancellation_may_arrive_later() {
    judge_async("6.3", "the same cancellation can stop later work", || async {
        let mut cancelled = after_polls(3);
        same(Ok(1), done(run_until_cancelled(ready(1), &mut cancelled)).await?)?;
        let got = done(run_until_cancelled(pending::<()>(), &mut cancelled)).await?;
        same(Err(CallError::Cancelled), got)
            .given("work that ends, then endless work, with one `cancelled`")
            .likely("poll the borrowed future: it is the same for the whole turn")
    });
}
