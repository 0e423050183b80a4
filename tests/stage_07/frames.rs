//! Failures of the wire: boundaries, noise, newlines.

use crate::parts::{self, code, text};
use serde_json::Value;

/// The length in a header as the lab printed it, and the body behind it.
#[track_caller]
fn headed(written: &str) -> (usize, &str) {
    let rest = written.strip_prefix("Content-Length: ").expect("a header");
    let (length, body) = rest.split_once("\\r\\n\\r\\n").expect("a header's end");
    (length.parse().expect("a number"), body)
}

#[test]
fn a_length_in_characters_loses_the_call_and_one_in_bytes_does_not() {
    let (wrong, right) = parts::of("frame-boundary");
    let (wrong, right) = (&wrong.sections()[0], &right.sections()[0]);
    let (length, body) = headed(wrong.after("write ")[0]);
    assert_eq!((body.chars().count(), 4), (length, body.len() - length));
    assert_eq!(None, wrong.answer(2), "the call is lost");
    let errors: Vec<_> =
        wrong.received().into_iter().filter(|f| code(f) != 0).collect();
    assert_eq!(
        (1, -32700, &Value::Null),
        (errors.len(), code(&errors[0]), &errors[0]["id"])
    );
    let cut = format!("at line 1 column {length}");
    assert!(errors[0]["error"]["message"].as_str().expect("a text").ends_with(&cut));
    let noise = wrong.after("· the server's stderr: ! skipped 4 bytes ");
    assert!(noise[0].ends_with(&body[length..]), "{noise:?}");
    assert!(wrong.answer(3).is_some(), "the server goes on");

    let (length, body) = headed(right.after("write ")[0]);
    assert_eq!(body.len(), length);
    assert_eq!("你好", text(&right.answer(2).expect("an answer")));
    assert!(right.answer(3).is_some_and(|answer| code(&answer) == 0));
}

#[test]
fn two_answers_in_one_chunk_are_no_message_and_two_frames() {
    let (wrong, right) = parts::of("frame-boundary");
    let (wrong, right) = (&wrong.sections()[1], &right.sections()[1]);
    let chunk = wrong.after("read  ")[0];
    let lines: Vec<_> = chunk.split_terminator("\\n").collect();
    assert_eq!(2, lines.len(), "{chunk}");
    assert_eq!(1, wrong.after("· error -32700: ").len());
    let frames: Vec<_> =
        right.received().iter().map(Value::to_string).map(sorted).collect();
    let inside: Vec<_> = lines.into_iter().map(String::from).map(sorted).collect();
    assert_eq!(inside, frames);
}

/// A message whatever the order of its members.
fn sorted(json: String) -> Value {
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn a_log_on_stdout_costs_a_trusting_client_its_answer_in_both_framings() {
    let (wrong, _) = parts::of("stdout-noise");
    let sections = wrong.sections();
    for (section, reason) in
        sections.iter().zip(["not JSON: ", "expected Content-Length, "])
    {
        let given_up = section.after("· the client gives up: ");
        assert!(given_up.len() == 1 && given_up[0].starts_with(reason), "{given_up:?}");
        let answers = section.after("[mcp:receive] {");
        assert_eq!(1, answers.len(), "to initialize, none to the call");
    }
    assert_eq!(2, sections.len());
}

#[test]
fn the_real_client_gets_its_answer_among_noise_and_a_log_on_stderr_is_no_noise() {
    let (_, right) = parts::of("stdout-noise");
    let sections = right.sections();
    let noise = [
        "! no message: not JSON: ",
        "! skipped 14 bytes outside any frame (printed to stdout?): [echo] called",
    ];
    for (section, noise) in sections.iter().zip(noise) {
        let frames = section.after("[mcp:receive] {");
        let last = frames.last().expect("an answer");
        assert_eq!(1, section.after(noise).len(), "{}", section.stdout);
        assert!(last.contains(r#""id":2,"result":{"content":"#), "{last}");
        assert_eq!(["hello"], section.after("· the caller got: ")[..]);
        assert!(section.after("· the server's stderr: ").is_empty());
    }
    let clean = &sections[2];
    assert_eq!("hello", text(&clean.answer(2).expect("an answer")));
    assert_eq!(["[echo] called"], clean.after("· the server's stderr: ")[..]);
    assert!(clean.after("! ").is_empty());
}

#[test]
fn each_line_of_a_pretty_message_is_an_error_and_one_line_is_a_message() {
    let (wrong, right) = parts::of("raw-newline");
    let written = wrong.after("write ")[0];
    let lines: Vec<_> = written.split_terminator("\\n").collect();
    assert!(lines.len() > 1, "{written}");
    let received = wrong.received();
    assert_eq!(lines.len(), received.len());
    for answer in &received {
        assert_eq!((-32700, &Value::Null), (code(answer), &answer["id"]));
    }
    let written = right.after("write ")[0];
    assert_eq!(Some(written.len() - 2), written.find("\\n"), "one, at the end");
    let whole: Value = serde_json::from_str(&lines.concat()).expect("JSON");
    let same: Value =
        serde_json::from_str(written.trim_end_matches("\\n")).expect("JSON");
    assert_eq!(whole, same, "the message is the same");
    assert_eq!(1, right.received().len());
    assert!(right.answer(1).is_some_and(|answer| answer["result"].is_object()));
}
