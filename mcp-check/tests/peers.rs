//! What the checker finds in servers and clients on the official SDKs.
//!
//! `peers/install` installs them. The checker limits the time of each run.

mod common;
#[path = "../../tests/peers/installed.rs"]
mod installed;

use common::{report, violations};
use installed::{
    Packages::{self, Npm, Python, Rust},
    command, trial,
};
use libtest_mimic::Arguments;
use std::process::ExitCode;

/// The runs wait most of the time.
const THREADS: usize = 6;

/// The Python server has a race between a request and the end of input.
const RACES: [(&str, &str); 1] = [("server_python", "fail eof-responses")];

/// A name, a stage, packages, a command, and the violations in the order of the checks.
type Peer = (
    &'static str,
    &'static str,
    Packages,
    &'static [&'static str],
    &'static [&'static str],
);

const NODE: &str = "node_modules/.bin/node";

const TYPESCRIPT_1: &[&str] = &[
    "warn early-list-refused",
    "warn id-large",
    "fail unknown-tool",
    "warn initialized-request-ignored",
    "warn invalid-json-error",
    "warn params-array-error",
];

const PEERS: [Peer; 10] = [
    (
        "client_python",
        "4",
        Python,
        &["venv/bin/python", "py/client.py"],
        &["fail undeclared-tools", "fail silent-server"],
    ),
    ("server_typescript_1", "3", Npm, &[NODE, "ts1/server.mjs"], TYPESCRIPT_1),
    (
        "server_typescript_2",
        "3",
        Npm,
        &[NODE, "ts2/server.mjs"],
        &[
            "warn early-list-refused",
            "warn id-large",
            "warn initialized-request-ignored",
            "warn invalid-json-error",
            "warn params-array-error",
        ],
    ),
    (
        "server_python",
        "3",
        Python,
        &["venv/bin/python", "py/server.py"],
        &[
            "warn early-list-refused",
            "fail unknown-tool",
            "warn initialized-request-ignored",
            "warn invalid-json-error",
            "warn params-array-error",
        ],
    ),
    (
        "server_rmcp",
        "3",
        Rust,
        &["target/debug/rmcp-server"],
        &[
            "warn early-list-refused",
            "warn initialized-request-ignored",
            "warn notification-malformed",
            "warn invalid-json-error",
            "warn params-array-error",
        ],
    ),
    (
        "server_everything",
        "3",
        Npm,
        &[
            NODE,
            "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
            "stdio",
        ],
        TYPESCRIPT_1,
    ),
    (
        "server_filesystem",
        "3",
        Npm,
        &[
            NODE,
            "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
            "ts1/",
        ],
        TYPESCRIPT_1,
    ),
    (
        "client_typescript_1",
        "4",
        Npm,
        &[NODE, "ts1/client.mjs"],
        &["fail undeclared-tools", "fail silent-server"],
    ),
    (
        "client_typescript_2",
        "4",
        Npm,
        &[NODE, "ts2/client.mjs"],
        &["fail undeclared-tools", "fail silent-server"],
    ),
    (
        "client_rmcp",
        "4",
        Rust,
        &["target/debug/rmcp-client"],
        &[
            "fail undeclared-tools",
            "warn unsupported-version",
            "warn stray-response",
            "fail silent-server",
        ],
    ),
];

fn main() -> ExitCode {
    let trials = PEERS.iter().map(|(name, stage, packages, words, expected)| {
        trial((*name).to_owned(), *packages, move || {
            let command = command(words);
            let command: Vec<_> = command.iter().map(String::as_str).collect();
            // Python needs seconds to start on a busy machine.
            let timeout = if *name == "client_python" { "30" } else { "20" };
            let options = ["--stage", *stage, "--timeout", timeout];
            let mut violations = violations(&report(&options, &command));
            violations.retain(|it| !RACES.contains(&(*name, it)));
            assert_eq!(**expected, violations);
        })
    });
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(THREADS);
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}
