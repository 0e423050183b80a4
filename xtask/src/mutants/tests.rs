use super::*;

const MUTANT: &str = "src/frame.rs: replace encode with ()";

/// What is wrong after the mutants of `src/frame.rs` were tried.
fn wrong(known: &[(&str, &str)], survived: &[&str]) -> Vec<String> {
    let known = known.iter().map(|(mutant, reason)| Survivor {
        mutant: (*mutant).into(),
        reason: (*reason).into(),
    });
    let survived = Vec::from_iter(survived.iter().map(|mutant| (*mutant).to_owned()));
    compare(&Vec::from_iter(known), &["src/frame.rs".into()], &survived)
}

#[test]
fn a_survivor_with_a_reason_is_right() {
    assert_eq!(Vec::<String>::new(), wrong(&[], &[]));
    assert_eq!(Vec::<String>::new(), wrong(&[(MUTANT, "it is a log")], &[MUTANT]));
}

#[test]
fn a_survivor_without_a_reason_is_found() {
    let expected = [format!("no reason: {MUTANT}")];
    for known in [&[][..], &[(MUTANT, "")], &[(MUTANT, " \n")]] {
        assert_eq!(expected, wrong(known, &[MUTANT])[..], "{known:?}");
    }
}

#[test]
fn a_reason_for_what_does_not_survive_any_more_is_found() {
    let expected = [format!("does not survive any more: {MUTANT}")];
    assert_eq!(expected, wrong(&[(MUTANT, "it is a log")], &[])[..]);
}

#[test]
fn a_reason_for_a_module_that_was_not_tried_is_not_judged() {
    let other = "src/frame/headers.rs: replace parse with None";
    assert_eq!(Vec::<String>::new(), wrong(&[(other, "it is a log")], &[]));
}

#[test]
fn a_mutant_is_known_without_its_place() {
    let line = "src/frame.rs:12:5: replace encode with ()";
    assert_eq!(MUTANT, without_place(line));
    let line = "src/frame.rs:12:5: replace :: with ()";
    assert_eq!("src/frame.rs: replace :: with ()", without_place(line));
}
