//! What is expected of a JSON value, as JSON.
//!
//! An object stands for every object that has its members; other members do not
//! matter. All else is itself, but for strings that begin with a sign:
//! `~text` is a string with that text in it, `!text` a string without it,
//! `?` anything at all, and `-` (a member's) that the member is not there.

use serde_json::Value;

/// What is wrong with `value`, and where.
pub fn check(pattern: &Value, value: &Value) -> Result<(), String> {
    match (pattern, value) {
        (Value::Object(wanted), Value::Object(members)) => {
            wanted.iter().try_for_each(|(name, pattern)| {
                let value = match members.get(name) {
                    None if pattern == "-" => return Ok(()),
                    None => return Err(format!("`{name}` is missing")),
                    Some(_) if pattern == "-" => {
                        return Err(format!("there is a `{name}`"));
                    }
                    Some(value) => value,
                };
                check(pattern, value).map_err(|why| format!("{name}: {why}"))
            })
        }
        (Value::Array(wanted), Value::Array(items)) if wanted.len() == items.len() => {
            let mut pairs = wanted.iter().zip(items).enumerate();
            pairs.try_for_each(|(at, (pattern, item))| {
                check(pattern, item).map_err(|why| format!("[{at}]: {why}"))
            })
        }
        (Value::String(pattern), value) => text(pattern, value),
        _ if pattern == value => Ok(()),
        _ => Err(format!("expected {pattern}, got {value}")),
    }
}

fn text(pattern: &str, value: &Value) -> Result<(), String> {
    let said = value.as_str();
    let fits = match (pattern.split_at_checked(1), said) {
        (Some(("?", "")), _) => true,
        (Some(("~", part)), said) => said.is_some_and(|said| said.contains(part)),
        (Some(("!", part)), said) => said.is_some_and(|said| !said.contains(part)),
        _ => said == Some(pattern),
    };
    if fits { Ok(()) } else { Err(format!("expected {pattern:?}, got {value}")) }
}

/// Whether each value fits one separate pattern, in any order, and none is left.
pub fn check_all(patterns: &[Value], values: &[Value]) -> Result<(), String> {
    let mut left: Vec<_> = values.iter().collect();
    for pattern in patterns {
        let at = left.iter().position(|value| check(pattern, value).is_ok());
        let at = at.ok_or_else(|| format!("nothing fits {pattern} in {left:#?}"))?;
        left.remove(at);
    }
    if left.is_empty() { Ok(()) } else { Err(format!("not expected: {left:#?}")) }
}

#[test]
fn a_pattern_fits_what_it_says_and_nothing_else() {
    for (pattern, fitting, other) in [
        (r#"{"a":1}"#, r#"{"b":2,"a":1}"#, r#"{"a":2}"#),
        (r#"{"a":1}"#, r#"{"a":1}"#, r#"{"a":"1"}"#),
        (r#"{"a":null}"#, r#"{"a":null}"#, r#"{}"#),
        (r#"{"a":"-"}"#, r#"{}"#, r#"{"a":null}"#),
        (r#""~b""#, r#""abc""#, r#""ac""#),
        (r#""!b""#, r#""ac""#, r#""abc""#),
        (r#""!b""#, r#""ac""#, "1"),
        (r#"[1,"?"]"#, "[1,{}]", "[1]"),
        (r#"{"a":{"b":[]}}"#, r#"{"a":{"b":[]}}"#, r#"{"a":{"b":[1]}}"#),
        ("{}", r#"{"a":1}"#, "[]"),
    ] {
        let json = |text| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(Ok(()), check(&json(pattern), &json(fitting)), "{pattern}");
        let wrong = check(&json(pattern), &json(other));
        assert!(wrong.is_err(), "{pattern} fits {other}");
    }
}

#[test]
fn every_response_is_expected_and_every_expected_one_is_there() {
    let json = |text| serde_json::from_str::<Vec<Value>>(text).expect("JSON");
    let two = json(r#"[{"id":1},{"id":2}]"#);
    assert_eq!(Ok(()), check_all(&json(r#"[{"id":2},{"id":1}]"#), &two));
    for wrong in ["[]", r#"[{"id":1}]"#, r#"[{"id":1},{"id":1}]"#] {
        assert!(check_all(&json(wrong), &two).is_err(), "{wrong}");
    }
}
