//! Each fault of a server is found by the checks that are there for it, by no other.

mod common;

use common::{FAULTY, broken, report, skipped, stage};

/// Long enough for a busy machine, and waited out by every check that finds silence.
const PATIENCE: &str = "3";

fn faults(fault: &str, framing: &str) -> Vec<String> {
    let options = ["--timeout", PATIENCE, "--framing", framing];
    broken(&report(&options, &[FAULTY, "server", fault, framing]))
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
    a_right_server: "none" => [];
    accepts_initialized_request: "accepts-initialized-request" => [
        "fail initialized-with-id",
    ];
    answers_in_headers: "answers-in-headers" => [
        "fail handshake",
        "fail stdout-clean",
    ];
    answers_notifications: "answers-notifications" => [
        "fail notification-known",
        "fail notification-unknown",
        "fail notification-call",
        "warn notification-malformed",
    ];
    answers_null_id: "answers-null-id" => ["warn id-null-refused"];
    asks_early: "asks-early" => ["warn quiet-before-initialized"];
    bad_arguments_are_errors: "bad-arguments-are-errors" => ["fail bad-arguments"];
    call_fails: "call-fails" => ["fail tools-call"];
    dies_of_batch: "dies-of-batch" => ["fail batch", "warn batch-refused"];
    dies_of_blank_line: "dies-of-blank-line" => ["warn noise-survived"];
    dies_of_junk: "dies-of-junk" => ["fail junk-survived", "warn junk-answered"];
    dies_of_null_id: "dies-of-null-id" => ["fail id-null", "warn id-null-refused"];
    dies_of_params_array: "dies-of-params-array" => [
        "fail params-array",
        "warn params-array-answered",
    ];
    dies_of_slow_reader: "dies-of-slow-reader" => ["fail slow-client"];
    dies_of_unknown_method: "dies-of-unknown-method" => [
        "fail unknown-method",
        "fail initialized-with-id",
        "warn gate-kept",
    ];
    digits_are_numbers: "digits-are-numbers" => ["fail id-digits"];
    drops_at_end: "drops-at-end" => ["fail eof-answers"];
    ends_with_1: "ends-with-1" => ["warn eof-status"];
    executes_batches: "executes-batches" => ["warn batch-refused"];
    forgets_partial_lines: "forgets-partial-lines" => ["fail write-cut"];
    forgets_server_info: "forgets-server-info" => ["fail handshake"];
    has_no_ping: "has-no-ping" => ["fail ping", "warn ping-early"];
    has_no_early_ping: "has-no-ping-before-initialized" => ["warn ping-early"];
    has_odd_code_for_method: "has-odd-code-for-method" => ["fail unknown-method"];
    has_odd_code_for_tool: "has-odd-code-for-tool" => ["warn unknown-tool-code"];
    has_odd_schema: "has-odd-schema" => ["fail tools-list"];
    ids_are_floats: "ids-are-floats" => [
        "fail stdout-clean",
        "fail id-number",
        "fail id-zero",
        "warn id-wide",
        "warn params-array-answered",
    ];
    ids_are_strings: "ids-are-strings" => [
        "fail id-number",
        "fail id-zero",
        "warn id-wide",
        "warn params-array-answered",
    ];
    ids_lose_digits: "ids-lose-digits" => ["warn id-wide"];
    ignores_junk: "ignores-junk" => ["warn junk-answered"];
    ignores_params_array: "ignores-params-array" => ["warn params-array-answered"];
    logs_on_stdout: "logs-on-stdout" => ["fail stdout-clean"];
    never_ends: "never-ends" => ["fail eof-exit"];
    opens_by_request: "opens-by-request" => ["warn gate-kept"];
    pongs_with_text: "pongs-with-text" => ["fail ping", "warn ping-early"];
    prints_pretty: "prints-pretty" => ["fail handshake", "fail stdout-clean"];
    refuses_version: "refuses-version" => ["fail version-unknown"];
    repeats_version: "repeats-version" => ["fail version-unknown"];
    serves_early: "serves-early" => ["warn gate", "warn gate-kept"];
    shortens_ids: "shortens-ids" => ["fail id-long", "fail slow-client"];
    silent: "silent" => ["fail handshake"];
    unknown_tool_is_result: "unknown-tool-is-result" => ["fail unknown-tool"];
    writes_without_end: "writes-without-end" => ["fail handshake", "fail stdout-clean"];
}

#[test]
fn a_right_server_is_right_in_headers_too() {
    assert_eq!(Vec::<String>::new(), faults("none", "content-length"));
}

/// In lines nobody counts.
#[test]
fn counted_characters_show_in_headers() {
    let expected = ["fail write-cut", "fail multi-byte"];
    assert_eq!(expected[..], faults("counts-characters", "content-length"));
    assert_eq!(Vec::<String>::new(), faults("counts-characters", "newline"));
}

#[test]
fn a_log_line_shows_in_headers_too() {
    assert_eq!(["fail stdout-clean"], faults("logs-on-stdout", "content-length")[..]);
}

#[test]
fn the_other_framing_is_named_as_the_cause() {
    let options = ["--timeout", PATIENCE, "--framing", "newline"];
    let report = report(&options, &[FAULTY, "server", "answers-in-headers", "newline"]);
    assert_eq!("fail", report["checks"][0]["outcome"]);
    let cause = report["checks"][0]["cause"].as_str().expect("a cause");
    assert!(cause.contains("it speaks content-length"), "{report:#}");
}

#[test]
fn every_check_is_failed_by_some_server() {
    let counted = ["fail multi-byte"]; // above
    let failed = |id: &str| {
        let all = EXPECTED.iter().flat_map(|it| it.1).chain(&counted);
        all.filter_map(|it| it.split_once(' ')).any(|it| it.1 == id)
    };
    let missing: Vec<_> = mcp_check::server::checks()
        .iter()
        .map(|check| check.rule.id)
        // Each has its ids' tests for neighbours; joined lines are what a pipe gives.
        .filter(|id| !["id-string", "write-joined"].contains(id) && !failed(id))
        .collect();
    assert_eq!(Vec::<&str>::new(), missing);
}

#[test]
fn the_echo_server_of_the_course_passes_in_both_framings() {
    let server = stage("03-echo-server");
    let server = server.to_str().expect("UTF-8");
    for framing in ["newline", "content-length"] {
        let report = report(&["--framing", framing], &[server]);
        assert_eq!((vec![], vec![]), (broken(&report), skipped(&report)), "{framing}");
    }
}
