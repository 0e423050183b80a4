//! A list of tools for the bridge: which names, which calls, what is left out.

use crate::pattern::check;
use mcp_from_scratch::{
    bridge::{Options, merge},
    registry::{Risk, ToolCall, ToolRegistry, ToolSpec, deny_all, parameters},
    tool::{Tool, ToolInfo, ToolResult, from_fn},
    transcript::escape_untrusted,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    tools: Vec<Value>,
    #[serde(default)]
    prefix: String,
    /// Tools of this name are in the registry before, and need a yes.
    #[serde(default)]
    local: Vec<String>,
    #[serde(default)]
    overrides: Vec<String>,
    /// The names under which the tools are merged, and the server's own names.
    #[serde(default)]
    merged: Vec<(String, String)>,
    /// A pattern for each tool that is left out.
    #[serde(default)]
    skipped: Vec<Value>,
    /// Nothing is merged, because of this.
    fails: Option<Value>,
    /// Each tool's parameters as `name:type`.
    #[serde(default)]
    parameters: BTreeMap<String, Vec<String>>,
    /// How a person sees a tool's description.
    #[serde(default)]
    shown: BTreeMap<String, Value>,
}

/// Returns the name that a call would carry on the wire.
fn named(name: &str) -> impl Tool + use<> {
    let name = name.to_owned();
    from_fn(move |_| Ok(ToolResult::text(&name)))
}

impl Run {
    pub async fn check(&self) {
        let mut registry = ToolRegistry::new();
        for name in &self.local {
            let info = ToolInfo::new(name, "", Value::Null);
            let spec = ToolSpec::local(info, Risk::Approve);
            registry.register(spec, named("local")).expect("a free name");
        }
        let overrides = self.overrides.iter().map(|name| (name.clone(), Risk::Approve));
        let options = Options {
            prefix: self.prefix.clone(),
            overrides: overrides.collect(),
            ..Options::default()
        };
        let merged = match merge(&mut registry, &self.tools, &options, named) {
            Ok(merged) => merged,
            Err(error) => {
                let error = Value::from(error.to_string());
                let wanted = self.fails.as_ref().expect("it does not fail");
                return check(wanted, &error).unwrap_or_else(|why| panic!("{why}"));
            }
        };
        assert_eq!(None, self.fails);
        let names: Vec<_> = self.merged.iter().map(|(name, _)| name.clone()).collect();
        assert_eq!(names, merged.names);
        check(&self.skipped.clone().into(), &merged.skipped.into())
            .unwrap_or_else(|why| panic!("skipped: {why}"));
        self.check_registry(&registry).await;
    }

    async fn check_registry(&self, registry: &ToolRegistry) {
        for (name, own) in &self.merged {
            let call = ToolCall { name: name.clone(), arguments: Map::new() };
            let outcome = registry.execute(call, &deny_all).await;
            assert_eq!(Ok(ToolResult::text(own)), outcome, "{name} reaches its tool");
            let spec = registry.specs().find(|spec| spec.name() == name);
            let spec = spec.expect("it is there");
            let came = self.tools.iter().find(|tool| tool["name"] == **own);
            let came = came.expect("it was listed");
            let info = &spec.info;
            assert_eq!(came["inputSchema"], info.input_schema, "{name}");
            assert_eq!(came["description"].as_str().unwrap_or(""), info.description);
            let list = parameters(&info.input_schema).expect("a schema of an object");
            let list = list.iter();
            let list: Vec<_> =
                list.map(|it| format!("{}:{}", it.name, it.kind)).collect();
            let wanted = self.parameters.get(name).cloned();
            assert_eq!(wanted.unwrap_or_default(), list, "{name}");
            let shown = escape_untrusted(info.description.as_bytes());
            let wanted = self.shown.get(name).cloned().unwrap_or("?".into());
            check(&wanted, &shown.into()).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        for name in &self.local {
            let call = ToolCall { name: name.clone(), arguments: Map::new() };
            let outcome = registry.execute(call, &deny_all).await.expect("data");
            assert!(outcome.is_error, "the local tool still asks: {name}");
        }
    }
}
