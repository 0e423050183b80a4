//! An `inputSchema` becomes a view for people; the schema itself stays as it came.

use crate::json;
use mcp_from_scratch::{bridge::parameters, registry::Parameters};

/// The view as the stages print it: `a: string, b?: integer`.
fn view(parameters: &Parameters) -> String {
    let one = |p: &mcp_from_scratch::registry::Parameter| {
        format!("{}{}: {}", p.name, if p.required { "" } else { "?" }, p.kind)
    };
    parameters.list.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn assert_view(expected: &str, schema: &str) {
    let parameters = parameters(&json(schema)).expect("a schema of an object");
    assert_eq!(expected, view(&parameters), "{schema}");
    assert_eq!(schema, parameters.schema.to_string(), "the schema is kept as it came");
}

#[test]
fn properties_are_listed_in_their_order_and_say_whether_they_are_required() {
    assert_view(
        "z: string, a?: integer",
        r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","default":5}},"required":["z"]}"#,
    );
}

#[test]
fn a_schema_without_properties_is_one_without_parameters() {
    for schema in [
        r#"{"type":"object"}"#,
        r#"{"type":"object","additionalProperties":false}"#,
        r#"{"type":"object","properties":{}}"#,
        r#"{"type":"object","properties":null}"#,
        r#"{}"#,
        r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
    ] {
        assert_view("", schema);
    }
}

#[test]
fn without_a_usable_required_list_nothing_is_required() {
    for schema in [
        r#"{"properties":{"a":{"type":"string"}}}"#,
        r#"{"properties":{"a":{"type":"string"}},"required":null}"#,
        r#"{"properties":{"a":{"type":"string"}},"required":true}"#,
        r#"{"properties":{"a":{"type":"string","required":true}},"required":[5,"b"]}"#,
    ] {
        assert_view("a?: string", schema);
    }
}

#[test]
fn several_types_are_joined_and_no_type_is_any() {
    for (kind, property) in [
        ("string|null", r#"{"type":["string","null"]}"#),
        ("string", r#"{"type":["string"]}"#),
        ("string", r#"{"type":["string",5]}"#),
        ("any", r#"{"type":[]}"#),
        ("any", r#"{"type":5}"#),
        ("any", r#"{}"#),
        ("any", r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
        ("any", r#"{"enum":["a","b"]}"#),
        ("any", "true"),
        ("any", "false"),
        ("any", "null"),
        ("any", r#"["string"]"#),
    ] {
        let schema = format!(r#"{{"type":"object","properties":{{"a":{property}}}}}"#);
        assert_view(&format!("a?: {kind}"), &schema);
    }
}

#[test]
fn a_local_reference_is_followed_through_others() {
    assert_view(
        "a?: string, b?: string, c?: object",
        r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/definitions/B"},"c":{"$ref":"#"}},"$defs":{"A":{"type":"string"}},"definitions":{"B":{"$ref":"#/$defs/A"}}}"##,
    );
}

#[test]
fn a_reference_that_leads_nowhere_or_in_a_circle_is_any() {
    for property in [
        r##"{"$ref":"#/$defs/none"}"##,
        r##"{"$ref":"#anchor"}"##,
        r##"{"$ref":5}"##,
        r##"{"$ref":"#/properties/a"}"##,
        r##"{"$ref":"#/$defs/B"}"##,
    ] {
        let schema = format!(
            r##"{{"properties":{{"a":{property}}},"$defs":{{"B":{{"$ref":"#/$defs/C"}},"C":{{"$ref":"#/$defs/B"}}}}}}"##
        );
        assert_view("a?: any", &schema);
    }
}

#[test]
fn a_reference_into_the_network_or_a_file_is_never_followed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a socket");
    let port = listener.local_addr().expect("an address").port();
    for target in
        [&format!("http://127.0.0.1:{port}/x.json"), "file:///etc/x", "x.json"]
    {
        let schema = format!(r#"{{"properties":{{"a":{{"$ref":"{target}"}}}}}}"#);
        assert_view("a?: any", &schema);
    }
    let came = listener.accept().expect_err("nobody connects");
    assert_eq!(std::io::ErrorKind::WouldBlock, came.kind());
}

#[test]
fn a_type_beside_a_reference_that_leads_elsewhere_is_not_trusted() {
    assert_view(
        "a?: any",
        r#"{"properties":{"a":{"type":"string","$ref":"http://127.0.0.1:9/x.json"}}}"#,
    );
}

#[test]
fn dialects_and_titles_of_real_servers_are_kept() {
    assert_view(
        "text: string",
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"text":{"type":"string","title":"Text"}},"required":["text"],"title":"echoArguments","additionalProperties":false}"#,
    );
    assert_view(
        "n?: integer",
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"integer","format":"uint8","minimum":0}}}"#,
    );
}

#[test]
fn a_schema_that_nests_deeply_is_read_without_recursion() {
    let deep =
        r#"{"properties":{"a":"#.repeat(50) + r#"{"type":"string"}"# + &"}}".repeat(50);
    assert_view("a?: any", &deep);
}

#[test]
fn what_is_no_schema_of_an_object_is_refused() {
    for (reason, schema) in [
        ("`inputSchema` must be an object, got null", "null"),
        ("`inputSchema` must be an object, got true", "true"),
        ("`inputSchema` must be an object, got \"object\"", "\"object\""),
        ("`inputSchema` must be an object, got []", "[]"),
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
