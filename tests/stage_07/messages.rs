//! Failures of the conversation: whose answer, when, and whether there is one.

use crate::{
    parts::{self, code, text},
    wire::Printed,
};
use serde_json::Value;

const INITIALIZED: &str = "notifications/initialized";

/// Who got which text, as the lab says it, and the text of the caller's own answer.
#[track_caller]
fn callers(half: &Printed) -> Vec<(String, String)> {
    let calls = half.sent().into_iter().filter(|f| f["method"] == "tools/call");
    let own = |frame: &Value| {
        let id = frame["id"].as_i64().expect("an id");
        text(&half.answer(id).expect("an answer")).to_owned()
    };
    let got = |frame: &Value| {
        let name = frame["params"]["name"].as_str().expect("a name");
        let start = format!("· the caller of `{name}` got: ");
        let [got] = half.after(&start)[..] else { panic!("one line for {name}") };
        got.trim_matches('"').to_owned()
    };
    calls.map(|frame| (own(&frame), got(&frame))).collect()
}

#[test]
fn pairing_by_order_gives_each_caller_the_others_answer_and_by_id_its_own() {
    let (wrong, right) = parts::of("id-mismatch");
    for half in [&wrong, &right] {
        let calls = half.ids("tools/call");
        let answers = half.received().into_iter().filter_map(|f| f["id"].as_i64());
        let mut overtaken: Vec<_> = answers.filter(|id| calls.contains(id)).collect();
        assert_ne!(calls, overtaken, "the answers come in another order");
        overtaken.reverse();
        assert_eq!(calls, overtaken);
    }
    let [(slow, slow_got), (quick, quick_got)] = &callers(&wrong)[..] else {
        panic!("two callers")
    };
    assert_ne!(slow, quick);
    assert_eq!((quick, slow), (slow_got, quick_got));
    for (own, got) in callers(&right) {
        assert_eq!(own, got);
    }
}

#[test]
fn whatever_comes_too_early_is_refused_or_unheard() {
    let (wrong, _) = parts::of("early-call");
    let sections = wrong.sections();
    let [first, unheard, unread] = &sections[..] else { panic!("three ways") };

    assert_eq!(1, first.sent().len());
    assert_eq!(-32600, code(&first.answer(1).expect("an answer")));

    let methods: Vec<_> = unheard.sent().iter().map(|f| f["method"].clone()).collect();
    assert_eq!([INITIALIZED, "initialize", "tools/list"], methods[..]);
    assert_eq!(0, code(&unheard.answer(1).expect("an answer")));
    assert_eq!(-32600, code(&unheard.answer(2).expect("an answer")));

    let frames = unread.frames();
    let position = |wanted: (bool, &str)| {
        let is = |(sent, frame): &(bool, Value)| match wanted {
            (true, method) => *sent && frame["method"] == method,
            (false, _) => !*sent,
        };
        frames.iter().position(is).expect("it is there")
    };
    assert!(position((true, INITIALIZED)) < position((false, "")));
    let offered = &unread.sent()[0]["params"]["protocolVersion"];
    let answered = &unread.received()[0]["result"]["protocolVersion"];
    assert_ne!(offered, answered);
    let says = format!("· offered {offered}, said yes to {answered} unread");
    assert_eq!(1, unread.after(&says).len(), "{}", unread.stdout);
}

#[test]
fn the_real_client_refuses_before_a_byte_is_sent() {
    let (_, right) = parts::of("early-call");
    let (before, after) =
        right.stdout.split_once("· frames sent so far: 0\n").expect("nothing was sent");
    assert!(parts::half(before).frames().is_empty());
    assert_eq!(2, before.matches(" refused: ").count());
    let frames = parts::half(after);
    let methods: Vec<_> = frames.sent().iter().map(|f| f["method"].clone()).collect();
    assert_eq!(["initialize", INITIALIZED, "tools/list"], methods[..]);
    assert!(frames.answer(2).expect("an answer")["result"]["tools"].is_array());
}

#[test]
fn a_numbered_notification_is_answered_to_nobody_and_opens_nothing() {
    let (wrong, right) = parts::of("notification-id");
    let [numbered] = wrong.ids(INITIALIZED)[..] else { panic!("one with an id") };
    let [list] = wrong.ids("tools/list")[..] else { panic!("one list") };
    assert_eq!(-32601, code(&wrong.answer(numbered).expect("an answer")));
    assert_eq!(-32600, code(&wrong.answer(list).expect("an answer")));
    let nobodys = wrong.after("· nobody waits for answer ");
    assert_eq!([numbered.to_string()], nobodys[..]);

    assert!(right.ids(INITIALIZED).is_empty(), "it has no id");
    let [list] = right.ids("tools/list")[..] else { panic!("one list") };
    let answer = right.answer(list).expect("an answer");
    let tools = answer["result"]["tools"].as_array().expect("tools").len();
    let open = format!("· the gate is open: {tools} tool(s) listed");
    assert_eq!(1, right.after(&open).len());
}

#[test]
fn a_bounded_request_is_cancelled_and_an_unbounded_one_waits() {
    let (wrong, right) = parts::of("no-timeout");
    let [call] = wrong.ids("tools/call")[..] else { panic!("one call") };
    assert_eq!(None, wrong.answer(call));
    assert_eq!("tools/call", wrong.sent().last().expect("a call")["method"]);
    assert_eq!(1, wrong.after("· still waiting; ").len());

    let [call] = right.ids("tools/call")[..] else { panic!("one call") };
    assert_eq!(None, right.answer(call));
    let sent = right.sent();
    let is_cancelled = |f: &&Value| f["method"] == "notifications/cancelled";
    let cancelled: Vec<_> = sent.iter().filter(is_cancelled).collect();
    assert_eq!(
        (1, &Value::from(call)),
        (cancelled.len(), &cancelled[0]["params"]["requestId"])
    );
    assert_eq!(1, right.after("· no answer to `tools/call` within ").len());
    assert_eq!(1, right.after("· pending after it: 0; ").len());
    let [ping] = right.ids("ping")[..] else { panic!("one ping") };
    assert!(right.answer(ping).is_some_and(|answer| code(&answer) == 0));
}
