//! The tables in the README list exactly the checks.
//!
//! `UPDATE_TABLES=1 cargo test -p mcp-check --test readme` rewrites them.

use mcp_check::{client, rule::Rule, server};
use std::{env, fs};

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

fn table(rules: impl Iterator<Item = Rule>) -> String {
    let mut table =
        String::from("| check | level | rule | source |\n|---|---|---|---|\n");
    for Rule { id, level, text, source } in rules {
        table += &format!("| `{id}` | {level} | {text} | {source} |\n");
    }
    table
}

/// The range of the table, between its marks.
fn place(text: &str, stage: u32) -> std::ops::Range<usize> {
    let mark = format!("<!-- stage {stage} -->\n");
    let start = text.find(&mark).expect("a mark") + mark.len();
    start..start + text[start..].find("<!-- end -->").expect("an end")
}

#[test]
fn the_tables_list_every_check() {
    let tables = [
        (3, table(server::checks().iter().map(|check| check.rule))),
        (4, table(client::checks().iter().map(|check| check.rule))),
    ];
    let mut text = fs::read_to_string(README).expect("the README");
    for (stage, table) in tables {
        let place = place(&text, stage);
        if env::var_os("UPDATE_TABLES").is_some() {
            text.replace_range(place, &table);
        } else {
            assert_eq!(table, text[place]);
        }
    }
    if env::var_os("UPDATE_TABLES").is_some() {
        fs::write(README, text).expect("written");
    }
}

#[test]
fn no_two_checks_have_one_id() {
    let server = server::checks();
    let client = client::checks();
    let ids =
        server.iter().map(|it| it.rule.id).chain(client.iter().map(|it| it.rule.id));
    let mut ids: Vec<_> = ids.collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(all, ids.len());
}
