use super::*;

/// How many groups of fifty requests expire.
const GROUPS: usize = 200;

/// Tables of `groups` groups, each group with one deadline. A step expires a group.
fn timeouts(groups: usize) -> impl FnMut() {
    let start = Instant::now();
    let deadline = move |group| start + seconds(group as u64);
    let table = |_| {
        let mut pending = Pending::default();
        for number in 0..groups * 50 {
            pending.open(deadline(number / 50), ());
        }
        pending
    };
    let mut tables: Vec<_> = (0..GROUPS / groups).map(table).collect();
    let mut group = 0;
    move || {
        tables[group / groups].expire(deadline(group % groups));
        group += 1;
    }
}

#[test]
fn the_next_deadline_is_the_earliest_that_is_left() {
    judge("4.5", "the next deadline is the earliest of the pending requests", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        same(None, pending.next_deadline())
            .given("an empty table")
            .likely("without pending requests the result is `None`")?;
        let given = "requests 1, 2, 3, due after 30, 10 and 20 s";
        for due in [30, 10, 20] {
            pending.open(start + seconds(due), ());
        }
        let after =
            |pending: &Pending<()>| pending.next_deadline().map(|at| at - start);
        same(Some(seconds(10)), after(&pending)).given(given).likely(
            "the first or the last request does not have the earliest deadline",
        )?;
        pending.take(&id(2));
        same(Some(seconds(20)), after(&pending))
            .given(format!("{given}; the response 2"))
            .likely("the deadline of a request with a response is still there")?;
        pending.expire(start + seconds(20));
        same(Some(seconds(30)), after(&pending))
            .given(format!("{given}; the response 2; after 20 s"))
            .likely("the deadline of an expired request is still there")
    });
}

#[test]
fn a_request_expires_at_its_deadline_and_not_before() {
    judge("4.5", "a request expires at its deadline, and not before", || {
        let start = Instant::now();
        let mut pending = three(start);
        let before = start + seconds(10) - Duration::from_nanos(1);
        same(vec![], pending.expire(before))
            .given(format!("{THREE}; one nanosecond before 10 s"))
            .likely("a request that is not due stays pending")?;
        same(vec![(id(1), "caller 1")], pending.expire(start + seconds(10)))
            .given(format!("{THREE}; after 10 s"))
            .likely(
                "the client sleeps until the deadline; if nothing expires then, it \
                 wakes up in an endless loop: compare with `<=`",
            )
    });
}

#[test]
fn all_due_requests_expire_in_the_order_of_their_deadlines() {
    judge("4.5", "all due requests expire at once, the earliest first", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        for (due, caller) in [(30, "c"), (10, "a"), (20, "b"), (40, "d")] {
            pending.open(start + seconds(due), caller);
        }
        let given = "requests 1, 2, 3, 4, due after 30, 10, 20 and 40 s; after 30 s";
        same(
            vec![(id(2), "a"), (id(3), "b"), (id(1), "c")],
            pending.expire(start + seconds(30)),
        )
        .given(given)
        .likely("only one expired, or they are in the order of their ids")?;
        same(1, pending.len())
            .given(given)
            .likely("a request that is not due stays pending")
    });
}

#[test]
fn any_number_of_due_requests_expires_at_once() {
    judge("4.5", "one call expires all due requests, however many", || {
        let now = Instant::now();
        let mut pending = many(2000, now);
        let ended = pending.expire(now).len();
        same((2000, 0), (ended, pending.len()))
            .given("2000 due requests: how many expired, how many are pending")
            .likely("there must be no limit: the rest would miss their deadline")
    });
}

#[test]
fn with_one_deadline_the_older_request_expires_first() {
    judge("4.5", "with one deadline the older request expires first", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        let opened: Vec<_> =
            (0..12).map(|_| (pending.open(start, "caller"), "caller")).collect();
        same(opened, pending.expire(start))
            .given("requests 1 to 12, all with one deadline")
            .likely("they are in the order of a hash map, or sorted as text")
    });
}

#[test]
fn a_response_after_the_deadline_reaches_no_caller() {
    judge("4.5", "an entry is removed once: by its deadline or its response", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.expire(start + seconds(10));
        same(None, pending.take(&id(1)))
            .given(format!("{THREE}; after 10 s; the response 1"))
            .likely("an expired entry is still in the table")?;
        pending.take(&id(2));
        same(vec![(id(3), "caller 3")], pending.expire(start + seconds(99)))
            .given("then the response 2; after 99 s")
            .likely("a request with a response must not expire")?;
        same(0, pending.len()).given("the number of pending requests after that")
    });
}

#[test]
fn an_expired_id_is_not_used_again() {
    judge("4.5", "no id is used twice, even after its request has expired", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.expire(start + seconds(99));
        same(id(4), pending.open(start, "caller 4"))
            .given(format!("{THREE}; after 99 s; another request"))
            .likely("the ids started again: a late response reaches the wrong caller")
    });
}

#[test]
fn a_large_table_expires_without_a_search_per_request() {
    judge("4.5", "the cost of a timeout does not grow with the table", || {
        stays_quick(GROUPS, || timeouts(1), || timeouts(GROUPS))
            .given("10,000 requests expire, 50 at a time; tables of 50, and of 10,000")
            .likely("the whole table is searched for each request that expires")
    });
}
