//! Every case that broke another implementation, held against ours.
//!
//! `cases.jsonl` has the bytes and what must come of them, a case a line; `README.md`
//! is the table of all. `cargo test --test cases J17` runs the case J17.

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code)] // The house uses the rest.
#[path = "../house/source.rs"]
mod source;

mod child;
mod client;
mod codec;
mod data;
mod files;
mod frames;
mod operations;
mod pattern;
mod schema;
mod server;
mod table;
mod wire;

use data::cases;

/// A test for each id, and the list of them.
macro_rules! tests {
    ($($id:ident)*) => {
        const TESTS: &[&str] = &[$(stringify!($id)),*];
        $(
            #[test]
            #[allow(non_snake_case)]
            fn $id() {
                decide(stringify!($id));
            }
        )*
    };
}

tests! {
    B04 B05 B07
    F01 F02 F04 F05 F07 F08 F10 F11 F13 F14 F16 F17 F19 F20 F22
    J01 J02 J04 J05 J07 J08 J10 J11 J13 J14 J16 J17 J19 J20 J22 J23 J25 J26
    L01 L02 L04 L05 L07 L08 L10 L11 L12 L13 L14 L15 L16 L17 L19 L20 L21 L22 L23 L25
    L26 L28 L29 L31
    N01 N02 N03 N04 N05 N07 N08 N10 N11 N13 N14 N15 N16 N17
    S01 S02 S04 S05 S07 S08 S10 S11
    T01 T02 T04 T05 T06 T07 T08 T10 T11 T13 T14 T16 T17 T19 T20
    W01 W02 W04
}

fn decide(id: &str) {
    let found = cases().into_iter().find(|case| case.id == id);
    let case = found.unwrap_or_else(|| panic!("{id} is not in the data file"));
    for run in &case.server {
        run.as_child(child::command);
    }
    case.frames.iter().for_each(frames::Run::check);
    case.codec.iter().for_each(codec::Run::check);
    for test in &case.tests {
        table::find(test).unwrap_or_else(|why| panic!("{why}"));
    }
    common::limit::run(async move {
        for run in &case.server {
            run.in_memory().await;
        }
        for run in &case.client {
            run.check().await;
        }
        for run in &case.schema {
            run.check().await;
        }
        for run in &case.files {
            run.check().await;
        }
    });
}

#[test]
fn every_case_has_its_test_and_every_test_its_case() {
    let decided = cases().into_iter().filter(data::Case::is_decided);
    let ids: Vec<_> = decided.map(|case| case.id).collect();
    assert_eq!(ids, TESTS, "(left: the data file, right: the tests)");
}

#[test]
fn every_case_is_decided_or_says_with_what_it_comes() {
    for case in cases() {
        assert!(case.is_decided() || case.comes_with.is_some(), "{}", case.id);
    }
}
