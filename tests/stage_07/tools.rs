//! Failures around tools: what the model reads, and whose tool runs.

use crate::{
    parts::{self, code, text},
    wire::Printed,
};

fn readings(half: &Printed) -> Vec<&str> {
    half.after("· the model reads: ")
}

#[test]
fn a_failure_as_an_error_ends_the_turn_and_the_model_never_reads_it() {
    let (wrong, _) = parts::of("error-layering");
    let [call] = wrong.ids("tools/call")[..] else { panic!("one call, none after it") };
    let answer = wrong.answer(call).expect("an answer");
    assert_eq!(-32603, code(&answer));
    let reason = answer["error"]["message"].as_str().expect("a text");
    assert_eq!(["tool execution failed"], readings(&wrong)[..]);
    let end = wrong.after("· the turn ends without one: tool execution failed: ");
    assert!(end[0].ends_with(reason), "the caller reads why: {end:?}");
}

#[test]
fn a_failure_as_data_is_read_and_mended() {
    let (_, right) = parts::of("error-layering");
    let [first, second] = right.ids("tools/call")[..] else { panic!("two calls") };
    let failed = right.answer(first).expect("an answer");
    let mended = right.answer(second).expect("an answer");
    assert_eq!(true, failed["result"]["isError"]);
    assert!(mended["result"]["isError"].is_null());
    assert_eq!([text(&failed), text(&mended)], readings(&right)[..]);
    let sent = right.sent();
    let call = sent.last().expect("a call")["params"]["arguments"]["name"].clone();
    let hint = format!("did you mean `{}`?", call.as_str().expect("a name"));
    assert!(text(&failed).ends_with(&hint), "the second call is what it read");
    let end = right.after("· the turn ends with an answer: ");
    assert!(end[0].contains(text(&mended)), "{end:?}");
}

/// What came of the calls of one tool, in their order.
fn outcomes<'a>(half: &'a Printed, tool: &str) -> Vec<&'a str> {
    half.after(&format!("· {tool} -> "))
}

fn risks<'a>(half: &'a Printed, tool: &str) -> Vec<&'a str> {
    let lines = half.after("· ").into_iter().filter_map(|line| line.split_once(' '));
    let own = lines.filter(|(name, _)| *name == tool).map(|(_, rest)| rest.trim());
    own.filter(|risk| ["auto", "suggest", "approve"].contains(risk)).collect()
}

#[test]
fn an_overwritten_tool_runs_elsewhere_and_asks_nobody() {
    let (wrong, _) = parts::of("name-collision");
    let add = outcomes(&wrong, "add");
    assert_eq!(["the local add ran", "the remote add ran"], add[..]);
    let delete = outcomes(&wrong, "delete_file");
    assert!(delete[0].starts_with("refused: "), "{delete:?}");
    assert_eq!("the remote delete_file ran", delete[1]);
    assert_eq!(["auto"], risks(&wrong, "delete_file")[..]);
    let calls = wrong.ids("tools/call");
    let ran: Vec<_> = calls.iter().filter_map(|id| wrong.answer(*id)).collect();
    assert_eq!([add[1], delete[1]], [text(&ran[0]), text(&ran[1])]);
}

#[test]
fn a_reported_collision_leaves_tool_and_risk_as_they_were() {
    let (_, right) = parts::of("name-collision");
    assert_eq!(2, right.after("· skipped tool ").len());
    assert_eq!(["the local add ran"], outcomes(&right, "add")[..]);
    assert_eq!(["approve"], risks(&right, "delete_file")[..]);
    assert_eq!(["approve"], risks(&right, "mcp__other__delete_file")[..]);
    for tool in ["delete_file", "mcp__other__delete_file"] {
        let outcomes = outcomes(&right, tool);
        assert!(outcomes.len() == 1 && outcomes[0].starts_with("refused: "), "{tool}");
    }
    assert!(right.ids("tools/call").is_empty(), "nothing went to the server");
}
