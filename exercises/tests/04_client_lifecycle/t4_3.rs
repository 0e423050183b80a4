use super::*;

/// A table of `size` requests. Each step takes one of them and adds another.
fn responses(size: u64) -> impl FnMut() {
    let (mut now, mut pending) = (Instant::now(), Pending::default());
    let mut open = move |pending: &mut Pending<()>| {
        now += seconds(1);
        pending.open(now, ())
    };
    let mut ids: Vec<_> = (0..size).map(|_| open(&mut pending)).collect();
    let mut place = 0;
    move || {
        place = (place + 7919) % ids.len();
        pending.take(&ids[place]);
        ids[place] = open(&mut pending);
    }
}

#[test]
fn responses_in_the_order_3_1_2_reach_their_callers() {
    judge("4.3", "a response goes to the caller with its id, in any order", || {
        let mut pending = three(Instant::now());
        for (number, caller) in [(3, "caller 3"), (1, "caller 1"), (2, "caller 2")] {
            same(Some(caller), pending.take(&id(number)))
                .given(format!("responses 3, 1, 2; now {number}"))
                .likely("paired by order of arrival: search for the id instead")?;
        }
        Ok(())
    });
}

#[test]
fn a_request_with_a_response_is_no_longer_in_the_table() {
    judge("4.3", "a response removes its entry and no other", || {
        let mut pending = three(Instant::now());
        pending.take(&id(2));
        same(2, pending.len())
            .given(format!("{THREE}; the response 2"))
            .likely("the entry was read but not removed: the table only grows")?;
        let left = [1, 2, 3].map(|number| pending.contains(&id(number)));
        same([true, false, true], left)
            .given("whether 1, 2 and 3 are pending after the response 2")
            .likely("the entry of another request was removed")
    });
}

#[test]
fn a_second_response_reaches_no_caller() {
    judge("4.3", "an entry is removed exactly once", || {
        let mut pending = three(Instant::now());
        pending.take(&id(1));
        same(None, pending.take(&id(1)))
            .given("the response 1, twice")
            .likely("the entry is still there, or another caller got the response")
    });
}

#[test]
fn a_response_with_an_unknown_id_reaches_no_caller() {
    judge("4.3", "a response with an unknown id changes nothing", || {
        let mut pending = three(Instant::now());
        for unknown in [id(4), id(0), id(-1), id(i128::MAX), string_id("x")] {
            same(None, pending.take(&unknown))
                .given(format!("requests 1, 2, 3 and the response {unknown}"))
                .likely("a server may send any id: return `None`")?;
        }
        same(3, pending.len())
            .given("the number of pending requests after that")
            .likely("an entry was removed although its id is different")?;
        same(None, Pending::<()>::default().take(&id(1)))
            .given("an empty table and the response 1")
    });
}

#[test]
fn a_string_id_does_not_match_a_number() {
    judge("4.3", "1 and \"1\" are different ids", || {
        let mut pending = three(Instant::now());
        same(None, pending.take(&string_id("1")))
            .given("requests 1, 2, 3 and the response \"1\"")
            .likely("the ids were compared as text: compare the `Id` values")?;
        same(Some("caller 1"), pending.take(&id(1)))
            .given("then the response 1")
            .likely("the response \"1\" removed the entry of 1")
    });
}

#[test]
fn an_id_is_not_used_again() {
    judge("4.3", "no id is used twice, even after its response", || {
        let (now, mut pending) = (Instant::now(), Pending::default());
        for number in [1, 2, 3] {
            same(id(number), pending.open(now, ()))
                .given("requests one after the other, each with its response")
                .likely(
                    "the id was made from the size of the table; count the requests",
                )?;
            pending.take(&id(number));
        }
        let (now, mut pending) = (Instant::now(), three(now));
        pending.take(&id(1));
        same(id(4), pending.open(now, "caller 4"))
            .given("requests 1, 2, 3, the response 1, and another request")
            .likely("a late response to the old request 1 would reach the new one")
    });
}

#[test]
fn a_large_table_is_no_slower() {
    judge("4.3", "the cost of a response does not grow with the table", || {
        stays_quick(2000, || responses(20), || responses(5000))
            .given("2,000 responses with 20 pending requests, and with 5,000")
            .likely("each response searches all entries: use the id as the key")
    });
}
