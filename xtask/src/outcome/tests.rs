use super::*;

const TWO: &str = "\nrunning 2 tests\ntest t1_1::a ... ok\ntest t1_1::b ... FAILED\n\n\
    failures:\n\n---- t1_1::b stdout ----\ntask 1.1, write\n\n  rule      it holds\n\n\n\
    failures:\n    t1_1::b\n\ntest result: FAILED. 1 passed; 1 failed; finished in 0.00s\n";

fn tests(text: &str, ended: Ended) -> BTreeMap<String, Test> {
    read(text, ended).all
}

fn failed(text: &str) -> Test {
    Test::Failed(text.into())
}

#[test]
fn each_test_is_read_by_its_name_with_what_it_said() {
    let tests = tests(TWO, Ended::Exited(101));
    assert_eq!(2, tests.len());
    assert_eq!(Test::Passed, tests["t1_1::a"]);
    assert_eq!(failed("task 1.1, write\n\n  rule      it holds"), tests["t1_1::b"]);
}

#[test]
fn what_one_test_said_ends_where_the_next_one_begins() {
    let text =
        TWO.replace("---- t1_1::b", "---- t1_1::a stdout ----\nfirst\n\n---- t1_1::b");
    let text = text.replace("t1_1::a ... ok", "t1_1::a ... FAILED");
    assert_eq!(failed("first"), tests(&text, Ended::Exited(101))["t1_1::a"]);
}

#[test]
fn a_program_that_did_not_come_to_its_end_has_passed_nothing() {
    for ended in
        [Ended::Killed(6), Ended::TooSlow, Ended::TooMuchOutput, Ended::Exited(1)]
    {
        assert_eq!(Test::Lost, tests(TWO, ended)["t1_1::a"], "{ended:?}");
    }
}

/// Code under test that calls `process::exit(0)`: the sum at the end is missing.
#[test]
fn a_program_that_left_early_has_passed_nothing() {
    let text = "\nrunning 2 tests\ntest t1_1::a ... ok\n";
    assert_eq!(Test::Lost, tests(text, Ended::Exited(0))["t1_1::a"]);
}

/// An abort in one test ends the program while another one is running.
#[test]
fn a_test_that_was_running_at_the_end_is_lost() {
    let text =
        "\nrunning 2 tests\ntest t1_1::a ... ok\ntest t1_1::b ... \nthread panicked";
    let tests = tests(text, Ended::Killed(6));
    assert_eq!((&Test::Lost, &Test::Lost), (&tests["t1_1::a"], &tests["t1_1::b"]));
}

#[test]
fn a_sum_that_stands_twice_is_none() {
    let text = format!("test result: ok. 2 passed\n{TWO}");
    assert_eq!(Test::Lost, tests(&text, Ended::Exited(101))["t1_1::a"]);
}

/// It may be printed by the test itself, before or after its true result.
#[test]
fn a_failed_test_stays_failed_whatever_it_prints() {
    let forged = "test t1_1::b ... ok\n";
    let before = format!("{forged}{TWO}");
    let within =
        TWO.replace("task 1.1, write\n", &format!("task 1.1, write\n{forged}"));
    let after = format!("{TWO}{forged}");
    for text in [before, within, after] {
        let test = &tests(&text, Ended::Exited(101))["t1_1::b"];
        assert!(matches!(test, Test::Failed(_)), "{test:?} of\n{text}");
    }
}

#[test]
fn lines_of_other_kinds_are_no_tests() {
    let text = "test: it works ... ok\nmy test t1 ... ok\ntest x1_1 ... ok\n\
                test result: ok. 0 passed\n";
    assert_eq!(BTreeMap::new(), tests(text, Ended::Exited(0)));
}

#[test]
fn what_has_not_passed_has_failed() {
    let tests = read(TWO, Ended::Exited(101));
    let failed: Vec<_> = tests.failed().map(|(name, _)| name).collect();
    assert_eq!(["t1_1::b"], failed[..]);
}
