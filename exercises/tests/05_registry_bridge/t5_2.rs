use super::*;

#[test]
fn a_tool_has_name_description_and_input_schema() {
    judge("5.2", "the model gets name, description and input_schema only", || {
        let registry = registry_of(&[("say", Risk::Approve, &Fake::returning(""))])?;
        let mut defined = registry.model_tools();
        same(1, defined.len()).given("a registry with one tool")?;
        let defined = defined.remove(0);
        let members = defined.as_object().into_iter().flatten();
        let mut members: Vec<_> = members.map(|(name, _)| name.as_str()).collect();
        members.sort();
        same(vec!["description", "input_schema", "name"], members).likely(
            "model APIs use `input_schema`, MCP `inputSchema`; the risk is only for \
             the host",
        )?;
        same(
            json!(["say", "Repeats it."]),
            json!([defined["name"], defined["description"]]),
        )
        .given("the tool `say`, described as “Repeats it.”")
    });
}

#[test]
fn the_schema_is_unchanged() {
    judge("5.2", "the model gets the schema exactly as received", || {
        let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","required":["z"],"type":"object","properties":{"z":{"$ref":"#/$defs/Z"},"a":{"default":1e-7}},"$defs":{"Z":{"enum":["你好",null]}},"x-vendor":{"b":1,"a":2}}"##;
        let mut registry = ToolRegistry::new();
        let mut remote = spec("a", Risk::Auto);
        remote.info.input_schema = value(schema);
        let _ = registry.register(remote, Fake::returning(""));
        let defined = registry.model_tools();
        let got = defined.first().map(|tool| tool["input_schema"].to_string());
        same_bytes(schema, got.unwrap_or_default())
            .given("a tool whose schema has `$ref`, `$defs` and a vendor's member")
            .likely(
                "copy the schema; do not rebuild it from the parameters, which have \
                 only names and types",
            )
    });
}

#[test]
fn tools_are_defined_in_the_order_of_registration() {
    judge("5.2", "the model gets the tools in the order of registration", || {
        let fake = Fake::returning("");
        let names = ["zeta", "alpha", "mid", "beta"];
        let registry = registry_of(&names.map(|name| (name, Risk::Suggest, &fake)))?;
        let defined = registry.model_tools();
        let got: Vec<_> =
            defined.iter().map(|t| t["name"].as_str().unwrap_or("?")).collect();
        same(names.to_vec(), got)
            .likely("iterate over `tools`: a map has another order")
    });
}
