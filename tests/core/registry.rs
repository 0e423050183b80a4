//! What the graders of exercise 5 leave open in the registry: the words of a refusal,
//! a local tool that panics, removing a server's tools.

use crate::common::{limit::run, plan::call};
use mcp_from_scratch::{
    registry::{
        DuplicateTool, Origin, Parameter, Risk, ToolRegistry, ToolSpec, deny_all,
        object_schema, parameters,
    },
    tool::{ToolInfo, ToolResult, from_fn},
};
use serde_json::json;

fn spec(name: &str, risk: Risk) -> ToolSpec {
    ToolSpec::local(ToolInfo::new(name, "Panics.", json!({})), risk)
}

/// A registry whose only tool is `say`, which panics.
fn panicking(risk: Risk) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    let bad = from_fn(|_| panic!("/home/me/secret"));
    registry.register(spec("say", risk), bad).expect("a free name");
    registry
}

#[test]
fn a_refusal_and_a_missing_tool_have_different_texts() {
    run(async {
        let registry = panicking(Risk::Approve);
        for (name, text) in [
            ("say", "the call of `say` was refused: no user is there to approve it"),
            ("Say", "there is no tool `Say`"),
        ] {
            let result = registry.execute(call(name, "{}"), &deny_all).await;
            assert_eq!(Ok(ToolResult::failure(text)), result);
        }
    });
    let duplicate = DuplicateTool("say".into());
    assert_eq!("there is already a tool named `say`", duplicate.to_string());
}

#[test]
fn a_panic_in_a_local_tool_is_a_failed_tool_without_its_text() {
    run(async {
        let registry = panicking(Risk::Auto);
        for _ in 0..2 {
            let result = registry.execute(call("say", "{}"), &deny_all).await;
            assert_eq!(Ok(ToolResult::failure("the tool panicked")), result);
        }
    });
}

#[test]
fn removing_a_server_removes_its_tools_and_no_others() {
    run(async {
        let mut registry = ToolRegistry::new();
        for (name, server) in [("a", Some("one")), ("b", None), ("c", Some("two"))] {
            let origin = server
                .map(|server| Origin { server: server.into(), tool: name.into() });
            let spec = ToolSpec { origin, ..spec(name, Risk::Auto) };
            let tool = from_fn(move |_| Ok(ToolResult::text(name)));
            registry.register(spec, tool).expect("a free name");
        }
        assert_eq!(1, registry.remove("one"));
        assert_eq!(0, registry.remove("one"));
        let names: Vec<_> = registry.specs().map(ToolSpec::name).collect();
        assert_eq!(["b", "c"], names[..]);
        for (name, result) in [
            ("a", ToolResult::failure("there is no tool `a`")),
            ("b", ToolResult::text("b")),
            ("c", ToolResult::text("c")),
        ] {
            assert_eq!(Ok(result), registry.execute(call(name, "{}"), &deny_all).await);
        }
    });
}

#[test]
fn a_local_tools_schema_requires_every_parameter() {
    let schema = object_schema(&[("a", "number", "One."), ("b", "string", "Two.")]);
    assert_eq!(
        r#"{"type":"object","properties":{"a":{"type":"number","description":"One."},"b":{"type":"string","description":"Two."}},"required":["a","b"]}"#,
        schema.to_string()
    );
    let one = |name: &str, kind: &str| {
        let (name, kind) = (name.into(), kind.into());
        Parameter { name, kind, required: true }
    };
    assert_eq!(Ok(vec![one("a", "number"), one("b", "string")]), parameters(&schema));
}
