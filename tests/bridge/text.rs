//! The result of `tools/call` becomes text that a model reads.

use crate::json;
use mcp_from_scratch::{bridge::to_text, tool::ToolResult};

#[track_caller]
fn assert_text(expected: &str, result: &str) {
    let outcome = ToolResult::from_result(json(result)).expect("a result");
    assert_eq!(expected, to_text(&outcome), "{result}");
}

#[test]
fn a_text_is_itself() {
    assert_text("你好\n ", r#"{"content":[{"type":"text","text":"你好\n "}]}"#);
    assert_text("", r#"{"content":[{"type":"text","text":""}]}"#);
}

#[test]
fn several_blocks_stand_in_their_order_each_on_its_line() {
    assert_text(
        "a\n[image: image/png]\nb",
        r#"{"content":[{"type":"text","text":"a"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"b"}]}"#,
    );
}

#[test]
fn what_is_not_text_becomes_a_placeholder() {
    for (placeholder, block) in [
        (
            "[image: image/png]",
            r#"{"type":"image","data":"AA==","mimeType":"image/png"}"#,
        ),
        (
            "[audio: audio/wav]",
            r#"{"type":"audio","data":"AA==","mimeType":"audio/wav"}"#,
        ),
        ("[image: unknown]", r#"{"type":"image","data":"AA=="}"#),
        (
            "[resource link: file:///x]",
            r#"{"type":"resource_link","uri":"file:///x","name":"x"}"#,
        ),
        ("[resource link: unknown]", r#"{"type":"resource_link"}"#),
        (
            "[resource: note://1]\nt",
            r#"{"type":"resource","resource":{"uri":"note://1","text":"t"}}"#,
        ),
        (
            "[resource: note://2]",
            r#"{"type":"resource","resource":{"uri":"note://2","blob":"AA=="}}"#,
        ),
        ("[resource: unknown]", r#"{"type":"resource"}"#),
        ("[content of an unknown type: video3d]", r#"{"type":"video3d","x":1}"#),
        ("[content without a type]", r#"{"text":"no type"}"#),
        ("[content without a type]", r#"{"type":5,"text":"x"}"#),
        ("[content without a type]", r#""text""#),
        ("[content without a type]", "null"),
    ] {
        assert_text(placeholder, &format!(r#"{{"content":[{block}]}}"#));
        // One odd block costs itself only.
        assert_text(
            &format!("a\n{placeholder}"),
            &format!(r#"{{"content":[{{"type":"text","text":"a"}},{block}]}}"#),
        );
    }
}

#[test]
fn no_content_says_so() {
    for result in [
        r#"{}"#,
        r#"{"content":[]}"#,
        r#"{"content":null}"#,
        r#"{"isError":false,"content":[]}"#,
    ] {
        assert_text("(the tool gave no content)", result);
    }
}

#[test]
fn a_failure_without_a_word_says_that_it_failed() {
    for result in [
        r#"{"isError":true}"#,
        r#"{"isError":true,"content":[]}"#,
        r#"{"isError":true,"content":[{"type":"text","text":""}]}"#,
        r#"{"isError":true,"content":[{"type":"text"}]}"#,
    ] {
        assert_text("the tool failed and gave no reason", result);
    }
}

#[test]
fn a_failure_with_words_is_its_words() {
    assert_text(
        "disk full",
        r#"{"isError":true,"content":[{"type":"text","text":"disk full"}]}"#,
    );
    assert_text(
        "[image: image/png]",
        r#"{"isError":true,"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}"#,
    );
    assert_text(
        r#"{"code":28}"#,
        r#"{"isError":true,"structuredContent":{"code":28}}"#,
    );
}

#[test]
fn structured_content_is_shown_only_where_there_is_no_text() {
    for (text, result) in [
        (
            "two hits",
            r#"{"content":[{"type":"text","text":"two hits"}],"structuredContent":{"hits":2}}"#,
        ),
        (r#"{"hits":2,"b":1}"#, r#"{"structuredContent":{"hits":2,"b":1}}"#),
        (r#"{"hits":2}"#, r#"{"content":[],"structuredContent":{"hits":2}}"#),
        (
            r#"{"hits":2}"#,
            r#"{"content":[{"type":"text","text":""}],"structuredContent":{"hits":2}}"#,
        ),
        (
            "[image: image/png]\n{\"hits\":2}",
            r#"{"content":[{"type":"image","mimeType":"image/png"}],"structuredContent":{"hits":2}}"#,
        ),
    ] {
        assert_text(text, result);
    }
}
