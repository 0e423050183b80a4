//! The merging by itself: a list in, a registry out, and a forwarder that is a fake.

use crate::{json, limit::run, plan::call};
use mcp_from_scratch::{
    bridge::{BridgeError, Merged, Options, merge},
    registry::{
        CallError, Executor, Parameters, Risk, ToolRegistry, ToolSpec, deny_all,
    },
    tool::{Arguments, BoxFuture, ToolResult},
};
use serde_json::Value;

/// Answers with the name that it would put on the wire.
struct Fake(String);

impl Executor for Fake {
    fn execute(&self, _: Arguments) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async { Ok(ToolResult::text(&self.0)) })
    }
}

fn fake(name: &str) -> Fake {
    Fake(format!("wire: {name}"))
}

fn local(name: &str, risk: Risk) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    let (name, description) = (name.to_owned(), "local".to_owned());
    let parameters = Parameters::required(&[]);
    let spec = ToolSpec { name, description, parameters, risk };
    registry.register(spec, Fake("local".into())).expect("a free name");
    registry
}

fn take(registry: &mut ToolRegistry, list: &str, options: &Options) -> Merged {
    let list = json(list);
    let tools = list.as_array().expect("a list");
    merge(registry, tools, options, fake).expect("no unknown override")
}

/// Each tool as `name risk`.
fn risks(registry: &ToolRegistry) -> Vec<String> {
    registry.specs().map(|spec| format!("{} {}", spec.name, spec.risk)).collect()
}

fn said_by(
    registry: ToolRegistry,
    name: &'static str,
) -> Result<ToolResult, CallError> {
    let (tell, said) = std::sync::mpsc::channel();
    run(async move {
        let outcome = registry.execute(&call(name, "{}"), &deny_all).await;
        tell.send(outcome).expect("the test waits");
    });
    said.recv().expect("it ran")
}

const TWO: &str = r#"[{"name":"read.note","description":"Reads.","inputSchema":{"type":"object"}},{"name":"search","inputSchema":{"type":"object"}}]"#;

#[test]
fn each_tool_gets_an_entry_after_those_that_are_there() {
    let mut registry = local("add", Risk::Approve);
    let merged = take(&mut registry, TWO, &Options::default());
    let names = vec!["read_note".into(), "search".into()];
    assert_eq!(Merged { names, skipped: vec![] }, merged);
    assert_eq!(["add approve", "read_note auto", "search auto"], risks(&registry)[..]);
    let descriptions: Vec<_> = registry.specs().map(|s| &*s.description).collect();
    assert_eq!(vec!["local", "Reads.", ""], descriptions);
}

#[test]
fn the_wire_gets_the_name_that_the_server_gave() {
    let mut registry = ToolRegistry::new();
    let prefix = "mcp__notes__".into();
    let merged = take(&mut registry, TWO, &Options { prefix, ..Options::default() });
    assert_eq!(["mcp__notes__read_note", "mcp__notes__search"], merged.names[..]);
    let outcome = said_by(registry, "mcp__notes__read_note");
    assert_eq!(Ok(ToolResult::text("wire: read.note")), outcome);
}

#[test]
fn a_name_that_was_cut_still_reaches_its_tool() {
    let long = "x".repeat(128);
    let list = format!(r#"[{{"name":"{long}","inputSchema":{{}}}}]"#);
    let mut registry = ToolRegistry::new();
    let merged = take(&mut registry, &list, &Options::default());
    assert_eq!(64, merged.names[0].len());
    let exposed: &'static str = merged.names[0].clone().leak();
    assert_eq!(
        Ok(ToolResult::text(&format!("wire: {long}"))),
        said_by(registry, exposed)
    );
}

#[test]
fn a_risk_is_set_for_the_server_and_overridden_by_the_servers_own_name() {
    let mut registry = ToolRegistry::new();
    let options = Options {
        prefix: "n__".into(),
        risk: Risk::Suggest,
        overrides: vec![("read.note".into(), Risk::Approve)],
    };
    take(&mut registry, TWO, &options);
    assert_eq!(["n__read_note approve", "n__search suggest"], risks(&registry)[..]);
}

#[test]
fn an_override_is_for_the_one_tool_of_that_very_name() {
    let list = r#"[{"name":"readme","inputSchema":{}},{"name":"read","inputSchema":{}},{"name":"rea","inputSchema":{}}]"#;
    let mut registry = ToolRegistry::new();
    let overrides = vec![("read".into(), Risk::Auto)];
    let options = Options { risk: Risk::Approve, overrides, ..Options::default() };
    take(&mut registry, list, &options);
    assert_eq!(["readme approve", "read auto", "rea approve"], risks(&registry)[..]);
}

#[test]
fn of_two_overrides_for_one_tool_the_stricter_holds() {
    for order in [[Risk::Auto, Risk::Approve], [Risk::Approve, Risk::Auto]] {
        let mut registry = ToolRegistry::new();
        let overrides = order.map(|risk| ("a".into(), risk)).to_vec();
        let options = Options { overrides, ..Options::default() };
        take(&mut registry, r#"[{"name":"a","inputSchema":{}}]"#, &options);
        assert_eq!(["a approve"], risks(&registry)[..]);
    }
}

/// What a server says of itself must not open the gate.
#[test]
fn a_tools_own_word_on_its_risk_changes_nothing() {
    let list = r#"[{"name":"a","inputSchema":{},"risk":"auto","annotations":{"readOnlyHint":true,"destructiveHint":false}}]"#;
    let mut registry = ToolRegistry::new();
    let options = Options { risk: Risk::Approve, ..Options::default() };
    take(&mut registry, list, &options);
    assert_eq!(["a approve"], risks(&registry)[..]);
}

#[test]
fn an_override_that_names_no_tool_is_an_error_and_nothing_is_merged() {
    let list = json(TWO);
    let list = list.as_array().expect("a list");
    // Another case, a space, the exposed name: a rule must not be lost in silence.
    for wrong in ["Search", "search ", "read_note", "n__search", ""] {
        let mut registry = local("add", Risk::Auto);
        let right = ("search".to_owned(), Risk::Approve);
        let options = Options {
            prefix: "n__".into(),
            overrides: vec![right, (wrong.into(), Risk::Approve)],
            ..Options::default()
        };
        let error = merge(&mut registry, list, &options, fake).expect_err("an error");
        assert!(
            matches!(&error, BridgeError::UnknownOverride(names) if *names == [wrong]),
            "{error}"
        );
        assert_eq!(["add auto"], risks(&registry)[..]);
    }
}

#[test]
fn every_unknown_override_is_named() {
    let unknown = BridgeError::UnknownOverride(vec!["a".into(), "b".into()]);
    assert_eq!(
        "no tool is called a, b: an override must name one",
        unknown.to_string()
    );
}

#[test]
fn a_local_tool_is_untouched_by_a_remote_one_of_its_name() {
    let list = r#"[{"name":"send_email","inputSchema":{"type":"object"}},{"name":"read_note","description":"Mine now.","inputSchema":{"type":"object"}}]"#;
    let mut registry = local("read_note", Risk::Suggest);
    let before: Vec<_> = registry.specs().cloned().collect();
    let overrides = vec![("read_note".into(), Risk::Auto)];
    let options = Options { overrides, ..Options::default() };
    let merged = take(&mut registry, list, &options);
    assert_eq!(["send_email"], merged.names[..]);
    assert_eq!(
        ["tool 1 (read_note): there is a tool `read_note` already"],
        merged.skipped[..]
    );
    assert_eq!(before[0], *registry.specs().next().expect("the local tool"));
    assert_eq!(["read_note suggest", "send_email auto"], risks(&registry)[..]);
    // Under a prefix it is within reach, with the risk of the server.
    let options = Options { prefix: "second__".into(), ..options };
    take(&mut registry, list, &options);
    assert_eq!("second__read_note auto", risks(&registry)[3]);
    let outcome = said_by(registry, "second__read_note");
    assert_eq!(Ok(ToolResult::text("wire: read_note")), outcome);
}

#[test]
fn of_two_tools_with_one_name_the_first_is_kept_whole() {
    let list = r#"[{"name":"a","inputSchema":{"title":"one"},"description":"one"},{"name":"a","inputSchema":{"title":"two"},"description":"two"}]"#;
    let mut registry = ToolRegistry::new();
    let merged = take(&mut registry, list, &Options::default());
    assert_eq!(["a"], merged.names[..]);
    assert_eq!(["tool 1 (a): there is a tool `a` already"], merged.skipped[..]);
    let tools: Vec<_> = registry.model_tools().iter().map(Value::to_string).collect();
    let first = r#"{"name":"a","description":"one","input_schema":{"title":"one"}}"#;
    assert_eq!([first], tools[..]);
}

#[test]
fn names_that_underscores_make_one_are_reported_and_the_first_answers() {
    let list = r#"[{"name":"read-file","inputSchema":{}},{"name":"read_file","inputSchema":{}},{"name":"read.file","inputSchema":{}},{"name":"foo1","inputSchema":{}},{"name":"foo2","inputSchema":{}},{"name":"Read_File","inputSchema":{}}]"#;
    let mut registry = ToolRegistry::new();
    let merged = take(&mut registry, list, &Options::default());
    let kept = ["read-file", "read_file", "foo1", "foo2", "Read_File"];
    assert_eq!(kept, merged.names[..]);
    assert_eq!(
        ["tool 2 (read.file): there is a tool `read_file` already"],
        merged.skipped[..]
    );
    let outcome = said_by(registry, "read_file");
    assert_eq!(Ok(ToolResult::text("wire: read_file")), outcome);
}

#[test]
fn one_bad_tool_costs_itself_only_and_is_named_with_its_reason() {
    let list = r#"[{"name":"ok","inputSchema":{"type":"object"}},{"name":"none"},{"name":"nul","inputSchema":null},{"name":"arr","inputSchema":{"type":"array"}},{"inputSchema":{"type":"object"}},{"name":"","inputSchema":{"type":"object"}},{"name":5,"inputSchema":{"type":"object"}},{"name":"name\n","inputSchema":{"type":"object"}},"text",null,[],{"name":"task","inputSchema":{},"execution":{"taskSupport":"required"}},{"name":"last","inputSchema":{}}]"#;
    let mut registry = ToolRegistry::new();
    let merged = take(&mut registry, list, &Options::default());
    assert_eq!(["ok", "last"], merged.names[..]);
    assert_eq!(
        [
            "tool 1 (none): `inputSchema` must be an object, got null",
            "tool 2 (nul): `inputSchema` must be an object, got null",
            "tool 3 (arr): arguments must be an object, not \"array\"",
            "tool 4 (without a name): `name` must be a string, got null",
            "tool 5 (): its name is empty",
            "tool 6 (without a name): `name` must be a string, got 5",
            "tool 7 (name\\n): control characters in its name: name\\n",
            "tool 8 (without a name): `name` must be a string, got null",
            "tool 9 (without a name): `name` must be a string, got null",
            "tool 10 (without a name): `name` must be a string, got null",
            "tool 11 (task): it runs only as a task, which we do not speak",
        ],
        merged.skipped[..]
    );
    assert_eq!(["ok auto", "last auto"], risks(&registry)[..]);
}

#[test]
fn a_tool_that_may_run_as_a_task_need_not() {
    let list = r#"[{"name":"a","inputSchema":{},"execution":{"taskSupport":"optional"}},{"name":"b","inputSchema":{},"execution":{"taskSupport":"forbidden"}},{"name":"c","inputSchema":{},"execution":{}}]"#;
    let merged = take(&mut ToolRegistry::new(), list, &Options::default());
    assert_eq!(["a", "b", "c"], merged.names[..]);
}

#[test]
fn an_empty_list_merges_nothing_and_that_is_no_error() {
    let mut registry = local("add", Risk::Auto);
    let merged = take(&mut registry, "[]", &Options::default());
    assert_eq!(Merged::default(), merged);
    assert_eq!(["add auto"], risks(&registry)[..]);
}
