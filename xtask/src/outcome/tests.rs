use super::*;

const TWO: &str = "\nrunning 2 tests\ntest t1::a ... ok\ntest t1::b ... FAILED\n\n\
    failures:\n\n---- t1::b stdout ----\ntask 1.1, write\n\n  rule      it holds\n\n\n\
    failures:\n    t1::b\n\ntest result: FAILED. 1 passed; 1 failed; finished in 0.00s\n";
const REGULAR: Ended = Ended::Exited(101);

fn tests(text: &str, ended: Ended) -> BTreeMap<String, Test> {
    read(text, ended).all
}

fn failed(text: &str) -> Test {
    Test::Failed(text.into())
}

#[test]
fn a_test_has_its_name_its_result_and_its_output() {
    let two = read(TWO, REGULAR);
    assert_eq!(2, two.all.len());
    assert_eq!(Test::Passed, two.all["t1::a"]);
    assert_eq!(failed("task 1.1, write\n\n  rule      it holds"), two.all["t1::b"]);
    assert_eq!(["t1::b"], Vec::from_iter(two.failed().map(|(name, _)| name))[..]);
}

#[test]
fn the_output_of_a_test_ends_where_the_next_one_begins() {
    let text = TWO.replace("---- t1::b", "---- t1::a stdout ----\nfirst\n\n---- t1::b");
    let text = text.replace("t1::a ... ok", "t1::a ... FAILED");
    assert_eq!(failed("first"), tests(&text, REGULAR)["t1::a"]);
}

/// By a limit, a signal or `process::exit`; or with a second result, printed by a test.
#[test]
fn a_program_without_a_regular_end_has_passed_nothing() {
    for ended in
        [Ended::Killed(6), Ended::TooSlow, Ended::TooMuchOutput, Ended::Exited(1)]
    {
        assert_eq!(Test::Lost, tests(TWO, ended)["t1::a"], "{ended:?}");
    }
    let early =
        "\nrunning 2 tests\ntest t1::a ... ok\ntest t1::b ... \nthread panicked";
    for ended in [Ended::Exited(0), Ended::Killed(6)] {
        let lost = tests(early, ended);
        assert_eq!((&Test::Lost, &Test::Lost), (&lost["t1::a"], &lost["t1::b"]));
    }
    let twice = format!("test result: ok. 2 passed\n{TWO}");
    assert_eq!(Test::Lost, tests(&twice, REGULAR)["t1::a"]);
}

#[test]
fn a_failed_test_stays_failed_whatever_it_prints() {
    let forged = "test t1::b ... ok\n";
    let within = TWO.replace("task 1.1, write\n", &format!("task 1.1\n{forged}"));
    for text in [format!("{forged}{TWO}"), within, format!("{TWO}{forged}")] {
        let test = &tests(&text, REGULAR)["t1::b"];
        assert!(matches!(test, Test::Failed(_)), "{test:?} of\n{text}");
    }
}

#[test]
fn other_lines_are_not_tests() {
    let text = "test: it works ... ok\nmy test t1 ... ok\ntest x1_1 ... ok\n\
                test result: ok. 0 passed\n";
    assert_eq!(BTreeMap::new(), tests(text, Ended::Exited(0)));
}
