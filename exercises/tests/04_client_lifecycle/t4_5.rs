use super::*;

/// A table with `count` requests in groups of fifty, each with one deadline; each call
/// lets the next group expire and returns the time.
fn fifty_timeouts(size: u64) -> impl FnMut() -> Duration {
    let (mut now, mut pending) = (Instant::now(), Pending::default());
    for number in 0..size {
        pending.open(now + seconds(number / 50), ());
    }
    move || {
        let start = Instant::now();
        pending.expire(now);
        let took = start.elapsed();
        now += seconds(1);
        took
    }
}

#[test]
fn the_next_deadline_is_the_soonest_that_is_left() {
    judge("4.5", "the next deadline is the soonest of those who still wait", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        same(None, pending.next_deadline())
            .given("an empty table")
            .likely("nothing to wait for is `None`")?;
        let given = "requests 1, 2, 3, due after 30, 10 and 20 s";
        for due in [30, 10, 20] {
            pending.open(start + seconds(due), ());
        }
        let after =
            |pending: &Pending<()>| pending.next_deadline().map(|at| at - start);
        same(Some(seconds(10)), after(&pending)).given(given).likely(
            "the first or the last entry was returned instead of the soonest",
        )?;
        pending.take(&id(2));
        same(Some(seconds(20)), after(&pending))
            .given(format!("{given}; the response 2"))
            .likely("the deadline of a completed request is still there")?;
        pending.expire(start + seconds(20));
        same(Some(seconds(30)), after(&pending))
            .given(format!("{given}; the response 2; 20 s later"))
            .likely("the deadline of an expired request is still there")
    });
}

#[test]
fn a_request_expires_at_its_deadline_and_not_before() {
    judge("4.5", "at the deadline itself the time is up, and not before", || {
        let start = Instant::now();
        let mut pending = three(start);
        let before = start + seconds(10) - Duration::from_nanos(1);
        same(vec![], pending.expire(before))
            .given(format!("{THREE}; one nanosecond before 10 s"))
            .likely("a request has all of its time")?;
        same(vec![(id(1), "caller 1")], pending.expire(start + seconds(10)))
            .given(format!("{THREE}; 10 s later"))
            .likely(
                "who sleeps until the deadline wakes at it: with `<` nothing ends, and \
                 the sleeper wakes again and again",
            )
    });
}

#[test]
fn all_that_are_due_end_soonest_first() {
    judge("4.5", "all that are due end at once, the soonest first", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        for (due, caller) in [(30, "c"), (10, "a"), (20, "b"), (40, "d")] {
            pending.open(start + seconds(due), caller);
        }
        let given = "requests 1, 2, 3, 4, due after 30, 10, 20 and 40 s; then 30 s";
        same(
            vec![(id(2), "a"), (id(3), "b"), (id(1), "c")],
            pending.expire(start + seconds(30)),
        )
        .given(given)
        .likely("only one ended, or the order is that of the ids")?;
        same(1, pending.len()).given(given).likely(
            "a request that is not due stays \
                                                    pending",
        )
    });
}

#[test]
fn however_many_are_due_all_end_at_once() {
    judge("4.5", "however many are due, one call ends them all", || {
        let now = Instant::now();
        let mut pending = many(2000, now);
        let ended = pending.expire(now).len();
        same((2000, 0), (ended, pending.len()))
            .given("2000 requests that are due; how many ended and wait")
            .likely(
                "the others would wait beyond their deadline: expire all that are \
                     due",
            )
    });
}

#[test]
fn with_one_deadline_the_older_request_ends_first() {
    judge("4.5", "of two with one deadline the one opened first ends first", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        let opened: Vec<_> =
            (0..12).map(|_| (pending.open(start, "caller"), "caller")).collect();
        same(opened, pending.expire(start))
            .given("requests 1 to 12, all with one deadline")
            .likely("the order of a hash map, or ids in the order of the alphabet")
    });
}

#[test]
fn a_response_after_the_deadline_finds_no_caller() {
    judge("4.5", "an entry ends once: by its deadline or by its response", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.expire(start + seconds(10));
        same(None, pending.take(&id(1)))
            .given(format!("{THREE}; 10 s later; the response 1"))
            .likely("an expired entry is still in the table")?;
        pending.take(&id(2));
        same(vec![(id(3), "caller 3")], pending.expire(start + seconds(99)))
            .given("then the response 2; 99 s later")
            .likely("a completed request must not time out")?;
        same(0, pending.len()).given("how many still wait after that")
    });
}

#[test]
fn an_expired_id_is_not_used_again() {
    judge("4.5", "no id is used twice, even after its request has expired", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.expire(start + seconds(99));
        same(id(4), pending.open(start, "caller 4"))
            .given(format!("{THREE}; 99 s later; one request more"))
            .likely("the count restarted: a late response would reach the wrong caller")
    });
}

#[test]
fn many_that_are_due_end_without_a_search_for_each() {
    judge("4.5", "what a timeout costs does not grow with the table", || {
        stays_quick(|| fifty_timeouts(50)(), fifty_timeouts(2000))
            .given("50 requests that expire, of 50 in the table and of 2,000")
            .likely("for each one that ends, all are searched for the soonest")
    });
}
