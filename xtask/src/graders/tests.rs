use super::*;
use crate::run::Ended;
use exercises::course::Task;
use std::collections::BTreeMap;

const TEXT: &str =
    "task 9.1, begin\n\n  got       nothing yet, at exercises/src/m.rs:12";
const EXERCISE: Exercise = Exercise {
    number: "09",
    title: "a sample",
    target: "09_sample",
    modules: &[],
    tasks: &[Task { number: "9.1", title: "begin", section: "S", regions: &[] }],
};

fn solution(expected: Expected) -> Solution {
    Solution { name: "fault-x".into(), changed: BTreeMap::new(), expected }
}

fn fault() -> Solution {
    solution(Expected::Fail(["t9_1::a".into()].into()))
}

fn failed(text: &str) -> Test {
    Test::Failed(text.into())
}

/// The results of two tests, `t9_1::a` and `t9_1::b`.
fn tests(first: Test, second: Test) -> Tests {
    let all = [("t9_1::a".into(), first), ("t9_1::b".into(), second)].into();
    Tests { all, ended: Ended::Exited(101) }
}

#[track_caller]
fn refused(solution: &Solution, tests: &Tests, why: &str) {
    let error = accept(&EXERCISE, solution, tests).expect_err("it is refused");
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn a_fault_fails_exactly_the_tests_that_it_names() {
    let right = tests(failed(TEXT), Test::Passed);
    accept(&EXERCISE, &fault(), &right).expect("it is right");
    refused(
        &fault(),
        &tests(Test::Passed, failed("")),
        "expected to fail: {\n    \"t9_1::a\"",
    );
    refused(
        &fault(),
        &tests(failed(""), failed("")),
        "failed: {\n    \"t9_1::a\",\n    \"t9_1::b\"",
    );
    refused(&fault(), &tests(Test::Lost, Test::Passed), "t9_1::a did not end");
}

#[test]
fn a_right_solution_fails_nothing() {
    let right = solution(Expected::AllPass);
    accept(&EXERCISE, &right, &tests(Test::Passed, Test::Passed)).expect("it is right");
    refused(&right, &tests(Test::Passed, Test::Lost), "expected to fail: {}");
}

#[test]
fn stubs_fail_every_test_and_each_names_its_task() {
    let stubs = solution(Expected::AllUnwritten);
    accept(&EXERCISE, &stubs, &tests(failed(TEXT), failed(TEXT))).expect("it is right");
    refused(&stubs, &tests(failed(TEXT), Test::Passed), "\"t9_1::b\",\n}\nfailed");
    for other in [TEXT.replace("9.1", "9.2"), TEXT.replace("nothing yet", "7")] {
        let why = "t9_1::b does not name the task";
        refused(&stubs, &tests(failed(TEXT), failed(&other)), why);
    }
}

#[test]
fn a_written_task_passes_whatever_the_others_do() {
    let first = solution(Expected::Pass(vec!["t9_1::a".into()]));
    for other in [Test::Passed, failed(""), Test::Lost] {
        accept(&EXERCISE, &first, &tests(Test::Passed, other)).expect("it is right");
    }
    refused(&first, &tests(failed(""), Test::Passed), "failed: {\n    \"t9_1::a\"");
}

#[test]
fn a_message_is_that_of_the_first_fault_without_line_numbers() {
    let (one, other) = (fault(), solution(Expected::Fail(["t9_1::b".into()].into())));
    let passed = || Test::Passed;
    let (first, second) = (tests(failed(TEXT), passed()), tests(passed(), failed("b")));
    let both = tests(failed("later"), failed("b"));
    let all = messages(&[(&one, &first), (&other, &both), (&other, &second)]);
    let expected = format!(
        "=== t9_1::a (fault-x)\n{}\n\n=== t9_1::b (fault-x)\nb\n\n",
        TEXT.replace(":12", "")
    );
    assert_eq!(expected, all.expect("messages"));
    let error = messages(&[(&one, &first)]).expect_err("a test without a fault");
    assert_eq!("no fault makes t9_1::b fail", error.to_string());
}

#[test]
fn a_message_that_differs_from_the_recorded_one_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("09.messages.txt");
    compare("=== a (x)\n1\n", &file, true).expect("it is written");
    compare("=== a (x)\n1\n", &file, false).expect("it is the same");
    let error = compare("=== a (x)\n2\n", &file, false).expect_err("it differs");
    assert!(error.to_string().contains("a (x)\n2"), "{error}");
}
