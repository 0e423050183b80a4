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
            .likely("start at 1, and store the last id")
    });
}

#[test]
fn ids_do_not_start_again() {
    judge("4.2", "ids do not start again, however many there are", || {
        let now = Instant::now();
        let mut pending = Pending::default();
        let likely = "the type of the counter is too small: it wrapped around";
        for number in 1..=MANY {
            let (expected, got) = (id(number.into()), pending.open(now, number));
            if got != expected {
                return same(expected, got)
                    .given(format!("request {number}; all before it are pending"))
                    .likely(likely);
            }
        }
        same(MANY as usize, pending.len())
            .given(format!("{MANY} pending requests"))
            .likely(likely)
    });
}

#[test]
fn a_request_is_pending_under_its_id() {
    judge("4.2", "a new request is in the table under its id", || {
        let pending = three(Instant::now());
        same(3, pending.len())
            .given(THREE)
            .likely("an entry was not stored, or it replaced another one")?;
        for number in [1, 2, 3] {
            holds(
                pending.contains(&id(number)),
                format!("{number} is pending"),
                "it is not",
            )
            .given(THREE)
            .likely("the entry is stored under another id than the returned one")?;
        }
        Ok(())
    });
}
