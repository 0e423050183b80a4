//! The table of requests in flight.

use mcp_from_scratch::{jsonrpc::Id, pending::Pending};
use proptest::{collection::vec, prelude::*};
use std::time::{Duration, Instant};

fn id(number: i128) -> Id {
    Id::Integer(number)
}

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

/// Three requests, due after 10, 20 and 30 seconds.
fn three(start: Instant) -> Pending<&'static str> {
    let mut pending = Pending::default();
    pending.open(start + seconds(10), "first");
    pending.open(start + seconds(20), "second");
    pending.open(start + seconds(30), "third");
    pending
}

#[test]
fn ids_count_from_1() {
    let (now, mut pending) = (Instant::now(), Pending::default());
    let ids = [(); 3].map(|()| pending.open(now, ()));
    assert_eq!([id(1), id(2), id(3)], ids);
}

#[test]
fn an_id_is_never_used_twice() {
    let (now, mut pending) = (Instant::now(), Pending::default());
    let first = pending.open(now, ());
    pending.take(&first);
    assert_eq!(id(2), pending.open(now, ()));
    pending.drain();
    assert_eq!(id(3), pending.open(now, ()));
}

#[test]
fn answers_may_come_in_any_order() {
    let mut pending = three(Instant::now());
    assert_eq!(Some("third"), pending.take(&id(3)));
    assert_eq!(Some("first"), pending.take(&id(1)));
    assert_eq!(Some("second"), pending.take(&id(2)));
    assert!(pending.is_empty());
}

#[test]
fn a_second_answer_finds_nobody() {
    let mut pending = three(Instant::now());
    assert_eq!(Some("first"), pending.take(&id(1)));
    assert_eq!(None, pending.take(&id(1)));
    assert_eq!(2, pending.len());
}

#[test]
fn an_answer_after_the_deadline_finds_nobody() {
    let start = Instant::now();
    let mut pending = three(start);
    pending.expire(start + seconds(15));
    assert_eq!(None, pending.take(&id(1)));
}

#[test]
fn an_answer_with_another_id_finds_nobody() {
    let mut pending = three(Instant::now());
    assert_eq!(None, pending.take(&id(4)));
    assert_eq!(None, pending.take(&id(0)));
    assert_eq!(None, pending.take(&Id::String("1".into())), "\"1\" is not 1");
    assert_eq!(3, pending.len());
}

#[test]
fn a_number_that_came_as_a_string_is_found_for_a_remark() {
    let mut pending = three(Instant::now());
    let string = |text: &str| Id::String(text.into());
    assert_eq!(Some(id(1)), pending.numeric_equivalent(&string("1")));
    for other in [id(1), string("4"), string("01"), string("+1"), string("a")] {
        assert_eq!(None, pending.numeric_equivalent(&other), "{other}");
    }
    assert_eq!(Some("first"), pending.take(&id(1)), "it still waited");
    assert_eq!(None, pending.numeric_equivalent(&string("1")));
}

#[test]
fn a_request_expires_at_its_deadline_and_not_before() {
    let start = Instant::now();
    let mut pending = three(start);
    let just_before = start + seconds(10) - Duration::from_nanos(1);
    assert_eq!(Vec::<(Id, &str)>::new(), pending.expire(just_before));
    assert_eq!(vec![(id(1), "first")], pending.expire(start + seconds(10)));
    assert_eq!(2, pending.len());
}

#[test]
fn the_soonest_deadline_expires_first() {
    let (start, mut pending) = (Instant::now(), Pending::default());
    pending.open(start + seconds(30), "late");
    pending.open(start + seconds(10), "soon");
    pending.open(start + seconds(10), "soon, too");
    let expected = vec![(id(2), "soon"), (id(3), "soon, too"), (id(1), "late")];
    assert_eq!(expected, pending.expire(start + seconds(30)));
}

#[test]
fn the_next_deadline_is_that_of_the_requests_that_are_left() {
    let start = Instant::now();
    let mut pending = three(start);
    assert_eq!(Some(start + seconds(10)), pending.next_deadline());
    pending.take(&id(1));
    assert_eq!(Some(start + seconds(20)), pending.next_deadline());
    pending.expire(start + seconds(20));
    assert_eq!(Some(start + seconds(30)), pending.next_deadline());
    pending.take(&id(3));
    assert_eq!(None, pending.next_deadline());
}

#[test]
fn at_the_end_everybody_is_let_go() {
    let mut pending = three(Instant::now());
    pending.take(&id(2));
    assert_eq!(vec!["first", "third"], pending.drain());
    assert!(pending.is_empty());
    assert_eq!(None, pending.next_deadline());
    assert_eq!(Vec::<&str>::new(), pending.drain());
}

#[derive(Clone, Debug)]
enum Step {
    /// A new request, due in so many seconds.
    Open(u64),
    Take(i128),
    /// So many seconds go by.
    Wait(u64),
    Drain,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..20_u64).prop_map(Step::Open),
        3 => (0..12_i128).prop_map(Step::Take),
        2 => (0..10_u64).prop_map(Step::Wait),
        1 => Just(Step::Drain),
    ]
}

/// The same table as a plain list of id and deadline, searched from end to end.
#[derive(Default)]
struct Model {
    last_id: i128,
    entries: Vec<(u64, i128)>,
}

impl Model {
    fn open(&mut self, due: u64) -> i128 {
        self.last_id += 1;
        self.entries.push((due, self.last_id));
        self.last_id
    }

    fn remove_where(&mut self, gone: impl Fn(&(u64, i128)) -> bool) -> Vec<i128> {
        let (mut removed, kept): (Vec<_>, _) =
            self.entries.iter().copied().partition(gone);
        self.entries = kept;
        removed.sort();
        removed.into_iter().map(|(_, id)| id).collect()
    }
}

proptest! {
    #[test]
    fn does_what_a_plain_list_does(steps in vec(step(), 0..60)) {
        let start = Instant::now();
        let (mut pending, mut model) = (Pending::default(), Model::default());
        let mut now = 0;
        for step in steps {
            match step {
                Step::Open(due) => {
                    let number = model.open(now + due);
                    let opened = pending.open(start + seconds(now + due), number);
                    prop_assert_eq!(id(number), opened);
                }
                Step::Take(number) => {
                    let expected = model.remove_where(|(_, id)| *id == number).pop();
                    prop_assert_eq!(expected, pending.take(&id(number)));
                }
                Step::Wait(time) => {
                    now += time;
                    let gone = model.remove_where(|(due, _)| *due <= now);
                    let expected: Vec<_> = gone.iter().map(|n| (id(*n), *n)).collect();
                    prop_assert_eq!(expected, pending.expire(start + seconds(now)));
                }
                Step::Drain => {
                    prop_assert_eq!(model.remove_where(|_| true), pending.drain());
                }
            }
            prop_assert_eq!(model.entries.len(), pending.len());
            let next = model.entries.iter().map(|(due, _)| start + seconds(*due)).min();
            prop_assert_eq!(next, pending.next_deadline());
        }
    }
}
