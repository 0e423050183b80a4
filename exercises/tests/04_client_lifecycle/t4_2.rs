use super::*;

/// More requests than 16 bits can count.
const MANY: u32 = 70_000;

#[test]
fn ids_count_from_1() {
    judge("4.2", "the ids of a connection are 1, 2, 3, …", || {
        let (now, mut pending) = (Instant::now(), Pending::default());
        let got = [(); 3].map(|()| pending.open(now, ()));
        same([id(1), id(2), id(3)], got)
            .given("three requests, one after the other")
            .likely("count up before the id is made, and keep the count")
    });
}

#[test]
fn ids_are_never_reused() {
    judge("4.2", "ids do not restart, however many there are", || {
        let now = Instant::now();
        let mut pending = Pending::default();
        let likely = "the counter overflowed, or its type is too small";
        for number in 1..=MANY {
            same(id(number.into()), pending.open(now, number))
                .given(format!("request {number}, and all before it are open"))
                .likely(likely)?;
        }
        same(MANY as usize, pending.len())
            .given(format!("{MANY} open requests"))
            .likely(likely)
    });
}

#[test]
fn a_request_waits_from_then_on() {
    judge("4.2", "an open request is in the table under its id", || {
        let pending = three(Instant::now());
        same(3, pending.len())
            .given(THREE)
            .likely("the entry was not kept, or one took the place of another")?;
        for number in [1, 2, 3] {
            holds(
                pending.contains(&id(number)),
                format!("{number} is waited for"),
                "no",
            )
            .given(THREE)
            .likely("the entry is kept under another id than was returned")?;
        }
        Ok(())
    });
}
