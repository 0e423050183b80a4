use super::*;
use crate::run::Ended;

fn solution(expected: Expected) -> Solution {
    Solution { name: "fault x".into(), changed: BTreeMap::new(), expected }
}

fn fails(tests: &[&str]) -> Solution {
    solution(Expected::Fail(tests.iter().map(|test| (*test).to_owned()).collect()))
}

/// Two tests, of which the second fails with this text.
fn tests(text: &str) -> Tests {
    let failed = Test::Failed(text.into());
    let all = [("t9_1::a".into(), Test::Passed), ("t9_2::b".into(), failed)].into();
    Tests { all, ended: Ended::Exited(101) }
}

#[test]
fn a_fault_must_fail_exactly_the_tests_that_it_names() {
    assert!(accept(&tests(""), &fails(&["t9_2::b"])).is_ok());
    assert!(accept(&tests(""), &fails(&["t9_1::a"])).is_err());
    assert!(accept(&tests(""), &fails(&["t9_1::a", "t9_2::b"])).is_err());
    assert!(accept(&tests(""), &solution(Expected::AllPass)).is_err());
    let passes = |task: &str| solution(Expected::Pass([task.to_owned()].into()));
    assert!(accept(&tests(""), &passes("t9_1::")).is_ok());
    assert!(accept(&tests(""), &passes("t9_2::")).is_err());
}

#[test]
fn a_stub_must_be_named_by_the_test_that_reaches_it() {
    let failed = |text: &str| {
        let all = [("t9_1::a".into(), Test::Failed(text.into()))].into();
        Tests { all, ended: Ended::Exited(101) }
    };
    let stubs = solution(Expected::AllFail);
    let text = "task 9.1, x\n  got  the stub of task 9.1";
    assert!(accept(&failed(text), &stubs).is_ok());
    assert!(accept(&failed("task 9.1, x\n  got  Some(7)"), &stubs).is_err());
    assert!(accept(&failed(&text.replace("task 9.1,", "task 9.2,")), &stubs).is_err());
}

#[test]
fn a_test_that_no_fault_fails_is_reported() {
    let (reference, fault) = (solution(Expected::AllPass), fails(&["t9_2::b"]));
    let (passed, failed) = (tests(""), tests(""));
    let error = complete(&[(&reference, &passed), (&fault, &failed)]).unwrap_err();
    assert_eq!("no fault fails {\n    \"t9_1::a\",\n}", format!("{error}"));
}

#[test]
fn a_message_is_kept_once_without_line_numbers_and_what_its_task_says() {
    let (first, second) = (fails(&["t9_2::b"]), fails(&["t9_2::b"]));
    let text = "task 9.2, x\n\n  got       7 at m.rs:12\n  read      y\n  hints     z";
    let runs = [(tests(text), &first), (tests("other"), &second)];
    let runs = Vec::from_iter(runs.iter().map(|(tests, solution)| (*solution, tests)));
    assert_eq!("# t9_2::b (fault x)\n  got       7 at m.rs\n", messages(&runs));
}
