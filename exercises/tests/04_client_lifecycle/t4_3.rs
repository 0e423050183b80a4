use super::*;

/// A table with `count` requests; each call takes twenty of them, opens twenty
/// others, and returns the time.
fn twenty_responses(size: u64) -> impl FnMut() -> Duration {
    let (mut now, mut pending) = (Instant::now(), Pending::default());
    let mut open = move |pending: &mut Pending<()>| {
        now += seconds(1);
        pending.open(now, ())
    };
    let mut ids: Vec<_> = (0..size).map(|_| open(&mut pending)).collect();
    let mut place = 0;
    move || {
        let start = Instant::now();
        for _ in 0..20 {
            place = (place + 7919) % ids.len();
            pending.take(&ids[place]);
            ids[place] = open(&mut pending);
        }
        start.elapsed()
    }
}

#[test]
fn responses_in_the_order_3_1_2_reach_their_callers() {
    judge("4.3", "a response goes to the caller with its id, in any order", || {
        let mut pending = three(Instant::now());
        for (number, caller) in [(3, "caller 3"), (1, "caller 1"), (2, "caller 2")] {
            same(Some(caller), pending.take(&id(number)))
                .given(format!("responses 3, 1, 2; now {number}"))
                .likely("paired by the order of arrival: look for the id instead")?;
        }
        Ok(())
    });
}

#[test]
fn a_response_removes_its_entry() {
    judge("4.3", "a response ends its entry, and no other", || {
        let mut pending = three(Instant::now());
        pending.take(&id(2));
        same(2, pending.len())
            .given(format!("{THREE}; the response 2"))
            .likely("read but not removed: a table that only grows")?;
        let left = [1, 2, 3].map(|number| pending.contains(&id(number)));
        same([true, false, true], left)
            .given("whether 1, 2 and 3 are pending after the response 2")
            .likely("the wrong entry was removed")
    });
}

#[test]
fn a_second_response_finds_no_caller() {
    judge("4.3", "an entry ends exactly once", || {
        let mut pending = three(Instant::now());
        pending.take(&id(1));
        same(None, pending.take(&id(1)))
            .given("the response 1, twice")
            .likely("the entry is still there, or another caller got the response")
    });
}

#[test]
fn a_response_with_an_unknown_id_finds_no_caller() {
    judge("4.3", "a response with an unknown id changes nothing", || {
        let mut pending = three(Instant::now());
        for unknown in [id(4), id(0), id(-1), id(i128::MAX), string_id("x")] {
            same(None, pending.take(&unknown))
                .given(format!("requests 1, 2, 3 and the response {unknown}"))
                .likely(
                    "a server may send any id: return `None`, and change nothing",
                )?;
        }
        same(3, pending.len())
            .given("how many still wait")
            .likely("the response ended an entry of another id")?;
        same(None, Pending::<()>::default().take(&id(1)))
            .given("an empty table and the response 1")
    });
}

#[test]
fn a_string_is_not_a_number() {
    judge("4.3", "1 and \"1\" are different ids", || {
        let mut pending = three(Instant::now());
        same(None, pending.take(&string_id("1")))
            .given("requests 1, 2, 3 and the response \"1\"")
            .likely("ids compared as text: compare the `Id`s themselves")?;
        same(Some("caller 1"), pending.take(&id(1)))
            .given("then the response 1")
            .likely("the response \"1\" ended the entry of 1")
    });
}

#[test]
fn an_id_is_not_used_again() {
    judge("4.3", "no id is used twice, even after its request has ended", || {
        let (now, mut pending) = (Instant::now(), Pending::default());
        for number in [1, 2, 3] {
            same(id(number), pending.open(now, ()))
                .given(
                    "requests one after the other, each with its response before \
                        the next",
                )
                .likely(
                    "ids counted by the size of the table, or freed with an entry",
                )?;
            pending.take(&id(number));
        }
        let (now, mut pending) = (Instant::now(), three(now));
        pending.take(&id(1));
        same(id(4), pending.open(now, "caller 4"))
            .given("requests 1, 2, 3, the response 1, and one more request")
            .likely("a late response to the old 1 would reach the new one")
    });
}

#[test]
fn a_large_table_is_no_slower() {
    judge("4.3", "the cost of a response does not grow with the table", || {
        stays_quick(twenty_responses(20), twenty_responses(5000))
            .given("responses with 20 requests in flight, and with 5,000")
            .likely("each response searches all entries: use the id as the key")
    });
}
