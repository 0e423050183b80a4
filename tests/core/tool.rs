//! Outcomes as results and back, and arguments by name.

use mcp_from_scratch::tool::{Arguments, ToolFailure, ToolInfo, ToolResult};
use serde_json::{Value, json};

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn read(text: &str) -> Result<ToolResult, String> {
    ToolResult::read(json(text))
}

fn arguments(text: &str) -> Arguments {
    Arguments(json(text).as_object().cloned().expect("an object"))
}

#[test]
fn a_text_is_one_content_block_and_no_error() {
    assert_eq!(
        r#"{"content":[{"type":"text","text":"你好"}]}"#,
        ToolResult::text("你好").to_json().to_string()
    );
}

#[test]
fn a_failure_is_a_result_with_is_error() {
    assert_eq!(
        r#"{"content":[{"type":"text","text":"no such file"}],"isError":true}"#,
        ToolResult::failure("no such file").to_json().to_string()
    );
}

#[test]
fn structured_content_is_beside_the_content() {
    let outcome =
        ToolResult { structured: Some(json!({"n": 42})), ..ToolResult::text("42") };
    let result =
        r#"{"content":[{"type":"text","text":"42"}],"structuredContent":{"n":42}}"#;
    assert_eq!(result, outcome.to_json().to_string());
    assert_eq!(Ok(outcome), read(result));
}

#[test]
fn a_result_is_read_back_as_it_was_written() {
    for outcome in
        [ToolResult::text("a\n\"b\""), ToolResult::failure(""), ToolResult::default()]
    {
        assert_eq!(Ok(outcome.clone()), ToolResult::read(outcome.to_json()));
    }
}

#[test]
fn content_that_is_missing_is_empty() {
    assert_eq!(Ok(ToolResult::default()), read("{}"));
    assert_eq!(Ok(ToolResult::default()), read(r#"{"content":null,"isError":null}"#));
    assert_eq!(Ok(ToolResult::default()), read(r#"{"content":[]}"#));
}

#[test]
fn an_absent_is_error_means_success() {
    let failed = |text| read(text).expect("a result").is_error;
    assert!(!failed(r#"{"content":[]}"#));
    assert!(!failed(r#"{"content":[],"isError":false}"#));
    assert!(failed(r#"{"content":[],"isError":true}"#));
}

#[test]
fn content_blocks_of_unknown_types_are_kept() {
    let block = r#"{"type":"hologram","data":[1,2],"annotations":{}}"#;
    let outcome = read(&format!(r#"{{"content":[{block}]}}"#)).expect("a result");
    assert_eq!(vec![json(block)], outcome.content);
}

#[test]
fn only_a_complete_result_is_one() {
    assert_eq!(
        Ok(ToolResult::text("hi")),
        read(r#"{"resultType":"complete","content":[{"type":"text","text":"hi"}]}"#)
    );
    assert_eq!(
        Err(r#"expected a complete result, got resultType "input_required""#.into()),
        read(r#"{"resultType":"input_required","inputRequests":{}}"#)
    );
    assert_eq!(
        Err("expected a complete result, got resultType 5".into()),
        read(r#"{"resultType":5,"content":[]}"#)
    );
}

#[test]
fn a_result_of_another_shape_is_refused() {
    for (reason, result) in [
        ("a result must be an object, got null", "null"),
        ("a result must be an object, got []", "[]"),
        (r#"`content` must be an array, got "hi""#, r#"{"content":"hi"}"#),
        (r#"`isError` must be a boolean, got "yes""#, r#"{"isError":"yes"}"#),
    ] {
        assert_eq!(Err(reason.into()), read(result));
    }
}

#[test]
fn a_required_argument_is_read_as_its_type() {
    let given = arguments(r#"{"text":"","n":42,"list":["a"],"maybe":null}"#);
    assert_eq!(Ok(String::new()), given.required("text"));
    assert_eq!(Ok(42u8), given.required("n"));
    assert_eq!(Ok(vec!["a".to_string()]), given.required("list"));
    assert_eq!(Ok(None::<String>), given.required("maybe"));
}

#[test]
fn a_missing_or_ill_typed_argument_is_a_failure_that_names_it() {
    let given = arguments(r#"{"text":5,"n":-1,"gone":null}"#);
    let failure = |text: &str| ToolFailure(text.into());
    for (expected, name) in [
        ("argument `none` is missing", "none"),
        ("argument `text`: invalid type: integer `5`, expected a string", "text"),
        ("argument `gone`: invalid type: null, expected a string", "gone"),
    ] {
        assert_eq!(Err(failure(expected)), given.required::<String>(name));
    }
    let expected = failure("argument `n`: invalid value: integer `-1`, expected u8");
    assert_eq!(Err(expected), given.required::<u8>("n"));
}

#[test]
fn an_optional_argument_may_be_missing_or_null() {
    let given = arguments(r#"{"text":5,"gone":null}"#);
    assert_eq!(Ok(None), given.optional::<String>("none"));
    assert_eq!(Ok(None), given.optional::<String>("gone"));
    assert_eq!(Ok(Some(5)), given.optional("text"));
    assert!(given.optional::<String>("text").is_err());
}

#[test]
fn a_tool_is_listed_with_its_schema_as_it_came() {
    let schema = r#"{"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema","b":1,"a":2}"#;
    assert_eq!(
        format!(r#"{{"name":"t","description":"d","inputSchema":{schema}}}"#),
        ToolInfo::new("t", "d", json(schema)).to_json().to_string()
    );
}
