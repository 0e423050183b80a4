//! The three tools that only compute.

use super::{call, text};
use mcp_from_scratch::tool::ToolResult;
use serde_json::{Value, json};
use std::time::{Duration, SystemTime};

fn add(arguments: &str) -> ToolResult {
    call("add", serde_json::from_str(arguments).expect("JSON"))
}

#[test]
fn get_time_is_rfc_3339_in_utc_and_now() {
    let before = SystemTime::now() - Duration::from_secs(1); // it tells whole seconds
    let outcome = call("get_time", json!({}));
    let said = text(&outcome);
    let time = humantime::parse_rfc3339(said).expect("RFC 3339");
    assert!(before <= time && time <= SystemTime::now(), "{said}");
    assert!(
        said.len() == "2025-11-25T00:00:00Z".len() && said.ends_with('Z'),
        "{said}"
    );
}

#[test]
fn get_weather_names_the_city_and_says_that_it_is_sample_data() {
    for city in ["Berlin", "北京"] {
        let outcome = call("get_weather", json!({ "city": city }));
        let expected = format!("{city}: sunny, 21 °C (sample data)");
        assert_eq!(ToolResult::text(&expected), outcome);
    }
}

#[test]
fn get_weather_without_a_city_is_a_failure_that_names_it() {
    let outcome = call("get_weather", json!({}));
    assert_eq!(ToolResult::failure("argument `city` is missing"), outcome);
}

#[test]
fn add_adds_integers_exactly_and_fractions_as_floats() {
    for (sum, arguments) in [
        ("42", r#"{"a":2,"b":40}"#),
        ("-1", r#"{"a":1,"b":-2}"#),
        ("42.5", r#"{"a":2,"b":40.5}"#),
        ("42", r#"{"a":2.0,"b":40.0}"#),
        ("9007199254740994", r#"{"a":9007199254740993,"b":1}"#),
        (
            "36893488147419103230",
            r#"{"a":18446744073709551615,"b":18446744073709551615}"#,
        ),
        (
            "-18446744073709551616",
            r#"{"a":-9223372036854775808,"b":-9223372036854775808}"#,
        ),
        ("0.30000000000000004", r#"{"a":0.1,"b":0.2}"#),
    ] {
        assert_eq!(ToolResult::text(sum), add(arguments), "{arguments}");
    }
}

#[test]
fn add_says_when_a_sum_is_too_large() {
    let outcome = add(r#"{"a":1.5e308,"b":1.5e308}"#);
    assert_eq!(ToolResult::failure("the sum is too large"), outcome);
}

#[test]
fn add_refuses_other_types_and_names_the_argument() {
    for wrong in [json!("40"), json!(null), json!(true), json!([40]), json!({})] {
        let outcome = call("add", json!({ "a": 2, "b": wrong }));
        assert!(outcome.is_error, "{wrong}");
        assert!(text(&outcome).starts_with("argument `b`: "), "{}", text(&outcome));
    }
    let outcome = call("add", json!({ "b": 40 }));
    assert_eq!(ToolResult::failure("argument `a` is missing"), outcome);
}

#[test]
fn each_schema_lists_the_parameters_that_its_tool_asks_for() {
    let registry = mcp_from_scratch::local_tools::registry("/nowhere");
    for spec in registry.specs() {
        let schema = &spec.info.input_schema;
        assert_eq!("object", schema["type"], "{}", spec.name());
        let properties = schema["properties"].as_object().expect("properties");
        let names: Vec<_> = properties.keys().map(String::as_str).collect();
        let required: Vec<_> = spec.parameters().into_iter().map(|p| p.name).collect();
        assert_eq!(required, names, "{}", spec.name());
        assert_eq!(json!(names), schema["required"], "{}", spec.name());
        for (name, property) in properties {
            let kind = property["type"].as_str().expect("a type");
            assert!(["string", "number"].contains(&kind), "{name}: {kind}");
            assert!(property["description"].is_string(), "{name}");
        }
        // The tool agrees: without arguments it misses the first one it lists.
        if let Some(first) = names.first() {
            let outcome = call(spec.name(), Value::Object(Default::default()));
            let missing = format!("argument `{first}` is missing");
            assert_eq!(ToolResult::failure(&missing), outcome);
        }
    }
}
