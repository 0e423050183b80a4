//! Faults of a server.

use crate::{FAULTY, Fault, every_check_has_a_fault, report};
use libtest_mimic::Trial;

/// For one response: enough on a busy machine. Each check of a silent server takes it.
const OPTIONS: [&str; 2] = ["--timeout", "3"];

const NEWLINE: &str = "newline";
const CONTENT_LENGTH: &str = "content-length";

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    ("none", NEWLINE, &[]),
    ("none", CONTENT_LENGTH, &[]),
    ("accepts-initialized-request", NEWLINE, &["fail initialized-request"]),
    ("accepts-null-id", NEWLINE, &["warn id-null-refused"]),
    ("call-fails", NEWLINE, &["fail tools-call"]),
    ("counts-characters", CONTENT_LENGTH, &["fail split-write", "fail multi-byte"]),
    ("counts-characters", NEWLINE, &[]),
    ("dies-of-batch", NEWLINE, &["fail batch", "warn batch-refused"]),
    ("dies-of-blank-line", NEWLINE, &["warn input-noise"]),
    ("dies-of-invalid-json", NEWLINE, &["fail invalid-json", "warn invalid-json-error"]),
    ("dies-of-null-id", NEWLINE, &["fail id-null", "warn id-null-refused"]),
    ("dies-of-params-array", NEWLINE, &["fail params-array", "warn params-array-error"]),
    ("dies-of-slow-reader", NEWLINE, &["fail slow-client"]),
    ("dies-of-unknown-method", NEWLINE, &[
        "fail unknown-method", "fail initialized-request",
        "warn initialized-request-ignored",
    ]),
    ("digits-become-numbers", NEWLINE, &["fail id-digits"]),
    ("drops-at-end", NEWLINE, &["fail eof-responses"]),
    ("executes-batches", NEWLINE, &["warn batch-refused"]),
    ("exits-with-1", NEWLINE, &["warn eof-status"]),
    ("forgets-partial-lines", NEWLINE, &["fail split-write"]),
    ("forgets-server-info", NEWLINE, &["fail handshake"]),
    ("has-no-early-ping", NEWLINE, &["warn early-ping"]),
    ("has-no-ping", NEWLINE, &["fail ping", "warn early-ping"]),
    ("ids-become-floats", NEWLINE, &[
        "fail stdout-clean", "fail id-number", "fail id-zero", "warn id-large",
        "warn params-array-error",
    ]),
    ("ids-lose-digits", NEWLINE, &["warn id-large"]),
    ("ignores-invalid-json", NEWLINE, &["warn invalid-json-error"]),
    ("ignores-params-array", NEWLINE, &["warn params-array-error"]),
    ("initialized-by-request", NEWLINE, &["warn initialized-request-ignored"]),
    ("invalid-arguments-are-errors", NEWLINE, &["fail invalid-arguments"]),
    ("logs-on-stdout", NEWLINE, &["fail stdout-clean"]),
    ("logs-on-stdout", CONTENT_LENGTH, &["fail stdout-clean"]),
    ("never-exits", NEWLINE, &["fail eof-exit"]),
    ("pongs-with-text", NEWLINE, &["fail ping", "warn early-ping"]),
    ("prints-pretty", NEWLINE, &["fail handshake", "fail stdout-clean"]),
    ("refuses-version", NEWLINE, &["fail unknown-version"]),
    ("repeats-version", NEWLINE, &["fail unknown-version"]),
    ("requests-early", NEWLINE, &["warn quiet-before-initialized"]),
    ("responds-to-notifications", NEWLINE, &[
        "fail notification-known", "fail notification-unknown", "fail notification-call",
        "warn notification-malformed",
    ]),
    ("serves-early", NEWLINE, &[
        "warn early-list-refused", "warn initialized-request-ignored",
    ]),
    ("shortens-ids", NEWLINE, &["fail id-long", "fail slow-client"]),
    ("silent", NEWLINE, &["fail handshake"]),
    ("unknown-tool-is-result", NEWLINE, &["fail unknown-tool"]),
    ("uses-other-framing", NEWLINE, &["fail handshake", "fail stdout-clean"]),
    ("writes-endlessly", NEWLINE, &["fail handshake", "fail stdout-clean"]),
    ("wrong-code-for-method", NEWLINE, &["fail unknown-method"]),
    ("wrong-code-for-tool", NEWLINE, &["warn unknown-tool-code"]),
    ("wrong-schema", NEWLINE, &["fail tools-list"]),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = crate::trials("server", &OPTIONS, FAULTS);
    trials.push(Trial::test("server::every_check_has_a_fault", || {
        let rules = mcp_check::server::checks();
        // Other checks of ids are like `id-string`; a pipe joins lines by itself.
        let exceptions = ["id-string", "joined-writes"];
        every_check_has_a_fault(rules.iter().map(|it| it.rule), FAULTS, &exceptions);
        Ok(())
    }));
    trials.push(Trial::test("server::another_framing_is_the_cause", || {
        let report =
            report(&OPTIONS, &[FAULTY, "server", "uses-other-framing", NEWLINE]);
        let cause = report["checks"][0]["cause"].as_str().expect("a cause");
        assert!(cause.contains("content-length"), "{report:#}");
        Ok(())
    }));
    trials
}
