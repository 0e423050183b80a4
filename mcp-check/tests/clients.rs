//! Each fault of a client is found by the checks that are there for it, by no other.

mod common;

use common::{FAULTY, broken, report, skipped, stage};

/// For a whole run. The faulty client gives up after 0.6 s.
const PATIENCE: &str = "6";

fn faults(fault: &str, framing: &str) -> Vec<String> {
    let options = ["--stage", "4", "--timeout", PATIENCE, "--framing", framing];
    broken(&report(&options, &[FAULTY, "client", fault, framing, "{server}"]))
}

macro_rules! faults {
    ($($name:ident: $fault:literal => [$($broken:literal),* $(,)?];)*) => {
        $(#[test]
        fn $name() {
            let expected: Vec<&str> = vec![$($broken),*];
            assert_eq!(expected, faults($fault, "newline"));
        })*

        const EXPECTED: &[(&str, &[&str])] = &[$(($fault, &[$($broken),*])),*];
    };
}

faults! {
    a_right_client: "none" => [];
    accepts_any_version: "accepts-any-version" => ["warn version-refused"];
    accepts_requests: "accepts-requests" => ["fail refuses-request"];
    answers_noise: "answers-noise" => ["warn noise"];
    asks_undeclared: "asks-undeclared" => ["fail undeclared-tools"];
    cancels_initialize: "cancels-initialize" => ["fail initialize-uncancelled"];
    cancels_nothing: "cancels-nothing" => ["warn silent-cancelled"];
    dies_of_noise: "dies-of-noise" => ["warn noise"];
    dies_of_notification: "dies-of-notification" => ["fail notifications"];
    dies_of_stray_answer: "dies-of-stray-answer" => ["warn stray-answer"];
    ends_with_1: "ends-with-1" => ["fail conversation"];
    fails_with_0: "fails-with-0" => ["warn failure-status"];
    forgets_client_info: "forgets-client-info" => ["fail initialize-params"];
    forgets_initialized: "forgets-initialized" => ["fail initialized-in-time"];
    has_no_timeout: "has-no-timeout" => ["fail silent-server"];
    ids_are_floats: "ids-are-floats" => ["fail ids", "fail messages-only"];
    ids_repeat: "ids-repeat" => ["fail ids"];
    ignores_death: "ignores-death" => ["fail server-dies"];
    ignores_ping: "ignores-ping" => ["fail answers-ping"];
    ignores_requests: "ignores-requests" => ["fail refuses-request"];
    initialized_early: "initialized-early" => ["fail initialized-in-time"];
    initialized_with_id: "initialized-with-id" => ["fail initialized-in-time"];
    kills_server: "kills-server" => ["warn closes-stdin"];
    leaves_server: "leaves-server" => ["warn leaves-nothing"];
    lists_before_answer: "lists-before-answer" => [
        "warn quiet-before-answer",
        "fail undeclared-tools",
    ];
    lists_before_initialized: "lists-before-initialized" => [
        "fail initialized-in-time",
    ];
    looks_ids_up_first: "looks-ids-up-first" => ["fail answers-ping"];
    never_starts_server: "never-starts-server" => ["fail conversation"];
    pairs_by_order: "pairs-by-order" => ["fail pairs-by-id"];
    prints_to_server: "prints-to-server" => ["fail messages-only"];
    silent: "silent" => ["fail conversation"];
    skips_initialize: "skips-initialize" => [
        "fail initialize-first",
        "warn quiet-before-answer",
        "fail undeclared-tools",
    ];
}

#[test]
fn a_right_client_is_right_in_headers_too() {
    assert_eq!(Vec::<String>::new(), faults("none", "content-length"));
}

#[test]
fn text_between_headers_shows() {
    assert_eq!(
        ["fail messages-only"],
        faults("prints-to-server", "content-length")[..]
    );
}

#[test]
fn every_check_is_failed_by_some_client() {
    let failed = |id: &str| {
        let all = EXPECTED.iter().flat_map(|it| it.1);
        all.filter_map(|it| it.split_once(' ')).any(|it| it.1 == id)
    };
    let missing: Vec<_> = mcp_check::client::checks()
        .iter()
        .map(|check| check.rule.id)
        .filter(|id| !failed(id))
        .collect();
    assert_eq!(Vec::<&str>::new(), missing);
}

#[test]
fn the_client_of_the_course_passes_in_both_framings() {
    let client = stage("04-client-lifecycle");
    let client = client.to_str().expect("UTF-8");
    for framing in ["newline", "content-length"] {
        let options = ["--stage", "4", "--framing", framing];
        let report = report(
            &options,
            &[
                client,
                "--timeout",
                "1",
                "--framing",
                framing,
                "--call",
                "echo",
                r#"{"text":"hi"}"#,
                "--",
                "{server}",
            ],
        );
        // It has one call at a time.
        let shown = (broken(&report), skipped(&report));
        assert_eq!((vec![], vec!["skip pairs-by-id".to_owned()]), shown, "{framing}");
    }
}
