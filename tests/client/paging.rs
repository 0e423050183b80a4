//! `tools/list` page by page.

use crate::{limit::run, peer::*};
use serde_json::{Value, json};

fn first(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#)
}

fn after(id: u32, cursor: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list",
            "params":{{"cursor":"{cursor}"}}}}"#
    )
}

/// A page with one tool, and whatever stands behind `"tools":[…]`.
fn page(id: u32, tool: &str, rest: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},
            "result":{{"tools":[{{"name":"{tool}"}}]{rest}}}}}"#
    )
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().filter_map(|tool| tool["name"].as_str()).collect()
}

#[test]
fn all_pages_are_read_and_the_cursor_goes_back_as_it_came() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.answer(first(2), page(2, "a", r#","nextCursor":"p=2&x""#)).await;
            peer.answer(after(3, "p=2&x"), page(3, "b", r#","nextCursor":"3""#)).await;
            peer.answer(after(4, "3"), page(4, "c", "")).await;
        };
        let (tools, ()) = tokio::join!(client.list_tools(), script);
        assert_eq!(vec!["a", "b", "c"], names(&tools.expect("three pages")));
    });
}

/// Case T11.
#[test]
fn an_empty_cursor_is_a_cursor_and_null_is_none() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.answer(first(2), page(2, "a", r#","nextCursor":"""#)).await;
            peer.answer(after(3, ""), page(3, "b", r#","nextCursor":null"#)).await;
        };
        let (tools, ()) = tokio::join!(client.list_tools(), script);
        assert_eq!(vec!["a", "b"], names(&tools.expect("two pages")));
    });
}

/// Case T10: A, B, A.
#[test]
fn a_cursor_that_comes_twice_ends_the_list_with_a_note() {
    run(async {
        let (client, mut peer, mut notes) = ready().await;
        let script = async {
            peer.answer(first(2), page(2, "a", r#","nextCursor":"A""#)).await;
            peer.answer(after(3, "A"), page(3, "b", r#","nextCursor":"B""#)).await;
            peer.answer(after(4, "B"), page(4, "c", r#","nextCursor":"A""#)).await;
            peer.answer(ping(5), empty(5)).await;
        };
        let list = async {
            let tools = client.list_tools().await.expect("the list so far");
            assert_eq!(vec!["a", "b", "c"], names(&tools));
            client.ping().await.expect("nothing more was asked");
        };
        tokio::join!(list, script);
        assert_eq!(r#"tools/list: the cursor "A" came twice"#, notes.next().await);
    });
}

/// Case T10: the same answer for ever.
#[test]
fn a_page_that_repeats_is_not_added_twice() {
    run(async {
        let (client, mut peer, _) = ready().await;
        let script = async {
            peer.answer(first(2), page(2, "a", r#","nextCursor":"8""#)).await;
            peer.answer(after(3, "8"), page(3, "a", r#","nextCursor":"8""#)).await;
        };
        let (tools, ()) = tokio::join!(client.list_tools(), script);
        assert_eq!(vec!["a"], names(&tools.expect("the list so far")));
    });
}

/// Case T10: a new cursor for ever.
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
            "malformed answer to `tools/list`: more than 10000 tools or 1000 pages",
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
            assert_eq!(format!("malformed answer to `tools/list`: {reason}"), error);
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
        assert_eq!(format!("malformed answer to `tools/list`: {reason}"), error);
    });
}
