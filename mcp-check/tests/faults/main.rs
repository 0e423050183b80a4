//! Each fault of a server or a client violates exactly the rules that are about it; the
//! course's own programs violate none.
//!
//! The runs wait most of the time, so there are more threads than cores.

#[path = "../common/mod.rs"]
mod common;

mod clients;
mod course;
mod servers;

use common::{FAULTY, report, violations};
use libtest_mimic::{Arguments, Trial};
use mcp_check::rule::Rule;
use std::process::ExitCode;

const THREADS: usize = 24;

/// A fault, the framing in which it shows, and the violations in the order of checks.
type Fault = (&'static str, &'static str, &'static [&'static str]);

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(THREADS);
    // The longest first.
    let trials = [course::trials(), clients::trials(), servers::trials()];
    let trials = trials.into_iter().flatten().collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// One for each fault of this role, `server` or `client`.
fn trials(
    role: &'static str,
    options: &'static [&'static str],
    faults: &'static [Fault],
) -> Vec<Trial> {
    let trial = |(fault, framing, expected): &'static Fault| {
        let name = format!("{role}::{fault}::{framing}").replace('-', "_");
        Trial::test(name, move || {
            let options = [options, &["--framing", framing]].concat();
            let report = report(&options, &[FAULTY, role, fault, framing]);
            assert_eq!(*expected, violations(&report));
            Ok(())
        })
    };
    faults.iter().map(trial).collect()
}

/// A check that no program fails proves nothing.
fn every_check_has_a_fault(
    rules: impl Iterator<Item = Rule>,
    faults: &[Fault],
    exceptions: &[&str],
) {
    let violated = |id: &str| {
        let mut all = faults.iter().flat_map(|fault| fault.2);
        all.any(|it| it.split_once(' ').is_some_and(|it| it.1 == id))
    };
    let ids = rules.map(|rule| rule.id);
    let missing: Vec<_> =
        ids.filter(|id| !exceptions.contains(id) && !violated(id)).collect();
    assert_eq!(Vec::<&str>::new(), missing);
}
