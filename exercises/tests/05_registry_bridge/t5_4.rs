use super::*;

/// The view as the stage prints it: `a: string, b?: integer`.
fn is_viewed(expected: &str, schema: &str, likely: &str) -> Verdict {
    let one = |p: &Parameter| {
        format!("{}{}: {}", p.name, if p.required { "" } else { "?" }, p.kind)
    };
    let got: Vec<_> = read(schema)?.iter().map(one).collect();
    same(expected.into(), got.join(", ")).given(schema).likely(likely)
}

/// Names and types, whatever is required.
fn kinds(schema: &str) -> Result<String, Failure> {
    let one = |p: &Parameter| format!("{}: {}", p.name, p.kind);
    Ok(read(schema)?.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn has_kinds(expected: &str, schema: &str, likely: &str) -> Verdict {
    same(expected.into(), kinds(schema)?).given(schema).likely(likely)
}

#[test]
fn properties_are_in_their_order_with_what_is_required() {
    judge("5.4", "each property, in its order, and whether it is required", || {
        is_viewed(
            "z: string, a?: integer, m: boolean",
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","default":5},"m":{"type":"boolean"}},"required":["m","z"]}"#,
            "`required` of the schema names them; its order does not matter",
        )
    });
}

#[test]
fn a_schema_without_properties_has_no_parameters() {
    judge("5.4", "a schema without properties is one without parameters", || {
        for schema in [
            r#"{"type":"object"}"#,
            r#"{"type":"object","additionalProperties":false}"#,
            r#"{"type":"object","properties":null}"#,
            r#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#,
            "{}",
        ] {
            is_viewed(
                "",
                schema,
                "half of all tools take nothing: `properties` may be absent",
            )?;
        }
        Ok(())
    });
}

#[test]
fn without_a_usable_required_nothing_is_required() {
    judge("5.4", "a `required` that is not a list of names requires nothing", || {
        for schema in [
            r#"{"properties":{"a":{"type":"string"}}}"#,
            r#"{"properties":{"a":{"type":"string"}},"required":null}"#,
            r#"{"properties":{"a":{"type":"string"}},"required":true}"#,
            r#"{"properties":{"a":{"type":"string","required":true}},"required":[5,"b"]}"#,
        ] {
            is_viewed(
                "a?: string",
                schema,
                "`required` is an array beside `properties`, if it is one",
            )?;
        }
        Ok(())
    });
}

#[test]
fn several_types_are_joined_and_none_is_any() {
    judge("5.4", "several types are joined by `|`; no type is `any`", || {
        for (kind, property) in [
            ("string|null", r#"{"type":["string","null"]}"#),
            ("number", r#"{"type":["number"]}"#),
            ("any", r#"{"type":5}"#),
            ("any", "{}"),
            ("any", r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
            ("any", r#"{"enum":["a","b"]}"#),
            ("any", "true"),
            ("any", "null"),
            ("any", r#"["string"]"#),
        ] {
            let schema = format!(r#"{{"properties":{{"a":{property}}}}}"#);
            has_kinds(
                &format!("a: {kind}"),
                &schema,
                "`type` is a string, an array of strings, or not there",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_local_reference_is_followed() {
    judge("5.4", "a `$ref` into the same schema is followed, through others", || {
        has_kinds(
            "a: string, b: number, c: object, d: integer",
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/definitions/B"},"c":{"$ref":"#"},"d":{"$ref":"#/$defs/x~1y"}},"$defs":{"A":{"type":"string"},"C":{"type":"number"},"x/y":{"type":"integer"}},"definitions":{"B":{"$ref":"#/$defs/C"}}}"##,
            "after `#` there is a JSON Pointer, which `Value::pointer` resolves",
        )
    });
}

#[test]
fn a_reference_that_leads_nowhere_is_any() {
    judge("5.4", "a `$ref` that leads nowhere is `any`", || {
        for property in [
            r##"{"$ref":"#/$defs/none"}"##,
            r##"{"$ref":"#anchor"}"##,
            r##"{"$ref":5}"##,
        ] {
            has_kinds(
                "a: any",
                &format!(r#"{{"properties":{{"a":{property}}}}}"#),
                "a server's schema may be wrong: nothing in it is certain",
            )?;
        }
        Ok(())
    });
}

#[test]
fn a_circle_of_references_ends() {
    let test = "t5_4::a_circle_of_references_ends";
    judge_apart(test, "5.4", "references in a circle end, and are `any`", || {
        has_kinds(
            "a: any, b: any",
            r##"{"properties":{"a":{"$ref":"#/properties/a"},"b":{"$ref":"#/$defs/B"}},"$defs":{"B":{"$ref":"#/$defs/C"},"C":{"$ref":"#/$defs/B"}}}"##,
            "count the steps: `MAX_REFS` is how many are followed",
        )
    });
}

#[test]
fn a_foreign_reference_is_never_followed() {
    judge("5.4", "a `$ref` to a file or a URL is `any`, and is not fetched", || {
        let no_port = |error| Failure::new(format!("no port to listen at: {error}"));
        let listener = TcpListener::bind("127.0.0.1:0").map_err(no_port)?;
        listener.set_nonblocking(true).map_err(no_port)?;
        let address = listener.local_addr().map_err(no_port)?;
        for target in [
            &format!("http://{address}/x.json#/$defs/A"),
            "file:///etc/x.json",
            "x.json#/$defs/A",
            "/$defs/A",
        ] {
            let schema = format!(
                r#"{{"properties":{{"a":{{"$ref":"{target}"}}}},"$defs":{{"A":{{"type":"string"}}}}}}"#
            );
            let shown = schema.replace(&address.to_string(), "127.0.0.1:9");
            same("a: any".into(), kinds(&schema)?)
                .given(shown)
                .likely("only what begins with `#` is in this schema")?;
        }
        let nobody = listener.accept().is_err();
        holds(nobody, "no connection", "a connection to the address in the `$ref`")
            .likely("a tool list must not cause network access")
    });
}

#[test]
fn a_value_that_is_not_an_object_schema_is_refused() {
    judge("5.4", "a value that is not an object schema is refused", || {
        for schema in [
            "null",
            "true",
            r#""object""#,
            "[]",
            "5",
            r#"{"type":"array"}"#,
            r#"{"type":"string"}"#,
        ] {
            let got = parameters(&value(schema));
            holds(got.is_err(), "a refusal", got)
                .given(schema)
                .likely("arguments are always an object, so its schema is of one")?;
        }
        Ok(())
    });
}
