//! `tools/list` page by page.

use super::peer::*;
use crate::common::limit::run;
use serde_json::json;

fn first(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)
}

fn after(id: u32, cursor: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list",
            "params":{{"cursor":"{cursor}"}}}}"#
    )
}

/// A page with one tool, and the members after `"tools":[…]`.
fn page(id: u32, tool: &str, rest: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},
            "result":{{"tools":[{{"name":"{tool}"}}]{rest}}}}}"#
    )
}

/// Case T10: a new cursor forever.
#[test]
fn a_list_without_an_end_is_given_up() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.answer(first(2), page(2, "t", r#","nextCursor":"2""#)).await;
            for id in 3..=1001 {
                let next = format!(r#","nextCursor":"{id}""#);
                let cursor = (id - 1).to_string();
                peer.answer(after(id, &cursor), page(id, "t", &next)).await;
            }
        };
        let (tools, ()) = tokio::join!(client.list_tools(), script);
        let error = tools.expect_err("too many").to_string();
        assert_eq!(
            "malformed response to `tools/list`: more than 10000 tools or 1000 pages",
            error
        );
    });
}

#[test]
fn a_bad_tool_is_handed_on_as_it_came() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let answer = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[7,{"name":"t"}]}}"#;
        let (tools, ()) =
            tokio::join!(client.list_tools(), peer.answer(first(2), answer));
        assert_eq!(vec![json!(7), json!({"name": "t"})], tools.expect("a list"));
    });
}

#[test]
fn a_malformed_page_is_an_error() {
    let cases = [
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{}}"#,
            "`tools` must be an array, got null",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":{}}}"#,
            "`tools` must be an array, got {}",
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[],"nextCursor":8}}"#,
            "`nextCursor` must be a string, got 8",
        ),
    ];
    for (answer, reason) in cases {
        run(async move {
            let (client, mut peer, _) = ready().await;
            let (tools, ()) =
                tokio::join!(client.list_tools(), peer.answer(first(2), answer));
            let error = tools.expect_err("malformed").to_string();
            assert_eq!(format!("malformed response to `tools/list`: {reason}"), error);
        });
    }
}

#[test]
fn a_list_too_long_for_any_model_is_given_up() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let tools = vec!["{}"; 10_001].join(",");
        let page = format!(
            r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{tools}],"nextCursor":"2"}}}}"#
        );
        let (listed, ()) =
            tokio::join!(client.list_tools(), peer.answer(first(2), page));
        let error = listed.expect_err("too many").to_string();
        let reason = "more than 10000 tools or 1000 pages";
        assert_eq!(format!("malformed response to `tools/list`: {reason}"), error);
    });
}
