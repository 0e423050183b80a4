use super::*;

/// A table with so many requests; each call answers twenty of them, opens twenty
/// others, and says how long that took.
fn twenty_answers(size: u64) -> impl FnMut() -> Duration {
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
fn answers_in_the_order_3_1_2_reach_their_callers() {
    judge("4.3", "an answer goes to the caller with its id, in any order", || {
        let mut pending = three(Instant::now());
        for (number, caller) in [(3, "caller 3"), (1, "caller 1"), (2, "caller 2")] {
            same(Some(caller), pending.take(&id(number)))
                .given(format!("answers 3, 1, 2; now {number}"))
                .likely("paired by the order of arrival: look for the id instead")?;
        }
        Ok(())
    });
}

#[test]
fn an_answered_request_has_left_the_table() {
    judge("4.3", "an answer ends its entry, and no other", || {
        let mut pending = three(Instant::now());
        pending.take(&id(2));
        same(2, pending.len())
            .given(format!("{THREE}; the answer 2"))
            .likely("read but not removed: a table that only grows")?;
        let left = [1, 2, 3].map(|number| pending.contains(&id(number)));
        same([true, false, true], left)
            .given("whether 1, 2 and 3 are waited for after the answer 2")
            .likely("another entry than the answered one was removed")
    });
}

#[test]
fn a_second_answer_finds_nobody() {
    judge("4.3", "an entry ends exactly once", || {
        let mut pending = three(Instant::now());
        pending.take(&id(1));
        same(None, pending.take(&id(1)))
            .given("the answer 1, twice")
            .likely("the entry is still there, or another caller got the answer")
    });
}

#[test]
fn an_answer_to_nothing_finds_nobody() {
    judge("4.3", "an answer that nobody waits for changes nothing", || {
        let mut pending = three(Instant::now());
        for strange in [id(4), id(0), id(-1), id(i128::MAX), string_id("x")] {
            same(None, pending.take(&strange))
                .given(format!("requests 1, 2, 3 and the answer {strange}"))
                .likely("a server may send any id: `None`, and the rest goes on")?;
        }
        same(3, pending.len())
            .given("how many still wait")
            .likely("some entry was ended because there was an answer")?;
        same(None, Pending::<()>::default().take(&id(1)))
            .given("an empty table and the answer 1")
    });
}

#[test]
fn a_string_is_no_number() {
    judge("4.3", "1 and \"1\" are different ids", || {
        let mut pending = three(Instant::now());
        same(None, pending.take(&string_id("1")))
            .given("requests 1, 2, 3 and the answer \"1\"")
            .likely("ids compared as text: compare the `Id`s themselves")?;
        same(Some("caller 1"), pending.take(&id(1)))
            .given("then the answer 1")
            .likely("the strange answer has ended the entry of 1")
    });
}

#[test]
fn an_id_is_not_used_again() {
    judge("4.3", "no id is used twice, even after its request has ended", || {
        let (now, mut pending) = (Instant::now(), Pending::default());
        for number in [1, 2, 3] {
            same(id(number), pending.open(now, ()))
                .given("requests one after the other, each answered before the next")
                .likely(
                    "ids counted by the size of the table, or freed with an entry",
                )?;
            pending.take(&id(number));
        }
        let (now, mut pending) = (Instant::now(), three(now));
        pending.take(&id(1));
        same(id(4), pending.open(now, "caller 4"))
            .given("requests 1, 2, 3, the answer 1, and one request more")
            .likely("a late answer to the old 1 would reach the new one")
    });
}

#[test]
fn a_large_table_is_no_slower() {
    judge("4.3", "what an answer costs does not grow with the table", || {
        stays_quick(twenty_answers(20), twenty_answers(5000))
            .given("answers with 20 requests in flight, and with 5,000")
            .likely("each answer looks through all entries: let the id be the key")
    });
}
