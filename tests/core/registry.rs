//! What the graders of exercise 5 leave open in the registry: the words of a refusal,
//! and a local tool that panics.

use crate::common::{limit::run, plan::call};
use mcp_from_scratch::{
    registry::{
        DuplicateTool, Parameter, Parameters, Risk, ToolRegistry, ToolSpec, deny_all,
    },
    tool::{Arguments, FunctionTool, ToolInfo, ToolResult},
};
use serde_json::json;

/// A registry whose only tool is `say`, which panics.
fn panicking(risk: Risk) -> ToolRegistry {
    let info = ToolInfo::new("say", "Panics.", json!({}));
    let bad = FunctionTool::new(info, |_: &Arguments| panic!("/home/me/secret"));
    let (name, description) = ("say".into(), "Panics.".into());
    let parameters = Parameters::required(&[]);
    let spec = ToolSpec { name, description, parameters, risk };
    let mut registry = ToolRegistry::new();
    registry.register(spec, bad).expect("a free name");
    registry
}

#[test]
fn a_refusal_and_a_missing_tool_have_their_words() {
    run(async {
        let registry = panicking(Risk::Approve);
        for (name, said) in [
            ("say", "refused: the user did not allow this call of `say`"),
            ("Say", "there is no tool `Say`"),
        ] {
            let outcome = registry.execute(&call(name, "{}"), &deny_all).await;
            assert_eq!(Ok(ToolResult::failure(said)), outcome);
        }
    });
    assert_eq!(
        "there is a tool `say` already",
        DuplicateTool("say".into()).to_string()
    );
}

#[test]
fn a_panic_in_a_local_tool_is_a_failed_tool_without_its_text() {
    run(async {
        let registry = panicking(Risk::Auto);
        for _ in 0..2 {
            let outcome = registry.execute(&call("say", "{}"), &deny_all).await;
            assert_eq!(Ok(ToolResult::failure("the tool panicked")), outcome);
        }
    });
}

#[test]
fn a_local_tools_parameters_are_all_required_and_their_schema_is_generated() {
    let made =
        Parameters::required(&[("a", "number", "One."), ("b", "string", "Two.")]);
    let one = |name: &str, kind: &str| {
        let (name, kind) = (name.into(), kind.into());
        Parameter { name, kind, required: true }
    };
    assert_eq!(vec![one("a", "number"), one("b", "string")], made.list);
    assert_eq!(
        r#"{"type":"object","properties":{"a":{"type":"number","description":"One."},"b":{"type":"string","description":"Two."}},"required":["a","b"]}"#,
        made.schema.to_string()
    );
    assert_eq!(
        r#"{"type":"object","properties":{},"required":[]}"#,
        Parameters::required(&[]).schema.to_string()
    );
}
