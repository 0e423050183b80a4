use super::*;

#[test]
fn a_tool_has_name_description_and_input_schema() {
    judge("5.2", "the model gets name, description and input_schema only", || {
        let registry = registry_of(&[("say", Risk::Approve, &Fake::says(""))])?;
        let mut described = registry.model_tools();
        same(1, described.len()).given("a registry with one tool")?;
        let described = described.remove(0);
        let members = described.as_object().into_iter().flatten();
        let mut members: Vec<_> = members.map(|(name, _)| name.as_str()).collect();
        members.sort();
        same(vec!["description", "input_schema", "name"], members).likely(
            "model APIs write `input_schema`, MCP `inputSchema`; and the risk is for \
             the host alone",
        )?;
        same(
            json!(["say", "Says it."]),
            json!([described["name"], described["description"]]),
        )
        .given("the tool `say`, described as “Says it.”")
    });
}

#[test]
fn the_schema_is_not_changed() {
    judge("5.2", "the model gets exactly the original schema", || {
        let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","required":["z"],"type":"object","properties":{"z":{"$ref":"#/$defs/Z"},"a":{"default":1e-7}},"$defs":{"Z":{"enum":["你好",null]}},"x-vendor":{"b":1,"a":2}}"##;
        let mut registry = ToolRegistry::new();
        let mut remote = spec("a", Risk::Auto);
        remote.info.input_schema = value(schema);
        let _ = registry.register(remote, Fake::says(""));
        let described = registry.model_tools();
        let got = described.first().map(|tool| tool["input_schema"].to_string());
        same_bytes(schema, got.unwrap_or_default())
            .given("a tool whose schema has `$ref`, `$defs` and a member of its vendor")
            .likely("missing, or rebuilt from the view, which has names and types only")
    });
}

#[test]
fn tools_are_described_in_their_order() {
    judge("5.2", "the model gets the tools in the order of registration", || {
        let fake = Fake::says("");
        let names = ["zeta", "alpha", "mid", "beta"];
        let registry = registry_of(&names.map(|name| (name, Risk::Suggest, &fake)))?;
        let described = registry.model_tools();
        let got: Vec<_> =
            described.iter().map(|t| t["name"].as_str().unwrap_or("?")).collect();
        same(names.to_vec(), got).likely(
            "iterate over `tools`: a map has its own \
                                          order",
        )
    });
}
