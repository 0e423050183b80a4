//! Faults of a client.

use crate::{Fault, every_check_has_a_fault};
use libtest_mimic::Trial;

/// For a whole run. The faulty client's own timeout is 1.5 s.
const OPTIONS: [&str; 4] = ["--stage", "4", "--timeout", "10"];

const NEWLINE: &str = "newline";
const CONTENT_LENGTH: &str = "content-length";

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    ("none", NEWLINE, &[]),
    ("none", CONTENT_LENGTH, &[]),
    ("accepts-any-version", NEWLINE, &["warn unsupported-version"]),
    ("accepts-requests", NEWLINE, &["fail unknown-request"]),
    ("cancels-initialize", NEWLINE, &["fail initialize-uncancelled"]),
    ("cancels-nothing", NEWLINE, &["warn silent-cancelled"]),
    ("dies-of-noise", NEWLINE, &["warn stdout-noise"]),
    ("dies-of-notification", NEWLINE, &["fail notifications"]),
    ("dies-of-stray-response", NEWLINE, &["warn stray-response"]),
    ("exits-with-1", NEWLINE, &["fail conversation"]),
    ("fails-with-0", NEWLINE, &["warn failure-status"]),
    ("forgets-client-info", NEWLINE, &["fail initialize-params"]),
    ("forgets-initialized", NEWLINE, &["fail initialized-in-order"]),
    ("has-no-timeout", NEWLINE, &["fail silent-server"]),
    ("ids-are-floats", NEWLINE, &["fail ids", "fail messages-only"]),
    ("ids-repeat", NEWLINE, &["fail ids"]),
    ("ignores-death", NEWLINE, &["fail server-dies"]),
    ("ignores-requests", NEWLINE, &["fail unknown-request"]),
    ("initialized-early", NEWLINE, &["fail initialized-in-order"]),
    ("initialized-with-id", NEWLINE, &["fail initialized-in-order"]),
    ("kills-server", NEWLINE, &["warn closes-stdin"]),
    ("leaves-server", NEWLINE, &["warn leaves-nothing"]),
    ("lists-before-initialized", NEWLINE, &["fail initialized-in-order"]),
    ("lists-before-response", NEWLINE, &[
        "warn quiet-before-response", "fail undeclared-tools",
    ]),
    ("lists-undeclared-tools", NEWLINE, &["fail undeclared-tools"]),
    ("looks-ids-up-first", NEWLINE, &["fail server-ping"]),
    ("never-starts-server", NEWLINE, &["fail conversation"]),
    ("pairs-by-order", NEWLINE, &["fail pairs-by-id"]),
    ("prints-to-server", NEWLINE, &["fail messages-only"]),
    ("prints-to-server", CONTENT_LENGTH, &["fail messages-only"]),
    ("responds-to-noise", NEWLINE, &["warn stdout-noise"]),
    ("silent", NEWLINE, &["fail conversation"]),
    ("skips-initialize", NEWLINE, &[
        "fail initialize-first", "warn quiet-before-response", "fail undeclared-tools",
    ]),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = crate::trials("client", &OPTIONS, FAULTS);
    trials.push(Trial::test("client::every_check_has_a_fault", || {
        let rules = mcp_check::client::checks();
        every_check_has_a_fault(rules.iter().map(|it| it.rule), FAULTS, &[]);
        Ok(())
    }));
    trials
}
