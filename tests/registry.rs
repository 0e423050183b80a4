//! The registry: names, what the model is given, and the gate.

#[path = "common/limit.rs"]
mod limit;

use limit::run;
use mcp_from_scratch::{
    registry::{
        Approver, CallError, DuplicateTool, Executor, Parameter, Parameters, Risk,
        ToolCall, ToolRegistry, ToolSpec, deny_all,
    },
    tool::{Arguments, BoxFuture, FunctionTool, ToolInfo, ToolResult},
};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

fn spec(name: &str, risk: Risk) -> ToolSpec {
    let parameters = Parameters::required(&[("text", "string", "What to say.")]);
    ToolSpec { name: name.into(), description: "Says it.".into(), parameters, risk }
}

fn call(name: &str, arguments: &str) -> ToolCall {
    let arguments = serde_json::from_str(arguments).expect("a JSON object");
    ToolCall { name: name.into(), arguments }
}

/// A tool that keeps what it was called with and answers with its own label.
#[derive(Clone, Default)]
struct Spy {
    label: &'static str,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Spy {
    fn calls(&self) -> Vec<String> {
        self.calls.lock().expect("no panic").clone()
    }
}

impl Executor for Spy {
    fn execute(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        let arguments = Value::Object(arguments.0).to_string();
        self.calls.lock().expect("no panic").push(arguments);
        Box::pin(async { Ok(ToolResult::text(self.label)) })
    }
}

/// A gate that keeps what it was asked, word for word, and says yes to `yes`.
#[derive(Default)]
struct Asked {
    yes: &'static str,
    questions: Mutex<Vec<String>>,
}

impl Approver for Asked {
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool> {
        let mut questions = self.questions.lock().expect("no panic");
        questions.push(format!("{risk} {call}"));
        Box::pin(async move { call.to_string() == self.yes })
    }
}

impl Asked {
    fn questions(&self) -> Vec<String> {
        self.questions.lock().expect("no panic").clone()
    }
}

fn with(name: &str, risk: Risk, spy: &Spy) -> ToolRegistry {
    let mut registry = ToolRegistry::new();
    registry.register(spec(name, risk), spy.clone()).expect("a free name");
    registry
}

#[test]
fn a_second_tool_of_a_name_is_an_error_and_the_first_one_stays() {
    run(async {
        let first = Spy { label: "first", ..Spy::default() };
        let second = Spy { label: "second", ..Spy::default() };
        let mut registry = with("say", Risk::Auto, &first);
        let taken = spec("say", Risk::Approve);
        assert_eq!(
            Err(DuplicateTool("say".into())),
            registry.register(taken, second.clone())
        );
        assert_eq!(
            "there is a tool `say` already",
            DuplicateTool("say".into()).to_string()
        );
        let specs: Vec<_> = registry.specs().cloned().collect();
        assert_eq!(vec![spec("say", Risk::Auto)], specs);
        let outcome = registry.execute(&call("say", "{}"), &deny_all).await;
        assert_eq!(Ok(ToolResult::text("first")), outcome);
        assert_eq!(Vec::<String>::new(), second.calls());
    });
}

#[test]
fn names_are_compared_whole_and_in_their_very_spelling() {
    let mut registry = with("say", Risk::Auto, &Spy::default());
    for other in ["Say", "say ", "sa"] {
        assert!(!registry.contains(other), "{other:?}");
        registry.register(spec(other, Risk::Auto), Spy::default()).expect("free");
    }
    let names: Vec<_> = registry.specs().map(|spec| spec.name.as_str()).collect();
    assert_eq!(vec!["say", "Say", "say ", "sa"], names);
}

#[test]
fn the_model_gets_name_description_and_the_schema_as_it_came() {
    let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","title":"SayArguments","required":["z"],"properties":{"z":{"$ref":"#/$defs/Z"},"a":{"type":"number","minimum":0.1,"default":1e-7}},"$defs":{"Z":{"enum":["你好",null,"\u0001"]}},"x-vendor":{"b":1,"a":2}}"##;
    let mut registry = with("b", Risk::Approve, &Spy::default());
    let mut remote = spec("a", Risk::Auto);
    remote.parameters.schema = serde_json::from_str(schema).expect("JSON");
    registry.register(remote, Spy::default()).expect("a free name");
    let tools: Vec<_> = registry.model_tools().iter().map(Value::to_string).collect();
    let expected = [
        r#"{"name":"b","description":"Says it.","input_schema":{"type":"object","properties":{"text":{"type":"string","description":"What to say."}},"required":["text"]}}"#.to_owned(),
        format!(r#"{{"name":"a","description":"Says it.","input_schema":{schema}}}"#),
    ];
    assert_eq!(expected, tools[..]);
}

#[test]
fn a_local_tools_parameters_are_all_required_and_have_their_schema_made() {
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

#[test]
fn an_auto_tool_runs_and_the_gate_is_never_asked() {
    run(async {
        let (spy, gate) = (Spy { label: "ran", ..Spy::default() }, Asked::default());
        let registry = with("say", Risk::Auto, &spy);
        let outcome = registry.execute(&call("say", r#"{"a":1}"#), &gate).await;
        assert_eq!(Ok(ToolResult::text("ran")), outcome);
        assert_eq!(vec![r#"{"a":1}"#], spy.calls());
        assert_eq!(Vec::<String>::new(), gate.questions());
    });
}

#[test]
fn suggest_and_approve_are_asked_anew_for_each_call_with_its_arguments() {
    for risk in [Risk::Suggest, Risk::Approve] {
        run(async move {
            let yes = r#"say({"path":"a"})"#;
            let (spy, gate) = (Spy::default(), Asked { yes, ..Asked::default() });
            let registry = with("say", risk, &spy);
            for path in [r#"{"path":"a"}"#, r#"{"path":"b"}"#, r#"{"path":"a"}"#] {
                let outcome = registry.execute(&call("say", path), &gate).await;
                let refused = path != r#"{"path":"a"}"#;
                assert_eq!(refused, outcome.expect("an outcome").is_error, "{path}");
            }
            let asked =
                ["a", "b", "a"].map(|p| format!(r#"{risk} say({{"path":"{p}"}})"#));
            assert_eq!(asked, gate.questions()[..]);
            assert_eq!(vec![r#"{"path":"a"}"#, r#"{"path":"a"}"#], spy.calls());
        });
    }
}

#[test]
fn a_no_runs_nothing_and_the_model_reads_that_it_was_refused() {
    run(async {
        let spy = Spy::default();
        let registry = with("say", Risk::Approve, &spy);
        let outcome = registry.execute(&call("say", "{}"), &deny_all).await;
        let refused = "refused: the user did not allow this call of `say`";
        assert_eq!(Ok(ToolResult::failure(refused)), outcome);
        assert_eq!(Vec::<String>::new(), spy.calls());
    });
}

#[test]
fn a_gate_cannot_tell_a_local_tool_from_a_remote_one() {
    run(async {
        let info = ToolInfo::new("say", "Says it.", json!({}));
        let local =
            FunctionTool::new(info, |_: &Arguments| Ok(ToolResult::text("here")));
        let mut near = ToolRegistry::new();
        near.register(spec("say", Risk::Approve), local).expect("a free name");
        let far = with("say", Risk::Approve, &Spy::default());
        let gate = Asked::default();
        for registry in [near, far] {
            let _ = registry.execute(&call("say", r#"{"text":"x"}"#), &gate).await;
        }
        let question = r#"approve say({"text":"x"})"#;
        assert_eq!(vec![question, question], gate.questions());
    });
}

#[test]
fn a_name_that_is_not_here_is_a_failed_tool_and_nobody_is_asked() {
    run(async {
        let (spy, gate) = (Spy::default(), Asked::default());
        let registry = with("say", Risk::Approve, &spy);
        let outcome = registry.execute(&call("Say", "{}"), &gate).await;
        assert_eq!(Ok(ToolResult::failure("there is no tool `Say`")), outcome);
        assert_eq!(Vec::<String>::new(), gate.questions());
        assert_eq!(Vec::<String>::new(), spy.calls());
    });
}

#[test]
fn a_panic_in_a_local_tool_is_a_failed_tool_that_says_nothing_of_it() {
    run(async {
        let info = ToolInfo::new("say", "Says it.", json!({}));
        let bad = FunctionTool::new(info, |_: &Arguments| panic!("/home/me/secret"));
        let mut registry = ToolRegistry::new();
        registry.register(spec("say", Risk::Auto), bad).expect("a free name");
        for _ in 0..2 {
            let outcome = registry.execute(&call("say", "{}"), &deny_all).await;
            assert_eq!(Ok(ToolResult::failure("the tool panicked")), outcome);
        }
    });
}

#[test]
fn a_broken_way_comes_back_as_it_is() {
    struct Gone;
    impl Executor for Gone {
        fn execute(
            &self,
            _: Arguments,
        ) -> BoxFuture<'_, Result<ToolResult, CallError>> {
            Box::pin(async { Err(CallError::Transport("exit status: 3".into())) })
        }
    }
    run(async {
        let mut registry = ToolRegistry::new();
        registry.register(spec("say", Risk::Auto), Gone).expect("a free name");
        let outcome = registry.execute(&call("say", "{}"), &deny_all).await;
        assert_eq!(Err(CallError::Transport("exit status: 3".into())), outcome);
    });
}
