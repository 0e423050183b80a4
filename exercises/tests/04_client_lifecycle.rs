//! Exercise 4: the client's life and its pending table
//!
//! You write the two rules that a client keeps: what may happen in which state, and
//! whose answer is whose. No process, no task and no clock: time is an argument.
//!
//! Where   `exercises/src/lifecycle.rs` and `exercises/src/pending.rs`. A function to
//!         write says `todo!("task 4.…")`; the lines above it say what it takes, returns
//!         and refuses. What is written already, you may use or replace, the fields of
//!         `Pending` too; signatures that are `pub` stay as they are.
//! Tasks   4.1  keep the order of a connection's life
//!         4.2  enter a request
//!         4.3  find who waits for an answer
//!         4.4  say what a strange answer was meant for
//!         4.5  end what has waited too long
//!         4.6  let everybody go when the connection is over
//! Order   4.1 stands alone. From 4.2 on as numbered: each needs those before it. The
//!         last tests of 4.6 play conversations with all of it, 4.1 included.
//! Given   `State` and `Event`, whose comments say what each one means; `InvalidTransition`;
//!         `contains`, `len` and `is_empty`.
//! Read    the book, chapter 4; MCP 2025-11-25, basic/lifecycle (Initialization,
//!         Shutdown) and basic/utilities/cancellation; JSON-RPC 2.0, §5.
//! Judge   cargo test -p exercises --test 04_client_lifecycle t4_1
//!         (without `t4_1` all tasks; all exercises, while all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    copy your modules over those in `src/`, run `cargo run --bin
//!         04-client-lifecycle`, and compare with the transcript.
//!         (The tests of the book miss marks then; `git restore src` brings them back.)

#[cfg(feature = "reference")]
use mcp_from_scratch::{lifecycle, pending};
#[cfg(not(feature = "reference"))]
#[path = "../src"]
mod exercise {
    pub mod lifecycle;
    pub mod pending;
}
#[cfg(not(feature = "reference"))]
use exercise::{lifecycle, pending};
// From chapter 1; your modules find it as `crate::jsonrpc`.
use mcp_from_scratch::jsonrpc;

use exercises::{Explain, Failure, Verdict, holds, judge, same, same_bytes};
use jsonrpc::{Id, Message, Request, Response};
use lifecycle::{
    Event::{self, *},
    InvalidTransition,
    State::{self, *},
};
use pending::Pending;
use std::{
    fmt::Write,
    time::{Duration, Instant},
};

// Task 4.1: keep the order of a connection's life

const STATES: [State; 5] = [New, Initializing, Initialized, Ready, Closed];
const EVENTS: [Event; 7] = [
    InitializeSent,
    InitializeAccepted,
    InitializeFailed,
    InitializedSent,
    ToolRequest,
    Ping,
    Close,
];

/// `event` in `state` leads to `after`.
fn leads(state: State, event: Event, after: State) -> Verdict {
    same(Ok(after), state.step(event)).given(format!("{event:?} in state {state:?}"))
}

/// `event` is refused in each of `states`, and the refusal keeps both.
fn refused(event: Event, states: &[State]) -> Verdict {
    states.iter().try_for_each(|state| {
        same(Err(InvalidTransition(*state, event)), state.step(event))
            .given(format!("{event:?} in state {state:?}"))
    })
}

#[test]
fn t4_1_a_handshake_leads_from_new_to_ready() {
    judge("4.1", "initialize, its answer, initialized: then tools may be used", || {
        let likely = "each of the three events leads one state further";
        leads(New, InitializeSent, Initializing).likely(likely)?;
        leads(Initializing, InitializeAccepted, Initialized).likely(likely)?;
        leads(Initialized, InitializedSent, Ready).likely(likely)?;
        let likely = "a request changes no state, and many may follow one another";
        leads(Ready, ToolRequest, Ready).likely(likely)?;
        leads(Ready, Ping, Ready).likely(likely)
    });
}

#[test]
fn t4_1_no_tool_before_the_handshake_is_done() {
    judge("4.1", "tools and ping wait until the state is ready", || {
        let likely = "the server is not told yet that the handshake is done; it may \
                      serve the call, refuse it or die of it";
        refused(ToolRequest, &[New, Initializing, Initialized]).likely(likely)?;
        refused(Ping, &[New, Initializing, Initialized]).likely(likely)
    });
}

#[test]
fn t4_1_initialized_waits_for_the_answer() {
    judge("4.1", "initialized is sent once, after initialize was answered", || {
        refused(InitializedSent, &[New, Initializing]).likely(
            "it went out before the answer: what was agreed is not known yet",
        )?;
        refused(InitializedSent, &[Ready]).likely("it was sent already")
    });
}

#[test]
fn t4_1_one_initialize_at_a_time_and_none_after_it_was_answered() {
    judge("4.1", "initialize is not doubled", || {
        refused(InitializeSent, &[Initializing])
            .likely("one is on its way, so a second has to wait until it has failed")?;
        refused(InitializeSent, &[Initialized, Ready])
            .likely("the handshake begins once in a connection's life")
    });
}

#[test]
fn t4_1_a_failed_initialize_may_be_tried_again() {
    judge("4.1", "after a failed initialize the state is new again", || {
        leads(Initializing, InitializeFailed, New).likely(
            "a failure was taken for the end; nothing is agreed, all is as new",
        )?;
        leads(New, InitializeSent, Initializing)
    });
}

#[test]
fn t4_1_only_an_initialize_on_its_way_is_answered_or_fails() {
    judge("4.1", "an answer to initialize counts only while it is on its way", || {
        let likely = "it belongs to no initialize that is waited for: the state stays";
        for event in [InitializeAccepted, InitializeFailed] {
            refused(event, &[New, Initialized, Ready]).likely(likely)?;
        }
        Ok(())
    });
}

#[test]
fn t4_1_closing_is_allowed_in_every_state_twice_too() {
    judge("4.1", "closing is allowed in every state, twice too", || {
        for state in STATES {
            leads(state, Close, Closed).likely(
                "who gives up does not know how far the connection had come, and must \
                 be able to close it",
            )?;
        }
        Ok(())
    });
}

#[test]
fn t4_1_closed_is_the_end() {
    judge("4.1", "in the state closed all but closing is refused", || {
        for event in EVENTS.into_iter().filter(|event| *event != Close) {
            refused(event, &[Closed])
                .likely("the connection is over; a new one has a state of its own")?;
        }
        Ok(())
    });
}

// Task 4.2: enter a request

fn id(number: i128) -> Id {
    Id::Integer(number)
}

fn string_id(text: &str) -> Id {
    Id::String(text.into())
}

fn seconds(number: u64) -> Duration {
    Duration::from_secs(number)
}

/// Requests 1, 2, 3, due after 10, 20 and 30 seconds.
const THREE: &str = "requests 1, 2, 3, due after 10, 20 and 30 s";

fn three(start: Instant) -> Pending<&'static str> {
    let mut pending = Pending::default();
    pending.open(start + seconds(10), "caller 1");
    pending.open(start + seconds(20), "caller 2");
    pending.open(start + seconds(30), "caller 3");
    pending
}

#[test]
fn t4_2_ids_count_from_1() {
    judge("4.2", "the ids of a connection are 1, 2, 3, …", || {
        let (now, mut pending) = (Instant::now(), Pending::default());
        let got = [(); 3].map(|()| pending.open(now, ()));
        same([id(1), id(2), id(3)], got)
            .given("three requests, one after the other")
            .likely("count up before the id is made, and keep the count")
    });
}

/// More requests than 16 bits can count.
const MANY: u32 = 70_000;

/// So many requests are open, all due at once.
fn many(count: u32, due: Instant) -> Pending<u32> {
    let mut pending = Pending::default();
    for number in 1..=count {
        pending.open(due, number);
    }
    pending
}

#[test]
fn t4_2_ids_count_on_without_end() {
    judge("4.2", "ids do not begin again, however many there are", || {
        let now = Instant::now();
        let mut pending = Pending::default();
        let likely = "the counter wrapped round, or it is too small";
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
fn t4_2_a_request_waits_from_then_on() {
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

// Task 4.3: find who waits for an answer

#[test]
fn t4_3_answers_in_the_order_3_1_2_reach_their_callers() {
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
fn t4_3_an_answered_request_has_left_the_table() {
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
fn t4_3_a_second_answer_finds_nobody() {
    judge("4.3", "an entry ends exactly once", || {
        let mut pending = three(Instant::now());
        pending.take(&id(1));
        same(None, pending.take(&id(1)))
            .given("the answer 1, twice")
            .likely("the entry is still there, or another caller got the answer")
    });
}

#[test]
fn t4_3_an_answer_to_nothing_finds_nobody() {
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
fn t4_3_a_string_is_no_number() {
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
fn t4_3_an_id_is_not_used_again() {
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

/// How long a little work takes with a small table, and with a large one. Each is done
/// ten times and its best time counts, for a machine may be busy with other things.
fn stays_quick(
    mut small: impl FnMut() -> Duration,
    mut large: impl FnMut() -> Duration,
) -> Verdict {
    const TIMES: u32 = 10;
    let bound = (0..10).map(|_| small()).min().unwrap_or_default() * TIMES;
    holds(
        (0..10).any(|_| large() < bound),
        "about as long with a large table as with a small one",
        format_args!("more than {TIMES} times as long"),
    )
}

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
fn t4_3_a_large_table_is_no_slower() {
    judge("4.3", "what an answer costs does not grow with the table", || {
        stays_quick(twenty_answers(20), twenty_answers(5000))
            .given("answers with 20 requests in flight, and with 5,000")
            .likely("each answer looks through all entries: let the id be the key")
    });
}

// Task 4.4: say what a strange answer was meant for

fn meant(pending: &Pending<&str>, strange: Id, expected: Option<Id>) -> Verdict {
    let given = format!("requests 1, 2, 3 and the id {strange}");
    same(expected, pending.numeric_equivalent(&strange)).given(given)
}

#[test]
fn t4_4_a_number_that_came_back_as_a_string_is_known() {
    judge("4.4", "\"2\" was meant for 2, where somebody waits for 2", || {
        meant(&three(Instant::now()), string_id("2"), Some(id(2)))
            .likely("read the string's digits as a number, and look that up")
    });
}

#[test]
fn t4_4_an_id_that_nobody_waits_for_means_nobody() {
    judge("4.4", "without such a number in the table nobody was meant", || {
        let mut pending = three(Instant::now());
        for strange in [string_id("4"), string_id("a"), string_id(""), id(7)] {
            meant(&pending, strange, None)
                .likely("a string may hold anything; and is its number waited for?")?;
        }
        meant(&pending, id(2), None)
            .likely("2 itself is no strange id: it is what was sent")?;
        pending.take(&id(2));
        same(None, pending.numeric_equivalent(&string_id("2")))
            .given("the id \"2\" after the answer 2")
            .likely("it is not waited for any more")
    });
}

#[test]
fn t4_4_a_large_number_is_known_too() {
    judge("4.4", "\"300\" was meant for 300, where somebody waits for it", || {
        let pending = many(300, Instant::now());
        for number in [9, 10, 255, 256, 300] {
            let text = number.to_string();
            same(Some(id(number)), pending.numeric_equivalent(&string_id(&text)))
                .given(format!("{text:?}, while 1 to 300 are open"))
                .likely(
                    "the digits are read into a type that is too small for an id",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t4_4_only_the_digits_that_were_sent_count() {
    judge("4.4", "\"01\" and \"+1\" are not how 1 was written", || {
        for strange in ["01", "+1", " 1", "1.0"] {
            meant(&three(Instant::now()), string_id(strange), None)
                .likely("`parse` accepts more than one way to write a number")?;
        }
        Ok(())
    });
}

// Task 4.5: end what has waited too long

#[test]
fn t4_5_the_next_deadline_is_the_soonest_that_is_left() {
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
        same(Some(seconds(10)), after(&pending))
            .given(given)
            .likely("the first or the last entry was taken for the soonest")?;
        pending.take(&id(2));
        same(Some(seconds(20)), after(&pending))
            .given(format!("{given}; the answer 2"))
            .likely("the deadline of an answered request is still there")?;
        pending.expire(start + seconds(20));
        same(Some(seconds(30)), after(&pending))
            .given(format!("{given}; the answer 2; 20 s went by"))
            .likely("the deadline of an expired request is still there")
    });
}

#[test]
fn t4_5_a_request_expires_at_its_deadline_and_not_before() {
    judge("4.5", "at the deadline itself the time is up, and not before", || {
        let start = Instant::now();
        let mut pending = three(start);
        let before = start + seconds(10) - Duration::from_nanos(1);
        same(vec![], pending.expire(before))
            .given(format!("{THREE}; one nanosecond before 10 s"))
            .likely("a request has all of its time")?;
        same(vec![(id(1), "caller 1")], pending.expire(start + seconds(10)))
            .given(format!("{THREE}; 10 s went by"))
            .likely(
                "who sleeps until the deadline wakes at it: with `<` nothing ends, and \
                 the sleeper wakes again and again",
            )
    });
}

#[test]
fn t4_5_all_that_are_due_end_soonest_first() {
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
        .likely("only one ended, or they came in the order of their ids")?;
        same(1, pending.len()).given(given).likely("who is not due goes on waiting")
    });
}

#[test]
fn t4_5_however_many_are_due_all_end_at_once() {
    judge("4.5", "however many are due, one call ends them all", || {
        let now = Instant::now();
        let mut pending = many(2000, now);
        let ended = pending.expire(now).len();
        same((2000, 0), (ended, pending.len()))
            .given("2000 requests that are due; how many ended and wait")
            .likely("the rest would wait beyond its deadline: there is no limit")
    });
}

#[test]
fn t4_5_with_one_deadline_the_older_request_ends_first() {
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
fn t4_5_an_answer_after_the_deadline_finds_nobody() {
    judge("4.5", "an entry ends once: by its deadline or by its answer", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.expire(start + seconds(10));
        same(None, pending.take(&id(1)))
            .given(format!("{THREE}; 10 s went by; the answer 1"))
            .likely("an expired entry is still in the table")?;
        pending.take(&id(2));
        same(vec![(id(3), "caller 3")], pending.expire(start + seconds(99)))
            .given("then the answer 2; 99 s went by")
            .likely("an answered request must not time out as well")?;
        same(0, pending.len()).given("how many still wait after that")
    });
}

#[test]
fn t4_5_an_expired_id_is_not_used_again() {
    judge("4.5", "no id is used twice, even after its request has expired", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.expire(start + seconds(99));
        same(id(4), pending.open(start, "caller 4"))
            .given(format!("{THREE}; 99 s went by; one request more"))
            .likely("the count began anew: a late answer would reach the wrong caller")
    });
}

/// A table with so many requests in groups of fifty, each with one deadline; each call
/// lets the next group expire and says how long that took.
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
fn t4_5_many_that_are_due_end_without_a_search_for_each() {
    judge("4.5", "what a timeout costs does not grow with the table", || {
        stays_quick(|| fifty_timeouts(50)(), fifty_timeouts(2000))
            .given("50 requests that expire, of 50 in the table and of 2,000")
            .likely("for each one that ends, all are searched for the soonest")
    });
}

// Task 4.6: let everybody go when the connection is over

#[test]
fn t4_6_everybody_who_waits_is_let_go() {
    judge("4.6", "at the end nobody is left waiting", || {
        let (start, mut pending) = (Instant::now(), Pending::default());
        for (due, caller) in [(30, "c"), (10, "a"), (20, "b"), (20, "b, too")] {
            pending.open(start + seconds(due), caller);
        }
        pending.take(&id(2));
        let given =
            "requests 1 to 4, due after 30, 10, 20, 20 s; the answer 2; the end";
        same(vec!["b", "b, too", "c"], pending.drain()).given(given).likely(
            "all who wait, each once, in the order in which they would have expired",
        )?;
        let next = pending.next_deadline().map(|at| at - start);
        same((0, None), (pending.len(), next))
            .given("how many wait after that, and the next deadline")
            .likely("both the entries and their deadlines are gone")?;
        same(Vec::<&str>::new(), pending.drain())
            .given("then the end once more")
            .likely("an entry ends exactly once")
    });
}

#[test]
fn t4_6_however_many_wait_all_are_let_go_at_once() {
    judge("4.6", "however many wait, one call lets them all go", || {
        let mut pending = many(2000, Instant::now());
        let gone = pending.drain();
        let in_order = gone.iter().copied().eq(1..=2000);
        holds(in_order, "callers 1 to 2000, in order", gone.len())
            .given("2000 requests with one deadline; how many were let go")
            .likely("somebody is forgotten, or they came in another order")
    });
}

#[test]
fn t4_6_an_id_is_not_used_again_after_the_end() {
    judge("4.6", "no id is used twice, even after the table was emptied", || {
        let start = Instant::now();
        let mut pending = three(start);
        pending.drain();
        same(None, pending.take(&id(1)))
            .given(format!("{THREE}; the end; the answer 1"))
            .likely("an entry ends exactly once")?;
        same(id(4), pending.open(start, "caller 4"))
            .given(format!("{THREE}; the end; one request more"))
            .likely("the whole table was replaced, its count included")
    });
}

/// A client out of your two modules. Its server is whoever writes the test.
struct Client {
    state: State,
    pending: Pending<&'static str>,
    start: Instant,
    /// What has crossed the wire, and what else has happened.
    log: String,
}

impl Client {
    fn new() -> Self {
        let (pending, start) = (Pending::default(), Instant::now());
        Self { state: New, pending, start, log: String::new() }
    }

    /// After the handshake, whose only request is number 1.
    fn ready() -> Result<Self, Failure> {
        let mut client = Self::new();
        client.sends(InitializeSent, "initialize", 10, 1)?;
        client
            .receives(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Some("initialize"))?;
        client.goes_to(InitializeAccepted, Initialized)?;
        client.goes_to(InitializedSent, Ready)?;
        Ok(client)
    }

    fn goes_to(&mut self, event: Event, after: State) -> Verdict {
        let _ = writeln!(self.log, "{event:?} in state {:?}", self.state);
        same(Ok(after), self.state.step(event))
            .given(&self.log)
            .likely("the life cycle of task 4.1 does not lead there")?;
        self.state = after;
        Ok(())
    }

    /// Sends a request, due after so many seconds, which must carry `number`.
    fn sends(
        &mut self,
        event: Event,
        who: &'static str,
        due: u64,
        number: i128,
    ) -> Verdict {
        let after = if event == InitializeSent { Initializing } else { self.state };
        self.goes_to(event, after)?;
        let encoded = |id| {
            let (method, params) = (who.to_owned(), None);
            Message::Request(Request { id, method, params }).encode()
        };
        let sent = encoded(self.pending.open(self.start + seconds(due), who));
        let _ = writeln!(self.log, "[mcp:send]    {}", String::from_utf8_lossy(&sent));
        same_bytes(encoded(id(number)), sent)
            .given(&self.log)
            .likely("ids go on by one with each request, whatever came in between")
    }

    /// Receives an answer, which must reach this caller.
    fn receives(&mut self, frame: &str, caller: Option<&'static str>) -> Verdict {
        let _ = writeln!(self.log, "[mcp:receive] {frame}");
        let likely = match caller {
            Some(_) => "the id in the last frame says whose answer it is",
            None => "nobody waits for the id in the last frame (any more)",
        };
        same(caller, self.pending.take(&answered(frame)?))
            .given(&self.log)
            .likely(likely)
    }

    fn waits_until(
        &mut self,
        second: u64,
        expired: &[(i128, &'static str)],
    ) -> Verdict {
        let _ = writeln!(self.log, "{second} s after the start");
        let expected: Vec<_> = expired.iter().map(|(n, who)| (id(*n), *who)).collect();
        same(expected, self.pending.expire(self.start + seconds(second)))
            .given(&self.log)
            .likely("those end whose time is up and who have no answer yet, no others")
    }
}

fn answered(frame: &str) -> Result<Id, Failure> {
    match jsonrpc::parse(frame.as_bytes()) {
        Ok(Message::Response(Response { id: Some(id), .. })) => Ok(id),
        _ => Err(Failure::new("a frame of this test is no answer")),
    }
}

#[test]
fn t4_6_a_conversation_with_answers_out_of_order() {
    judge("4.6", "each frame has its own id, each answer its own caller", || {
        let mut client = Client::ready()?;
        client.sends(ToolRequest, "tools/list", 10, 2)?;
        client.sends(ToolRequest, "tools/call", 10, 3)?;
        client.sends(Ping, "ping", 10, 4)?;
        client.receives(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#, Some("ping"))?;
        let list = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}"#;
        client.receives(list, Some("tools/list"))?;
        let failed =
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"no"}}"#;
        client.receives(failed, Some("tools/call"))?;
        client.sends(ToolRequest, "tools/list", 10, 5)?;
        same(vec!["tools/list"], client.pending.drain())
            .given(client.log)
            .likely("all but the last request were answered")
    });
}

#[test]
fn t4_6_a_conversation_with_one_answer_too_late_and_one_never() {
    judge("4.6", "a late answer reaches nobody, and the others go on", || {
        let mut client = Client::ready()?;
        client.sends(ToolRequest, "slow", 5, 2)?;
        client.sends(ToolRequest, "quick", 5, 3)?;
        client.sends(ToolRequest, "never", 20, 4)?;
        client.receives(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, Some("quick"))?;
        client.waits_until(4, &[])?;
        client.waits_until(5, &[(2, "slow")])?;
        client.receives(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#, None)?;
        client.receives(r#"{"jsonrpc":"2.0","id":3,"result":{}}"#, None)?;
        client.receives(r#"{"jsonrpc":"2.0","id":"4","result":{}}"#, None)?;
        same(Some(id(4)), client.pending.numeric_equivalent(&string_id("4")))
            .given(&client.log)
            .likely("the last frame was meant for 4, which is still waited for")?;
        client.sends(ToolRequest, "again", 30, 5)?;
        client.waits_until(20, &[(4, "never")])?;
        client.receives(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#, Some("again"))?;
        same(Vec::<&str>::new(), client.pending.drain())
            .given(client.log)
            .likely("everybody has had an answer or a timeout")
    });
}

#[test]
fn t4_6_a_conversation_that_breaks_off() {
    judge("4.6", "when the connection is over, all who wait learn it once", || {
        let mut client = Client::ready()?;
        client.sends(ToolRequest, "slow", 30, 2)?;
        client.sends(ToolRequest, "quick", 10, 3)?;
        client.goes_to(Close, Closed)?;
        same(vec!["quick", "slow"], client.pending.drain())
            .given(&client.log)
            .likely("both wait, and neither will be answered any more")?;
        client.receives(r#"{"jsonrpc":"2.0","id":2,"result":{}}"#, None)?;
        client.waits_until(99, &[])?;
        refused(ToolRequest, &[client.state]).likely("the connection is over")?;
        client.goes_to(Close, Closed)
    });
}

/// The same table as a plain list of deadline and id, searched from end to end.
#[derive(Default)]
struct List {
    last: i128,
    entries: Vec<(u64, i128)>,
}

impl List {
    fn end(&mut self, ends: impl Fn(&(u64, i128)) -> bool) -> Vec<i128> {
        let (mut ended, left): (Vec<_>, _) =
            self.entries.iter().copied().partition(ends);
        self.entries = left;
        ended.sort();
        ended.into_iter().map(|(_, number)| number).collect()
    }
}

/// One step of both, chosen by `dice`; what happened goes into `story`.
fn play(
    dice: u64,
    now: &mut u64,
    (list, pending): (&mut List, &mut Pending<i128>),
    (start, story): (Instant, &mut String),
) -> Verdict {
    let (kind, number) = (dice % 8, dice / 8 % 6);
    match kind {
        0..=3 => {
            let due = *now + number;
            let _ = writeln!(story, "a request, due after {due} s");
            list.last += 1;
            list.entries.push((due, list.last));
            same(id(list.last), pending.open(start + seconds(due), list.last))
        }
        4 | 5 => {
            let number = i128::from(number);
            let _ = writeln!(story, "the answer {number}");
            same(list.end(|(_, id)| *id == number).pop(), pending.take(&id(number)))
        }
        6 => {
            *now += number;
            let _ = writeln!(story, "{now} s after the start");
            let expected = list.end(|(due, _)| due <= now);
            let expected: Vec<_> = expected.into_iter().map(|n| (id(n), n)).collect();
            same(expected, pending.expire(start + seconds(*now)))
        }
        _ => {
            let _ = writeln!(story, "everybody is let go");
            same(list.end(|_| true), pending.drain())
        }
    }
}

#[test]
fn t4_6_whatever_happens_the_table_does_what_a_plain_list_does() {
    judge("4.6", "whatever happens, each entry ends once, at the right event", || {
        let start = Instant::now();
        let mut dice = 1_u64;
        let likely = "play it through by hand, with a list, up to the last line";
        for _ in 0..1000 {
            let (mut list, mut pending) = (List::default(), Pending::default());
            let (mut now, mut story) = (0, String::new());
            for _ in 0..8 {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (both, told) = ((&mut list, &mut pending), (start, &mut story));
                play(dice >> 33, &mut now, both, told).given(&story).likely(likely)?;
                let next = list.entries.iter().map(|(due, _)| seconds(*due)).min();
                let got = pending.next_deadline().map(|at| at - start);
                same((list.entries.len(), next), (pending.len(), got))
                    .given(format!("{story}how many wait now, and the next deadline"))
                    .likely(likely)?;
            }
        }
        Ok(())
    });
}
