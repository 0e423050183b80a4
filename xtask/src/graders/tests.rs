use super::*;
use crate::run::Ended;
use std::collections::BTreeMap;

const SAID: &str = "task 9.1, begin\n\n  got       7, at exercises/src/m.rs:12";

fn solution(expected: Expected) -> Solution {
    Solution { name: "fault-x".into(), changed: BTreeMap::new(), expected }
}

/// `t9_1_a` must fail with these words.
fn fault(words: &str) -> Solution {
    solution(Expected::Fail([("t9_1_a".into(), words.into())].into()))
}

fn failed() -> Test {
    Test::Failed(SAID.into())
}

/// Of two tests, `t9_1_a` and `t9_2_b`, these results.
fn tests(first: Test, second: Test) -> Tests {
    let all = [("t9_1_a".into(), first), ("t9_2_b".into(), second)].into();
    Tests { all, ended: Ended::Exited(101) }
}

struct Proof {
    folder: tempfile::TempDir,
}

impl Proof {
    /// With a fixture that holds what [`SAID`] says.
    fn new() -> Self {
        let proof = Self { folder: tempfile::tempdir().expect("a folder") };
        let words = format!("t9_1_a\n\n{}\n\n", SAID.replace(":12", ""));
        files::write(&proof.fixture(), &words).expect("a fixture");
        proof
    }

    fn fixture(&self) -> std::path::PathBuf {
        self.folder.path().join("fault-x.txt")
    }

    fn accept(&self, tests: &Tests, solution: &Solution) -> Result<String, String> {
        let written = ["t9_1_a", "t9_2_b"].map(String::from).into();
        accept(tests, &written, solution, &self.fixture(), false)
            .map_err(|error| format!("{error:#}"))
    }

    #[track_caller]
    fn refuses(&self, tests: &Tests, solution: &Solution, why: &str) {
        let refused = self.accept(tests, solution).expect_err("it is refused");
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn a_fault_that_fails_what_it_names_with_these_words_is_right() {
    let tests = tests(failed(), Test::Passed);
    let line = Proof::new().accept(&tests, &fault("7, at"));
    assert_eq!(Ok("fails 1 of 2".into()), line);
}

#[test]
fn a_fault_that_fails_other_tests_than_named_is_reported() {
    let proof = Proof::new();
    let why = "expected to fail: {\n    \"t9_1_a\",\n}\nfailed: {\n    \"t9_2_b\",\n}";
    proof.refuses(&tests(Test::Passed, failed()), &fault("7"), why);
    let why = "failed: {\n    \"t9_1_a\",\n    \"t9_2_b\",\n}";
    proof.refuses(&tests(failed(), failed()), &fault("7"), why);
    proof.refuses(&tests(Test::Passed, Test::Passed), &fault("7"), "failed: {}");
}

#[test]
fn a_test_that_does_not_say_the_words_is_reported() {
    let why = "t9_1_a does not say “8”";
    Proof::new().refuses(&tests(failed(), Test::Passed), &fault("8"), why);
}

/// A fault that ends the program would hide what the learner is to read.
#[test]
fn a_test_that_was_lost_has_not_failed() {
    let why = "t9_1_a has not failed but was lost";
    Proof::new().refuses(&tests(Test::Lost, Test::Passed), &fault("7"), why);
}

#[test]
fn a_text_that_differs_from_its_fixture_is_reported() {
    let proof = Proof::new();
    let other = Test::Failed(SAID.replace("got  ", "seen "));
    let why = "what the learner reads has changed";
    proof.refuses(&tests(other, Test::Passed), &fault("7"), why);
    std::fs::remove_file(proof.fixture()).expect("it was there");
    proof.refuses(&tests(failed(), Test::Passed), &fault("7"), why);
}

#[test]
fn a_line_number_changes_no_fixture() {
    let moved = Test::Failed(SAID.replace(":12", ":3456"));
    let line = Proof::new().accept(&tests(moved, Test::Passed), &fault("7"));
    assert_eq!(Ok("fails 1 of 2".into()), line);
}

#[test]
fn an_update_writes_what_is_compared_afterwards() {
    let proof = Proof::new();
    let tests = tests(Test::Failed("new words".into()), Test::Passed);
    let written = ["t9_1_a", "t9_2_b"].map(String::from).into();
    accept(&tests, &written, &fault("new"), &proof.fixture(), true).expect("written");
    assert_eq!(Ok("fails 1 of 2".into()), proof.accept(&tests, &fault("new")));
}

#[test]
fn a_right_solution_fails_nothing() {
    let (proof, right) = (Proof::new(), solution(Expected::AllPass));
    let line = proof.accept(&tests(Test::Passed, Test::Passed), &right);
    assert_eq!(Ok("passes all 2".into()), line);
    proof.refuses(&tests(Test::Passed, failed()), &right, "expected to fail: {}");
    proof.refuses(&tests(Test::Passed, Test::Lost), &right, "expected to fail: {}");
}

#[test]
fn stubs_fail_everything() {
    let why = "expected to fail: {\n    \"t9_1_a\",\n    \"t9_2_b\",\n}";
    let stubs = solution(Expected::AllFail);
    Proof::new().refuses(&tests(failed(), Test::Passed), &stubs, why);
}

#[test]
fn a_task_that_is_written_passes_whatever_the_others_do() {
    let (proof, first) = (Proof::new(), Expected::Pass(["t9_1_".into()].into()));
    let first = solution(first);
    for other in [Test::Passed, failed(), Test::Lost] {
        proof.accept(&tests(Test::Passed, other), &first).expect("it is right");
    }
    let why = "failed: {\n    \"t9_1_a\",\n    \"t9_2_b\",\n}";
    proof.refuses(&tests(failed(), failed()), &first, why);
}

#[test]
fn a_test_that_is_written_and_did_not_run_is_reported() {
    let mut one = tests(Test::Passed, Test::Passed);
    one.all.remove("t9_2_b");
    let why = "the tests that ran are not those that are written";
    Proof::new().refuses(&one, &solution(Expected::AllPass), why);
}

#[test]
fn the_tests_of_a_grader_are_found_in_its_source() {
    let grader = "fn helper() {}\n\n/// Why.\n#[test]\nfn t9_1_a() {\n}\n\
        #[test]\nfn t9_2_b() {\n}\n";
    let names = ["t9_1_a", "t9_2_b"].map(String::from);
    assert_eq!(BTreeSet::from(names), names_in(grader));
}
