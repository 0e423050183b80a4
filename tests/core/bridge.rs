//! The bridge over a connection, and the words that the graders of exercise 5 leave
//! open.

use crate::common::{
    limit::run,
    scripted::{Answer, connect},
};
use mcp_from_scratch::{
    bridge::{BridgeError, Options, exposed_name, merge, register_mcp_tools},
    registry::{Risk, ToolRegistry, ToolSpec, parameters},
    tool::{Tool, ToolInfo, ToolResult, from_fn, to_text},
};
use serde_json::Value;

/// The JSON of a literal.
fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[track_caller]
fn assert_text(expected: &str, result: &str) {
    let outcome = ToolResult::read(json(result)).expect("a result");
    assert_eq!(expected, to_text(&outcome), "{result}");
}

#[test]
fn what_is_not_text_becomes_a_placeholder_on_its_own_line() {
    for (placeholder, block) in [
        ("[image: image/png]", r#"{"type":"image","mimeType":"image/png"}"#),
        ("[audio: audio/wav]", r#"{"type":"audio","mimeType":"audio/wav"}"#),
        ("[image: unknown]", r#"{"type":"image","data":"AA=="}"#),
        ("[resource link: file:///x]", r#"{"type":"resource_link","uri":"file:///x"}"#),
        ("[resource link: unknown]", r#"{"type":"resource_link"}"#),
        (
            "[resource: note://1]\nt",
            r#"{"type":"resource","resource":{"uri":"note://1","text":"t"}}"#,
        ),
        ("[resource: unknown]", r#"{"type":"resource"}"#),
        ("[content of an unknown type: video3d]", r#"{"type":"video3d","x":1}"#),
        ("[content without a type]", r#"{"type":5,"text":"x"}"#),
        ("[content without a type]", "null"),
    ] {
        let text = r#"{"type":"text","text":"a"}"#;
        assert_text(
            &format!("a\n{placeholder}\na"),
            &format!(r#"{{"content":[{text},{block},{text}]}}"#),
        );
    }
}

#[test]
fn a_result_without_text_has_words_of_ours() {
    assert_text("(the tool gave no content)", "{}");
    assert_text("the tool failed and gave no reason", r#"{"isError":true}"#);
    assert_text(
        "[image: image/png]\n{\"hits\":2}",
        r#"{"content":[{"type":"image","mimeType":"image/png"}],"structuredContent":{"hits":2}}"#,
    );
}

#[test]
fn a_refused_schema_says_what_it_was() {
    for (reason, schema) in [
        ("`inputSchema` must be an object, got null", "null"),
        ("`inputSchema` must be an object, got \"object\"", "\"object\""),
        ("arguments must be an object, not \"array\"", r#"{"type":"array"}"#),
        ("arguments must be an object, not null", r#"{"type":null}"#),
        (
            "arguments must be an object, not [\"object\",\"null\"]",
            r#"{"type":["object","null"]}"#,
        ),
    ] {
        assert_eq!(Err(reason.into()), parameters(&json(schema)), "{schema}");
    }
}

#[test]
fn an_unusable_type_is_any() {
    for (kind, property) in [
        ("any", r#"{"type":[]}"#),
        ("any", r#"{"type":[5]}"#),
        ("string", r#"{"type":["string",5]}"#),
        ("any", r#"{"type":"string","$ref":"http://127.0.0.1:9/x"}"#),
    ] {
        let schema = format!(r#"{{"properties":{{"a":{property}}}}}"#);
        let read = parameters(&json(&schema)).expect("a schema of an object");
        assert_eq!(kind, read[0].kind, "{property}");
    }
}

/// Rules and habits depend on a name, so it must not change between releases.
#[test]
fn an_exposed_name_is_made_in_this_way() {
    let long = "x".repeat(65);
    let cut = format!("{}_b42b1787", "x".repeat(55)); // FNV-1a, computed elsewhere
    for (expected, prefix, name) in [
        ("admin_tools_list", "", "admin.tools.list"),
        ("my_server_echo", "my server.", "echo"),
        (&cut, "", &long),
    ] {
        assert_eq!(Ok(expected.into()), exposed_name(prefix, name), "{name:?}");
    }
    assert_eq!(Err("the name is empty".into()), exposed_name("mcp__demo__", ""));
    for (shown, name) in [("name\\n", "name\n"), ("a\\u{85}", "a\u{85}")] {
        let reason = format!("the name contains control characters: {shown}");
        assert_eq!(Err(reason), exposed_name("", name), "{name:?}");
    }
}

fn nothing() -> impl Tool + 'static {
    from_fn(|_| Ok(ToolResult::default()))
}

#[test]
fn a_skipped_tool_is_named_with_its_reason() {
    let list = r#"[{"name":"a","inputSchema":{}},{"name":"none"},{"name":5,"inputSchema":{}},{"name":"","inputSchema":{}},{"name":"n\n","inputSchema":{}},null,{"name":"task","inputSchema":{},"execution":{"taskSupport":"required"}},{"name":"a.","inputSchema":{}},{"name":"a_","inputSchema":{}}]"#;
    let mut registry = ToolRegistry::new();
    let spec = ToolSpec::local(ToolInfo::new("a", "", json("{}")), Risk::Suggest);
    registry.register(spec, nothing()).expect("a free name");
    let list = json(list);
    let tools = list.as_array().expect("a list");
    let merged = merge(&mut registry, tools, &Options::default(), |_| nothing());
    let merged = merged.expect("no override");
    assert_eq!(["a_"], merged.names[..]);
    assert_eq!(
        [
            "tool 0 (a): there is already a tool named `a`",
            "tool 1 (none): `inputSchema` must be an object, got null",
            "tool 2 (without a name): `name` must be a string, got 5",
            "tool 3 (): the name is empty",
            "tool 4 (n\\n): the name contains control characters: n\\n",
            "tool 5 (without a name): `name` must be a string, got null",
            "tool 6 (task): it runs only as a task, which is not supported",
            "tool 8 (a_): there is already a tool named `a_`",
        ],
        merged.skipped[..]
    );
}

#[test]
fn every_unknown_override_is_named() {
    let unknown = BridgeError::UnknownOverride(vec!["a".into(), "b".into()]);
    let said = "overrides name tools that the server does not list: a, b";
    assert_eq!(said, unknown.to_string());
}

#[test]
fn a_list_that_fails_is_an_error_and_the_registry_stays_as_it_is() {
    run(async {
        let server = connect("[]", |_| Answer::Silence).await;
        server.client.close().await;
        let mut registry = ToolRegistry::new();
        let options = Options::default();
        let merged = register_mcp_tools(&mut registry, &server.client, &options).await;
        let error = merged.expect_err("closed");
        assert!(matches!(error, BridgeError::Client(_)), "{error}");
        assert_eq!("the client was closed", error.to_string());
        assert_eq!(0, registry.specs().count());
    });
}
