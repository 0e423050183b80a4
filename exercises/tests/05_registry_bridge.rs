//! Exercise 5: the registry and the bridge
//!
//! You write the registry that a model's calls go through, with its gate, and the bridge
//! that puts a server's tools into it: a schema becomes parameters, a result becomes
//! text, a call becomes `tools/call`.
//!
//! Where   `exercises/src/registry.rs`; `exercises/src/bridge.rs`, and `convert.rs` and
//!         `names.rs` in `exercises/src/bridge/`. A function to write says
//!         `todo!("task 5.…")`; the lines above it say what it takes, returns and
//!         refuses. What is written already, you may use or replace; signatures that
//!         are `pub` stay as they are.
//! Tasks   5.1  register a tool
//!         5.2  tell the model what tools there are
//!         5.3  ask before a call runs
//!         5.4  turn a schema into parameters
//!         5.5  turn an outcome into text
//!         5.6  give a remote tool a name that a model can call
//!         5.7  decide how risky a remote tool is
//!         5.8  merge a server's tools into the registry
//!         5.9  forward a call to the server
//! Order   as numbered, or 5.4 to 5.7 first: they stand by themselves. 5.2 and 5.3 need
//!         5.1; 5.8 needs 5.1, 5.3, 5.4, 5.6 and 5.7; the last test of 5.9 needs all
//!         but 5.2.
//! Given   `registry/parameters.rs`, the types of both modules, the listing, `fnv1a`;
//!         the client of chapter 4. The words of a refusal, of a reason and of a
//!         placeholder are yours; so is how a name is made short, and kept apart.
//! Read    the book, chapter 5; MCP 2025-11-25, server/tools.
//! Judge   cargo test -p exercises --test 05_registry_bridge t5_1
//!         (without `t5_1` all tasks; all exercises, while all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    copy your modules over those in `src/`, run `cargo run --bin
//!         05-registry-bridge`, and compare with the transcript.
//!         (The tests of the book miss marks then; `git restore src` brings them back.)

#[cfg(not(feature = "reference"))]
#[path = "../src"]
mod exercise {
    pub mod registry;

    pub mod bridge;
}
#[cfg(not(feature = "reference"))]
use exercise::{bridge, registry};
#[cfg(feature = "reference")]
use mcp_from_scratch::{bridge, registry};
// What earlier chapters have; your modules find it as `crate::client` and so on.
#[allow(unused_imports)]
use mcp_from_scratch::{client, jsonrpc, tool, transcript};

use bridge::{
    BridgeError, Merged, Options, RemoteTool, exposed_name, merge, parameters,
    register_mcp_tools, to_text,
};
use client::{Client, ClientConfig, ClientError};
use exercises::{
    Explain, Failure, Verdict, holds, judge, judge_apart, judge_async, same, same_bytes,
};
use jsonrpc::ErrorObject;
use mcp_from_scratch::{
    frame::Framing,
    transport::{Transport, silent},
};
use registry::{
    Approver, CallError, DuplicateTool, Executor, Parameter, Parameters, Risk,
    ToolCall, ToolRegistry, ToolSpec, deny_all,
};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    net::TcpListener,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::mpsc;
use tool::{Arguments, BoxFuture, ToolResult};

/// The JSON of a literal.
fn value(json: &str) -> Value {
    serde_json::from_str(json).expect("the test's own JSON")
}

fn call(name: &str, arguments: &str) -> ToolCall {
    let arguments = serde_json::from_str(arguments).expect("the test's own JSON");
    ToolCall { name: name.into(), arguments }
}

fn spec(name: &str, risk: Risk) -> ToolSpec {
    let parameters = Parameters::required(&[("text", "string", "What to say.")]);
    ToolSpec { name: name.into(), description: "Says it.".into(), parameters, risk }
}

/// Lines that a test looks at later.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn add(&self, line: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A tool that keeps the arguments of its calls and ends them all in one way.
#[derive(Clone)]
struct Fake {
    ends: Result<ToolResult, CallError>,
    calls: Lines,
}

impl Fake {
    fn says(text: &str) -> Self {
        Self::ends(Ok(ToolResult::text(text)))
    }

    fn ends(ends: Result<ToolResult, CallError>) -> Self {
        Self { ends, calls: Lines::default() }
    }

    /// How many of this tool there are beside this one.
    fn kept(&self) -> usize {
        Arc::strong_count(&self.calls.0) - 1
    }
}

impl Executor for Fake {
    fn execute(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            self.calls.add(Value::Object(arguments.0).to_string());
            self.ends.clone()
        })
    }
}

/// A gate that keeps its questions and says yes to one call only, after a while.
struct Asked {
    yes: &'static str,
    questions: Lines,
}

impl Asked {
    fn yes_to(yes: &'static str) -> Self {
        Self { yes, questions: Lines::default() }
    }
}

impl Approver for Asked {
    fn allows<'a>(&'a self, risk: Risk, call: &'a ToolCall) -> BoxFuture<'a, bool> {
        self.questions.add(format!("{risk} {call}"));
        Box::pin(async move {
            tokio::task::yield_now().await;
            call.to_string() == self.yes
        })
    }
}

/// A gate that says yes to everything.
fn yes(_: Risk, _: &ToolCall) -> bool {
    true
}

/// A registry with these tools; a failure if one of them is refused.
fn registry_of(tools: &[(&str, Risk, &Fake)]) -> Result<ToolRegistry, Failure> {
    let mut registry = ToolRegistry::new();
    for (name, risk, fake) in tools {
        registry.register(spec(name, *risk), (*fake).clone()).map_err(|taken| {
            Failure::new(format!("a refusal of the free name `{name}`: {taken}"))
                .because("only the very same name is taken")
        })?;
    }
    Ok(registry)
}

/// Each tool as `name risk`.
fn entries(registry: &ToolRegistry) -> String {
    let entry = |spec: &ToolSpec| format!("{} {}", spec.name, spec.risk);
    registry.specs().map(entry).collect::<Vec<_>>().join(", ")
}

// Task 5.1: register a tool

#[test]
fn t5_1_tools_stand_in_the_order_of_their_registration() {
    judge("5.1", "tools stand in the order in which they were registered", || {
        let fake = Fake::says("");
        let registry = registry_of(&[
            ("b", Risk::Auto, &fake),
            ("c", Risk::Approve, &fake),
            ("a", Risk::Suggest, &fake),
        ])?;
        let given = "the tools b, c, a, registered one after the other";
        same("b auto, c approve, a suggest".into(), entries(&registry))
            .given(given)
            .likely("the entry goes to the end of `tools`, as it came")?;
        for name in ["a", "b", "c"] {
            holds(registry.contains(name), format!("a registry with {name}"), "none")
                .given(given)
                .likely("`places` must learn where the name stands in `tools`")?;
        }
        Ok(())
    });
}

#[test]
fn t5_1_a_taken_name_is_an_explicit_error() {
    judge("5.1", "a second tool of the same name is an error", || {
        let mut registry = registry_of(&[("say", Risk::Approve, &Fake::says("1"))])?;
        let second = registry.register(spec("say", Risk::Auto), Fake::says("2"));
        same(Err(DuplicateTool("say".into())), second)
            .given("a second tool `say`")
            .likely("it was taken, or dropped without a word: the caller must know")
    });
}

#[test]
fn t5_1_a_collision_changes_nothing() {
    judge("5.1", "after a collision the registry is what it was before", || {
        let (first, second) = (Fake::says("first"), Fake::says("second"));
        let mut registry = registry_of(&[("say", Risk::Approve, &first)])?;
        let _ = registry.register(spec("say", Risk::Auto), second.clone());
        same("say approve".into(), entries(&registry))
            .given("`say` with the risk approve, then another `say` with auto")
            .likely(
                "look before you write: a second entry, or another risk, is left",
            )?;
        same((1, 0), (first.kept(), second.kept()))
            .given("how often the first and the second executor are kept")
            .likely("the approved name would now run another tool")
    });
}

#[test]
fn t5_1_names_are_compared_in_their_very_spelling() {
    judge("5.1", "names are compared whole, in their very spelling", || {
        let fake = Fake::says("");
        let names = ["say", "Say", "say ", "sa", "say_it"];
        let registry = registry_of(&names.map(|name| (name, Risk::Auto, &fake)))?;
        same(names.len(), registry.specs().count())
            .given(format!("the names {names:?}"))
            .likely("a lower case, a trim or a prefix took two names for one")
    });
}

// Task 5.2: tell the model what tools there are

#[test]
fn t5_2_a_tool_has_name_description_and_input_schema() {
    judge("5.2", "the model gets name, description and input_schema only", || {
        let registry = registry_of(&[("say", Risk::Approve, &Fake::says(""))])?;
        let mut told = registry.model_tools();
        same(1, told.len()).given("a registry with one tool")?;
        let told = told.remove(0);
        let members = told.as_object().into_iter().flatten();
        let mut members: Vec<_> = members.map(|(name, _)| name.as_str()).collect();
        members.sort();
        same(vec!["description", "input_schema", "name"], members).likely(
            "model APIs write `input_schema`, MCP `inputSchema`; and the risk is for \
             the host alone",
        )?;
        same(json!(["say", "Says it."]), json!([told["name"], told["description"]]))
            .given("the tool `say`, described as “Says it.”")
    });
}

#[test]
fn t5_2_the_schema_is_the_one_that_came() {
    judge("5.2", "the model gets the schema exactly as it came", || {
        let schema = r##"{"$schema":"http://json-schema.org/draft-07/schema#","required":["z"],"type":"object","properties":{"z":{"$ref":"#/$defs/Z"},"a":{"default":1e-7}},"$defs":{"Z":{"enum":["你好",null]}},"x-vendor":{"b":1,"a":2}}"##;
        let mut registry = ToolRegistry::new();
        let mut remote = spec("a", Risk::Auto);
        remote.parameters = Parameters { list: vec![], schema: value(schema) };
        let _ = registry.register(remote, Fake::says(""));
        let told = registry.model_tools();
        let got = told.first().map(|tool| tool["input_schema"].to_string());
        same_bytes(schema, got.unwrap_or_default())
            .given("a tool whose schema has `$ref`, `$defs` and a member of its vendor")
            .likely(
                "missing, or made anew from the view, which knows names and types only",
            )
    });
}

#[test]
fn t5_2_tools_are_told_in_their_order() {
    judge("5.2", "the model gets the tools in the order of registration", || {
        let fake = Fake::says("");
        let names = ["zeta", "alpha", "mid", "beta"];
        let registry = registry_of(&names.map(|name| (name, Risk::Suggest, &fake)))?;
        let told = registry.model_tools();
        let got: Vec<_> =
            told.iter().map(|t| t["name"].as_str().unwrap_or("?")).collect();
        same(names.to_vec(), got).likely("walk `tools`: a map has an order of its own")
    });
}

// Task 5.3: ask before a call runs

/// A call that gives an outcome; a broken way is a failure of the test.
async fn outcome(
    registry: &ToolRegistry,
    call: &ToolCall,
    gate: &dyn Approver,
) -> Result<ToolResult, Failure> {
    let came = registry.execute(call, gate).await.map_err(|broken| {
        Failure::new(format!("an error of the way to the tool: {broken:?}")).because(
            "what the model can read and act on is data: an outcome with `is_error`, \
             in `Ok`",
        )
    });
    came.given(format!("a call: {call}"))
}

/// All that an outcome says in words.
fn words(outcome: &ToolResult) -> String {
    let text = |block: &Value| block["text"].as_str().unwrap_or_default().to_owned();
    outcome.content.iter().map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn t5_3_auto_runs_and_the_gate_is_not_asked() {
    judge_async("5.3", "risk auto runs, and the gate is not asked", async || {
        let (fake, gate) = (Fake::says("ran"), Asked::yes_to(""));
        let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
        let call = call("say", r#"{"z":1,"a":[null]}"#);
        let given = "a call of `say` (auto) and a gate that would say no";
        let came = outcome(&registry, &call, &gate).await?;
        same(ToolResult::text("ran"), came)
            .given(given)
            .likely("a gate that nobody sits at must not stop what needs no yes")?;
        same(Vec::<String>::new(), gate.questions.all())
            .given(format!("{given}: what it was asked"))
            .likely(
                "`Approver::allows` is never asked for auto: whoever reads it tires",
            )?;
        same(vec![r#"{"z":1,"a":[null]}"#.to_owned()], fake.calls.all())
            .given(format!("{given}: the calls that reached the tool"))
            .likely("the arguments reach the tool as the model wrote them, once")
    });
}

#[test]
fn t5_3_the_gate_is_asked_anew_for_each_call() {
    judge_async(
        "5.3",
        "a yes is for that very call: each call is asked, with its arguments",
        async || {
            let (a, b) = (r#"{"path":"a"}"#, r#"{"path":"b"}"#);
            for risk in [Risk::Suggest, Risk::Approve] {
                let gate = Asked::yes_to(r#"wipe({"path":"a"})"#);
                let fake = Fake::says("wiped");
                let registry = registry_of(&[("wipe", risk, &fake)])?;
                let mut failed = Vec::new();
                for path in [a, b, a] {
                    let call = call("wipe", path);
                    failed.push(outcome(&registry, &call, &gate).await?.is_error);
                }
                let given = format!("`wipe` ({risk}) of a, b and a; a yes to a only");
                let asked = [a, b, a].map(|path| format!("{risk} wipe({path})"));
                let questions = gate.questions.all();
                holds(questions.len() == 3, "three questions", &questions)
                    .given(&given)
                    .likely("suggest and approve are asked, once for each call")?;
                same(asked.to_vec(), questions)
                    .given(format!("{given}: what the gate was asked"))
                    .likely("a yes to a path that was not shown is worth nothing")?;
                same(vec![a.to_owned(), a.to_owned()], fake.calls.all())
                    .given(format!("{given}: the calls that reached the tool"))
                    .likely("what ran is not what was allowed")?;
                same(vec![false, true, false], failed)
                    .given(format!("{given}: whether each outcome is a failed one"))
                    .likely("a refusal is a failed outcome, and a yes is none")?;
            }
            Ok(())
        },
    );
}

/// A failure that the model can read.
fn is_told(came: ToolResult) -> Verdict {
    let told = came.is_error && !words(&came).trim().is_empty();
    holds(told, "a failed outcome with a text", came)
        .likely("the model reads it, and the turn goes on: `ToolResult::failure`")
}

#[test]
fn t5_3_a_refusal_is_data_and_nothing_runs() {
    judge_async(
        "5.3",
        "after a no nothing runs, and the model reads that it was refused",
        async || {
            let fake = Fake::says("wiped");
            let registry = registry_of(&[("wipe", Risk::Approve, &fake)])?;
            let given = "a call of `wipe` (approve) and a gate that says no";
            let came = outcome(&registry, &call("wipe", "{}"), &deny_all).await?;
            is_told(came).given(given)?;
            same(Vec::<String>::new(), fake.calls.all())
                .given(format!("{given}: the calls that reached the tool"))
                .likely("the tool ran before the gate had answered")
        },
    );
}

#[test]
fn t5_3_an_unknown_name_is_data_and_nobody_is_asked() {
    judge_async(
        "5.3",
        "a name that is not here is a failed outcome, and nobody is asked",
        async || {
            let (fake, gate) = (Fake::says("wiped"), Asked::yes_to(""));
            let registry = registry_of(&[("wipe", Risk::Approve, &fake)])?;
            for name in ["Wipe", "wip", "wipe ", ""] {
                let given = format!("a call of {name:?}; the registry has `wipe`");
                let came = outcome(&registry, &call(name, "{}"), &gate).await?;
                is_told(came).given(&given)?;
                same(Vec::<String>::new(), gate.questions.all())
                    .given(format!("{given}: what the gate was asked"))
                    .likely("look the name up first; what is not here cannot run")?;
            }
            same(Vec::<String>::new(), fake.calls.all())
                .given("the same calls: those that reached `wipe`")
                .likely("a near name is another name")
        },
    );
}

#[test]
fn t5_3_the_model_can_tell_a_refusal_from_a_missing_tool() {
    judge_async(
        "5.3",
        "the text says whether a call was refused or has no tool",
        async || {
            let registry = registry_of(&[("a", Risk::Approve, &Fake::says(""))])?;
            let here = outcome(&registry, &call("a", "{}"), &deny_all).await?;
            let none = ToolRegistry::new();
            let missing = outcome(&none, &call("a", "{}"), &deny_all).await?;
            let both = [words(&here), words(&missing)];
            holds(both[0] != both[1], "two different texts", both)
                .given("`a`, refused at the gate, and `a`, which is not here")
                .likely("a model that reads “failed” twice tries the same thing again")
        },
    );
}

#[test]
fn t5_3_each_name_reaches_its_own_tool() {
    judge_async("5.3", "a call reaches the tool that has its name", async || {
        let fakes = ["one", "two", "three"].map(Fake::says);
        let [one, two, three] = &fakes;
        let mut registry =
            registry_of(&[("one", Risk::Auto, one), ("two", Risk::Auto, two)])?;
        let _ = registry.register(spec("one", Risk::Auto), Fake::says("false one"));
        let _ = registry.register(spec("three", Risk::Auto), three.clone());
        for name in ["one", "two", "three"] {
            let came = outcome(&registry, &call(name, "{}"), &yes).await?;
            same(ToolResult::text(name), came)
                .given(format!("a call of `{name}`, after a second `one` was refused"))
                .likely("a collision left a trace in `tools` or in `places`")?;
        }
        Ok(())
    });
}

#[test]
fn t5_3_the_arguments_reach_the_tool_as_they_came() {
    judge_async(
        "5.3",
        "a tool is given the arguments of its call, whole",
        async || {
            let fake = Fake::says("");
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let written = r#"{"z":null,"a":{"b":null,"":[]},"extra":""}"#;
            outcome(&registry, &call("say", written), &yes).await?;
            same_bytes(written, fake.calls.all().join("\n"))
                .given(format!("the arguments {written}, and what the tool was given"))
                .likely("`null` and members that no schema names are arguments too")
        },
    );
}

#[test]
fn t5_3_what_the_tool_gives_comes_back_as_it_is() {
    judge_async("5.3", "an outcome comes back whole, a failed one too", async || {
        let failed = ToolResult {
            structured: Some(json!({"code": 28})),
            ..ToolResult::failure("disk full")
        };
        for ends in [failed, ToolResult::default()] {
            let fake = Fake::ends(Ok(ends.clone()));
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let came = outcome(&registry, &call("say", "{}"), &yes).await?;
            same(ends, came)
                .given("a tool that ends like this")
                .likely("a failed tool is no broken way, and no text to rewrite")?;
        }
        Ok(())
    });
}

#[test]
fn t5_3_a_broken_way_is_an_error_of_another_type() {
    judge_async("5.3", "a broken way to the tool is an `Err`, as it is", async || {
        for broken in [
            CallError::Transport("exit status: 3".into()),
            CallError::Timeout("no answer".into()),
            CallError::Cancelled,
            CallError::Rpc(ErrorObject::new(-32602, "Unknown tool: x")),
        ] {
            let fake = Fake::ends(Err(broken.clone()));
            let registry = registry_of(&[("say", Risk::Auto, &fake)])?;
            let came = registry.execute(&call("say", "{}"), &yes).await;
            same(Err(broken), came).given("a tool that cannot be reached").likely(
                "made into a text for the model, who cannot mend a connection",
            )?;
        }
        Ok(())
    });
}

// Task 5.4: turn a schema into parameters

fn read(schema: &str) -> Result<Parameters, Failure> {
    let refused = |reason| {
        Failure::new(format!("a refusal: {reason}")).because(
            "any object is a schema of arguments, unless its type is another one",
        )
    };
    parameters(&value(schema)).map_err(refused).given(schema)
}

/// The view as the stage prints it: `a: string, b?: integer`.
fn is_viewed(expected: &str, schema: &str, likely: &str) -> Verdict {
    let one = |p: &Parameter| {
        format!("{}{}: {}", p.name, if p.required { "" } else { "?" }, p.kind)
    };
    let got: Vec<_> = read(schema)?.list.iter().map(one).collect();
    same(expected.into(), got.join(", ")).given(schema).likely(likely)
}

/// Names and types, whatever is required.
fn kinds(schema: &str) -> Result<String, Failure> {
    let one = |p: &Parameter| format!("{}: {}", p.name, p.kind);
    Ok(read(schema)?.list.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn has_kinds(expected: &str, schema: &str, likely: &str) -> Verdict {
    same(expected.into(), kinds(schema)?).given(schema).likely(likely)
}

#[test]
fn t5_4_the_schema_is_kept_as_it_came() {
    judge("5.4", "the schema is kept as it came, to the order of its members", || {
        for schema in [
            "{}",
            r#"{"type":"object"}"#,
            r##"{"$schema":"http://json-schema.org/draft-07/schema#","required":["b"],"type":"object","properties":{"b":{"$ref":"#/definitions/é"},"a":{"default":0.1}},"definitions":{"é":{"enum":["\n",null]}}}"##,
        ] {
            same_bytes(schema, read(schema)?.schema.to_string())
                .given(schema)
                .likely("it is what the model will get: the view is only for people")?;
        }
        Ok(())
    });
}

#[test]
fn t5_4_properties_stand_in_their_order_with_what_is_required() {
    judge("5.4", "each property, in its order, and whether it is required", || {
        is_viewed(
            "z: string, a?: integer, m: boolean",
            r#"{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","default":5},"m":{"type":"boolean"}},"required":["m","z"]}"#,
            "`required` of the schema names them; its order is no order of theirs",
        )
    });
}

#[test]
fn t5_4_a_schema_without_properties_has_no_parameters() {
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
fn t5_4_without_a_usable_required_nothing_is_required() {
    judge("5.4", "a `required` that is no list of names requires nothing", || {
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
fn t5_4_several_types_are_joined_and_none_is_any() {
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
fn t5_4_a_local_reference_is_followed() {
    judge("5.4", "a `$ref` into the same schema is followed, through others", || {
        has_kinds(
            "a: string, b: number, c: object, d: integer",
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/definitions/B"},"c":{"$ref":"#"},"d":{"$ref":"#/$defs/x~1y"}},"$defs":{"A":{"type":"string"},"C":{"type":"number"},"x/y":{"type":"integer"}},"definitions":{"B":{"$ref":"#/$defs/C"}}}"##,
            "after `#` stands a JSON Pointer, which `Value::pointer` can follow",
        )
    });
}

#[test]
fn t5_4_a_reference_that_leads_nowhere_is_any() {
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
fn t5_4_a_circle_of_references_ends() {
    let test = "t5_4_a_circle_of_references_ends";
    judge_apart(test, "5.4", "references in a circle end, and are `any`", || {
        has_kinds(
            "a: any, b: any",
            r##"{"properties":{"a":{"$ref":"#/properties/a"},"b":{"$ref":"#/$defs/B"}},"$defs":{"B":{"$ref":"#/$defs/C"},"C":{"$ref":"#/$defs/B"}}}"##,
            "count the steps: `MAX_REFS` is how many are followed",
        )
    });
}

#[test]
fn t5_4_a_foreign_reference_is_never_followed() {
    judge("5.4", "a `$ref` to a file or an address is `any`, and nobody goes", || {
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
            .likely("a tool list must not make us open connections")
    });
}

#[test]
fn t5_4_what_is_no_schema_of_an_object_is_refused() {
    judge("5.4", "what is no object, or not a schema of one, is refused", || {
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

// Task 5.5: turn an outcome into text

/// What a model reads of a result, as it came in an answer to `tools/call`.
fn text_of(result: &str) -> Result<String, Failure> {
    let outcome = ToolResult::from_result(value(result));
    let own = |reason| Failure::new(format!("the test's own result: {reason}"));
    outcome.map(|outcome| to_text(&outcome)).map_err(own)
}

fn reads(expected: &str, result: &str) -> Verdict {
    text_of(result).and_then(|got| same(expected.into(), got)).given(result)
}

/// It must contain these, in this order.
fn reads_in_order(parts: &[&str], result: &str) -> Verdict {
    let text = text_of(result)?;
    let mut rest = text.as_str();
    let found = parts.iter().all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    });
    holds(found, format!("{parts:?} in this order"), text).given(result)
}

#[test]
fn t5_5_a_text_is_itself() {
    judge("5.5", "a text is itself, to the last blank", || {
        let likely = "quoted, trimmed, or given as JSON: the model wants the text";
        reads("你好\n ", r#"{"content":[{"type":"text","text":"你好\n "}]}"#)
            .likely(likely)?;
        reads("\"a\"", r#"{"content":[{"type":"text","text":"\"a\""}]}"#)
            .likely(likely)?;
        let long = "é".repeat(100_000);
        let result = format!(r#"{{"content":[{{"type":"text","text":"{long}"}}]}}"#);
        let text = text_of(&result)?;
        let came = format!("{} characters", text.chars().count());
        holds(text == long, "the text, whole", came)
            .given("a text of 100000 characters")
            .likely("cut: how much a model may read is not decided here")
    });
}

#[test]
fn t5_5_blocks_stand_in_their_order() {
    judge("5.5", "all blocks are read, in their order, each on its line", || {
        reads("one\ntwo", r#"{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}"#)
            .likely("there may be any number of blocks: `content[0]` is not all")?;
        reads_in_order(
            &["before\n", "image/png", "\nafter"],
            r#"{"content":[{"type":"text","text":"before"},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"text","text":"after"}]}"#,
        )
        .likely("a placeholder stands where its block stood")
    });
}

#[test]
fn t5_5_what_is_not_text_becomes_a_placeholder() {
    judge("5.5", "what is not text becomes a placeholder that says what it is", || {
        for (says, block) in [
            (
                "image/png",
                r#"{"type":"image","data":"iVBORw0K","mimeType":"image/png"}"#,
            ),
            (
                "audio/wav",
                r#"{"type":"audio","data":"iVBORw0K","mimeType":"audio/wav"}"#,
            ),
            ("file:///x", r#"{"type":"resource_link","uri":"file:///x","name":"x"}"#),
            (
                "note://1",
                r#"{"type":"resource","resource":{"uri":"note://1","text":"t"}}"#,
            ),
            (
                "milk, eggs",
                r#"{"type":"resource","resource":{"uri":"note://1","text":"milk, eggs"}}"#,
            ),
            (
                "note://2",
                r#"{"type":"resource","resource":{"uri":"note://2","blob":"iVBORw0K"}}"#,
            ),
            ("video3d", r#"{"type":"video3d","data":"iVBORw0K"}"#),
        ] {
            let result = format!(r#"{{"content":[{block}]}}"#);
            let text = text_of(&result)?;
            holds(text.contains(says), format!("a text with {says}"), &text)
                .given(&result)
                .likely("a block was lost, or does not say what it is")?;
            holds(!text.contains("iVBOR"), "a text without the data itself", &text)
                .given(&result)
                .likely("base64 says nothing to a model and fills its context")?;
        }
        Ok(())
    });
}

#[test]
fn t5_5_an_odd_block_costs_itself_only() {
    judge("5.5", "a block that is broken or unknown costs itself only", || {
        for block in [
            "null",
            r#""text""#,
            "{}",
            r#"{"type":5,"text":"x"}"#,
            r#"{"data":"iVBORw0K"}"#,
            r#"{"type":null,"data":"iVBORw0K","mimeType":"image/png"}"#,
            r#"{"type":"image","data":"AA=="}"#,
            r#"{"type":"resource_link"}"#,
            r#"{"type":"resource"}"#,
        ] {
            let text = r#"{"type":"text","text":"TEXT"}"#;
            let result = format!(r#"{{"content":[{text},{block},{text}]}}"#);
            reads_in_order(&["TEXT", "TEXT"], &result)
                .likely("no member of a block is certain: the server wrote it")?;
            let alone = text_of(&format!(r#"{{"content":[{block}]}}"#))?;
            holds(!alone.trim().is_empty(), "some placeholder", &alone)
                .given(format!("content [{block}]"))
                .likely("something came, and the model should know that it did")?;
            holds(!alone.contains("iVBOR"), "a text without the data itself", alone)
                .given(format!("content [{block}]"))
                .likely("shown whole: a block without a type may be large data, too")?;
        }
        Ok(())
    });
}

#[test]
fn t5_5_a_failure_is_never_blank() {
    judge("5.5", "a failure is never blank, and no success", || {
        for content in [
            r#""content":[]"#,
            r#""structuredContent":null"#,
            r#""content":[{"type":"text","text":""}]"#,
            r#""content":[{"type":"text","text":" \n"}]"#,
            r#""content":[{"type":"text"}]"#,
        ] {
            let failed = format!(r#"{{"isError":true,{content}}}"#);
            let text = text_of(&failed)?;
            let fine = text_of(&format!("{{{content}}}"))?;
            let told = !text.trim().is_empty() && text != fine;
            let expected =
                format!("a text that says so; the same without isError reads {fine:?}");
            holds(told, expected, &text)
                .given(&failed)
                .likely("what says nothing is taken for a success")?;
            let word = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            let success = ["ok", "okay", "done", "success", "true"];
            holds(!success.contains(&word.as_str()), "words of a failure", text)
                .given(failed)
                .likely("the model would go on as if it had worked")?;
        }
        Ok(())
    });
}

#[test]
fn t5_5_a_failure_with_words_is_its_words() {
    judge("5.5", "a failure that has words is read in its own words", || {
        let likely = "the model can only mend what it is told";
        reads_in_order(
            &["disk full"],
            r#"{"isError":true,"content":[{"type":"text","text":"disk full"}]}"#,
        )
        .likely(likely)?;
        reads_in_order(
            &["image/png"],
            r#"{"isError":true,"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}"#,
        )
        .likely(likely)?;
        shows_json(
            r#"{"code":28}"#,
            r#"{"isError":true,"structuredContent":{"code":28}}"#,
        )
        .likely(likely)
    });
}

/// Somewhere in the text, this JSON.
fn shows_json(expected: &str, result: &str) -> Verdict {
    let text = text_of(result)?;
    let end = text.rfind('}').map_or(0, |end| end + 1);
    let starts = text.match_indices('{').map(|(start, _)| start);
    let is_it = |start: usize| {
        let json = serde_json::from_str::<Value>(text.get(start..end).unwrap_or(""));
        json.is_ok_and(|json| json == value(expected))
    };
    let shown = starts.into_iter().any(is_it);
    holds(shown, format!("a text with {expected}"), text).given(result)
}

#[test]
fn t5_5_structured_content_stands_in_where_there_is_no_text() {
    judge("5.5", "structured content is shown only where there is no text", || {
        let hits = r#"{"hits":2,"b":1}"#;
        for content in [
            "",
            r#","content":[]"#,
            r#","content":[{"type":"text","text":""}]"#,
            r#","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]"#,
        ] {
            let result = format!(r#"{{"structuredContent":{hits}{content}}}"#);
            shows_json(hits, &result).likely(
                "an image or an empty text is no text: it says nothing of it",
            )?;
        }
        let result = format!(
            r#"{{"structuredContent":{hits},"content":[{{"type":"image","data":"AA==","mimeType":"image/png"}}]}}"#
        );
        reads_in_order(&["image/png"], &result)
            .likely("structured content stands in for text; the image came, too")?;
        reads(
            "two hits",
            r#"{"content":[{"type":"text","text":"two hits"}],"structuredContent":{"hits":2}}"#,
        )
        .likely("the text says the same, in words; twice is too much")
    });
}

// Task 5.6: give a remote tool a name that a model can call

/// The exposed name; a failure if it is refused or no model API would take it.
fn exposed(prefix: &str, name: &str) -> Result<String, Failure> {
    exposed_name(prefix, name)
        .map_err(|reason| {
            Failure::new(format!("a refusal: {reason}"))
                .because("only an empty name and control characters are refused")
        })
        .and_then(is_usable)
        .given(format!("the prefix {prefix:?} and the name {name:?}"))
}

fn is_usable(exposed: String) -> Result<String, Failure> {
    let usable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let all_usable = !exposed.is_empty() && exposed.chars().all(usable);
    holds(all_usable, "letters and digits of ASCII, `_` and `-` only", &exposed)
        .likely(
            "all else is replaced, in the prefix too; `is_alphanumeric` is true for \
             every script",
        )?;
    let size = exposed.len();
    holds(size <= 64, "at most 64 characters", format!("{size}: {exposed}"))
        .likely("the prefix counts, and so does what keeps names apart")?;
    Ok(exposed)
}

/// These names must be exposed under different ones.
fn stay_apart(names: &[(&str, &str)], likely: &str) -> Verdict {
    let mut seen = HashSet::new();
    for (prefix, name) in names {
        let exposed = exposed(prefix, name)?;
        let others = seen.len();
        let given = format!("{prefix:?} before {name:?}, after {others} other names");
        let first = !seen.contains(&exposed);
        holds(first, "a name that no other one has", &exposed)
            .given(given)
            .likely(likely)?;
        seen.insert(exposed);
    }
    Ok(())
}

#[test]
fn t5_6_a_name_that_models_take_is_kept() {
    judge("5.6", "prefix and name stay as they are where a model takes them", || {
        let long = "x".repeat(64);
        let names = ["echo", "read-file", "Read_File", "a__b", "0", "-", &long];
        for name in names {
            same(name.into(), exposed("", name)?)
                .likely("changed without need: 64 characters are not too many")?;
        }
        for (prefix, name) in [("mcp__demo__", "echo"), ("s__", "mcp__a__b")] {
            same(format!("{prefix}{name}"), exposed(prefix, name)?)
                .given(format!("the prefix {prefix:?} and the name {name:?}"))
                .likely("the prefix stands before the name, and both are kept")?;
        }
        Ok(())
    });
}

#[test]
fn t5_6_what_models_refuse_is_replaced() {
    judge("5.6", "an exposed name has only characters that models take", || {
        for name in ["admin.tools.list", "a/b", "has space", " ", "имя", "a\u{202e}b"]
        {
            exposed("", name)?;
        }
        exposed("my server.", "echo").map(drop)
    });
}

#[test]
fn t5_6_a_long_name_is_cut_and_keeps_its_prefix() {
    judge("5.6", "an exposed name has at most 64 characters, prefix included", || {
        for name in ["x".repeat(65), "x".repeat(128), "x".repeat(60), "é".repeat(128)]
        {
            exposed("", &name)?;
            let cut = exposed("mcp__demo__", &name)?;
            holds(cut.starts_with("mcp__demo__"), "mcp__demo__ at its start", &cut)
                .given(format!("the prefix \"mcp__demo__\" and the name {name:?}"))
                .likely("the prefix says whose tool it is; cut behind it")?;
        }
        exposed("", &format!("{}é", "x".repeat(63))).map(drop)
    });
}

#[test]
fn t5_6_names_that_were_cut_stay_apart() {
    judge("5.6", "different long names are exposed under different names", || {
        let long = "x".repeat(100);
        let names: Vec<_> = (0..1000).map(|n| format!("{long}{n}")).collect();
        let names: Vec<_> = names.iter().map(|name| ("", name.as_str())).collect();
        let likely = "what was cut off must still count: a hash of the whole name";
        stay_apart(&names, likely)?;
        stay_apart(&[("mcp__a__", &long), ("mcp__b__", &long)], likely)?;
        let (dot, slash) = (format!("{long}."), format!("{long}/"));
        stay_apart(
            &[("", &dot), ("", &slash), ("", &format!("{long}_"))],
            "the hash is of the name as it came, before anything was replaced",
        )
    });
}

#[test]
fn t5_6_names_that_are_not_in_ascii_stay_apart() {
    judge("5.6", "names of other scripts do not all become the same", || {
        stay_apart(
            &[("", "查询"), ("", "天气"), ("", "имя"), ("", "__"), ("", "___")],
            "two underscores for two characters of Chinese are no name",
        )?;
        // The first letter of the second one is Cyrillic.
        stay_apart(
            &[("", "pay"), ("", "рay"), ("", "_ay")],
            "a letter that only looks like one of ASCII makes another name",
        )?;
        stay_apart(
            &[("服务__", "a"), ("机务__", "a"), ("服务__", "查询"), ("机务__", "查询")],
            "the prefix says whose tool it is: it counts in the hash, and asks for one",
        )
    });
}

#[test]
fn t5_6_a_name_is_the_same_every_time() {
    judge("5.6", "the same name is exposed under the same name each time", || {
        for name in ["查询", &"x".repeat(100)] {
            let again = exposed("p__", name)?;
            same(again, exposed("p__", name)?)
                .given(format!("the name {name:?}, twice"))
                .likely("rules and habits hang on a name: no counter and no chance")?;
        }
        Ok(())
    });
}

#[test]
fn t5_6_an_empty_name_or_a_control_character_is_refused() {
    judge("5.6", "an empty name, or one with control characters, is refused", || {
        for (prefix, name) in [
            ("", ""),
            ("mcp__demo__", ""),
            ("", "name\n"),
            ("", "\r"),
            ("", "a\0b"),
            ("", "a\u{7f}"),
            ("", "\u{1b}[2J"),
            ("", "a\u{85}"),
        ] {
            let got = exposed_name(prefix, name);
            holds(got.is_err(), "a refusal", got)
                .given(format!("the prefix {prefix:?} and the name {name:?}"))
                .likely("refuse it before prefix and underscores hide what it was")?;
        }
        Ok(())
    });
}

// Task 5.7: decide how risky a remote tool is

fn options(prefix: &str, risk: Risk, overrides: &[(&str, Risk)]) -> Options {
    let own = |(name, risk): &(&str, Risk)| ((*name).to_owned(), *risk);
    let overrides = overrides.iter().map(own).collect();
    Options { prefix: prefix.into(), risk, overrides }
}

#[test]
fn t5_7_without_an_override_the_servers_risk_holds() {
    judge("5.7", "a tool has the risk of its server, unless it has its own", || {
        for risk in [Risk::Auto, Risk::Suggest, Risk::Approve] {
            let options = options("", risk, &[("other", Risk::Suggest)]);
            same(risk, options.risk_of("read"))
                .given(format!("the server's risk {risk}, an override for `other`"))
                .likely("an override is for the one tool that it names")?;
        }
        Ok(())
    });
}

#[test]
fn t5_7_an_override_is_for_the_tool_of_that_very_name() {
    judge("5.7", "an override holds for the tool of that very name", || {
        for (server, own) in [(Risk::Approve, Risk::Auto), (Risk::Auto, Risk::Approve)]
        {
            let options = options("", server, &[("read", own)]);
            let given =
                format!("the server's risk {server}, an override {own} of `read`");
            same(own, options.risk_of("read"))
                .given(format!("{given}, and `read`"))
                .likely("the host's word on one tool goes before the one for all")?;
            for name in ["readme", "rea", "Read", "read ", ""] {
                same(server, options.risk_of(name))
                    .given(format!("{given}, and {name:?}"))
                    .likely("names are compared whole and in their very spelling")?;
            }
        }
        Ok(())
    });
}

#[test]
fn t5_7_of_two_overrides_the_stricter_holds() {
    judge("5.7", "of several overrides for one tool the strictest holds", || {
        let (auto, suggest, approve) = (Risk::Auto, Risk::Suggest, Risk::Approve);
        for order in
            [[auto, approve], [approve, auto], [auto, suggest], [suggest, auto]]
        {
            let options = options("", Risk::Auto, &order.map(|risk| ("a", risk)));
            same(order[0].max(order[1]), options.risk_of("a"))
                .given(format!("`a` overridden by {} and {}", order[0], order[1]))
                .likely("the first or the last won; `Risk` has an order: use it")?;
        }
        Ok(())
    });
}

#[test]
fn t5_7_an_override_that_names_no_tool_is_found() {
    judge("5.7", "each override that names no listed tool is named", || {
        let listed = r#"[{"name":"read.note"},{"name":"search"},{"name":5},{},null]"#;
        let list = value(listed);
        let listed_tools = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let approve = |name| (name, Risk::Approve);
        let names = ["Search", "search", "read_note", "n__search", "", "search ", "5"];
        let unknown = options("n__", Risk::Auto, &names.map(approve));
        same(
            ["Search", "read_note", "n__search", "", "search ", "5"]
                .map(String::from)
                .to_vec(),
            unknown.unknown_overrides(listed_tools),
        )
        .given(format!("overrides {names:?} and the list {listed}"))
        .likely("a rule that names nothing protects nothing: compare the very names")?;
        let known = options("n__", Risk::Auto, &["search", "read.note"].map(approve));
        same(Vec::<String>::new(), known.unknown_overrides(listed_tools))
            .given(format!("overrides of `search` and `read.note`, the list {listed}"))
            .likely("an override is by the name that the server gave, not the exposed")
    });
}

// Task 5.8: merge a server's tools into the registry

/// Merges a list; each forwarder says the name that it was made with.
fn merged(
    registry: &mut ToolRegistry,
    list: &str,
    options: &Options,
) -> Result<Merged, Failure> {
    let list = value(list);
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    merge(registry, list, options, Fake::says).map_err(|error| {
        Failure::new(format!("an error: {error}"))
            .because("only an override that names no tool ends the merging")
    })
}

const TWO: &str = r#"[{"name":"read.note","description":"Reads.","inputSchema":{"type":"object","title":"R"}},{"name":"search","inputSchema":{}}]"#;

#[test]
fn t5_8_each_tool_gets_an_entry_after_those_that_are_there() {
    judge("5.8", "each listed tool gets an entry, after those that are there", || {
        let mut registry = registry_of(&[("add", Risk::Approve, &Fake::says(""))])?;
        let options = options("n__", Risk::Suggest, &[]);
        let merged = merged(&mut registry, TWO, &options).given(TWO)?;
        let search = "n__search".to_owned();
        let read = exposed("n__", "read.note")?;
        same(vec![read.clone(), search], merged.names)
            .given(TWO)
            .likely("`names` are those that the registry knows them by")?;
        same(Vec::<String>::new(), merged.skipped)
            .given(TWO)
            .likely("both are fine: a description may be missing, a schema empty")?;
        same(
            format!("add approve, {read} suggest, n__search suggest"),
            entries(&registry),
        )
        .given(TWO)
        .likely("one call of `register` for each tool, with the server's risk")?;
        let said = registry.specs().map(|spec| spec.description.as_str());
        same(vec!["Says it.", "Reads.", ""], said.collect())
            .given(TWO)
            .likely("a description is the server's, and may be missing")?;
        let schemas: Vec<_> =
            registry.specs().skip(1).map(|s| s.parameters.schema.to_string()).collect();
        same(
            [r#"{"type":"object","title":"R"}"#, "{}"].map(String::from).to_vec(),
            schemas,
        )
        .given(TWO)
        .likely("each entry has the parameters of its own `inputSchema`")
    });
}

#[test]
fn t5_8_a_description_is_the_servers_own_whole() {
    judge("5.8", "a description is taken as it came, and nothing for it", || {
        let list = r#"[{"name":"a","title":"Title","description":" One.\n\tTwo: é. ","inputSchema":{},"annotations":{"title":"Title"}},{"name":"b","title":"Title","inputSchema":{"description":"Not of the tool."}}]"#;
        let mut registry = ToolRegistry::new();
        merged(&mut registry, list, &options("", Risk::Auto, &[])).given(list)?;
        let said = registry.specs().map(|spec| spec.description.as_str());
        same(vec![" One.\n\tTwo: é. ", ""], said.collect()).given(list).likely(
            "cut, trimmed, or another member's: a title is for people, and the model \
             reads the description",
        )
    });
}

#[test]
fn t5_8_the_forwarder_is_made_with_the_servers_own_name() {
    judge_async("5.8", "the wire gets the name that the server gave", async || {
        let long = "x".repeat(128);
        let list = format!(
            r#"[{{"name":"a.b","inputSchema":{{}}}},{{"name":"{long}","inputSchema":{{}}}},{{"name":"查询","inputSchema":{{}}}}]"#
        );
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, &list, &options("n__", Risk::Auto, &[]))?;
        let own = ["a.b", &long, "查询"];
        let skipped = &merged.skipped;
        holds(merged.names.len() == 3, "three tools, none of them skipped", skipped)
            .given(&list)
            .likely("a tool was left out; `skipped` says why")?;
        for (own, exposed) in own.iter().zip(merged.names) {
            let came = outcome(&registry, &call(&exposed, "{}"), &yes).await?;
            same(ToolResult::text(own), came)
                .given(format!(
                    "a call of `{exposed}`, and what its forwarder was given"
                ))
                .likely("the exposed name is ours: no server knows it")?;
        }
        Ok(())
    });
}

#[test]
fn t5_8_the_host_decides_the_risk() {
    judge("5.8", "the risk is the host's word, by the server's own names", || {
        let list = r#"[{"name":"read.note","inputSchema":{}},{"name":"list","inputSchema":{},"risk":"auto","annotations":{"readOnlyHint":true,"destructiveHint":false}},{"name":"wipe","inputSchema":{},"risk":"approve","annotations":{"readOnlyHint":false,"destructiveHint":true}}]"#;
        let mut registry = ToolRegistry::new();
        let options = options("n__", Risk::Suggest, &[("read.note", Risk::Approve)]);
        merged(&mut registry, list, &options)?;
        let risks = registry.specs().map(|spec| spec.risk);
        same(vec![Risk::Approve, Risk::Suggest, Risk::Suggest], risks.collect())
            .given(format!("risk suggest, `read.note` approve, and {list}"))
            .likely("asked by the exposed name, or the server was believed")
    });
}

#[test]
fn t5_8_an_unknown_override_ends_it_before_anything_is_merged() {
    judge(
        "5.8",
        "an override that names no tool is an error; nothing is merged",
        || {
            let mut registry = registry_of(&[("add", Risk::Auto, &Fake::says(""))])?;
            let rules = [("search", Risk::Approve), ("serach", Risk::Approve)];
            let options = options("", Risk::Auto, &rules);
            let given = "overrides of `search` and `serach`; the server has `search`";
            let list = value(TWO);
            let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
            let got = merge(&mut registry, list, &options, Fake::says);
            let named = matches!(&got, Err(BridgeError::UnknownOverride(names)) if names == &["serach"]);
            holds(named, "the error that `serach` is unknown", got)
                .given(given)
                .likely(
                    "a mistyped rule was dropped in silence, and its tool runs freely",
                )?;
            same("add auto".into(), entries(&registry))
                .given(given)
                .likely("look at all overrides before the first tool is registered")
        },
    );
}

#[test]
fn t5_8_one_bad_tool_costs_itself_only() {
    judge("5.8", "a bad tool is skipped and reported; the others are merged", || {
        let list = r#"[{"name":"ok","inputSchema":{"type":"object"}},{"name":"none"},{"name":"nul","inputSchema":null},{"name":"arr","inputSchema":{"type":"array"}},{"inputSchema":{}},{"name":"","inputSchema":{}},{"name":5,"inputSchema":{}},null,"echo",{"name":"last","inputSchema":{}}]"#;
        let mut registry = ToolRegistry::new();
        let merged =
            merged(&mut registry, list, &options("", Risk::Auto, &[])).given(list)?;
        same("ok auto, last auto".into(), entries(&registry))
            .given(list)
            .likely("each tool is read by itself, and what is bad is left out")?;
        same(vec!["ok".to_owned(), "last".into()], merged.names)
            .given(list)
            .likely("`names` has what was merged, and nothing else")?;
        let skipped = &merged.skipped;
        holds(skipped.len() == 8, "eight lines in `skipped`", skipped)
            .given(list)
            .likely("each tool that was left out has its line in `skipped`")?;
        for (name, line) in ["none", "nul", "arr"].iter().zip(&merged.skipped) {
            let told = line.contains(name) && line.len() > name.len();
            holds(told, format!("a line that names `{name}`, and why"), line)
                .given(list)
                .likely("a person reads this line and must find the tool")?;
        }
        Ok(())
    });
}

#[test]
fn t5_8_another_reason_makes_another_line() {
    judge("5.8", "a line in `skipped` says why its tool was left out", || {
        let mut lines: Vec<String> = Vec::new();
        for tool in [
            r#"{"name":"a"}"#,
            r#"{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"}}"#,
            r#"{"name":"a","inputSchema":{}}"#,
        ] {
            let mut registry = registry_of(&[("a", Risk::Auto, &Fake::says("local"))])?;
            let list = format!("[{tool}]");
            let merged = merged(&mut registry, &list, &options("", Risk::Auto, &[]))?;
            let line = merged.skipped.join("\n");
            holds(!lines.contains(&line), "a line that no other reason has", &line)
                .given(format!("{list}, where `a` is a local tool's name"))
                .likely("it tells which tool was left out, but not why")?;
            lines.push(line);
        }
        Ok(())
    });
}

#[test]
fn t5_8_what_is_reported_is_one_visible_line() {
    judge("5.8", "each skipped tool has one line, without hidden characters", || {
        let list = r#"[{"name":"a\nb","inputSchema":{}},{"name":"\u001b[2Jx","inputSchema":{}},{"name":"a\u202eb","inputSchema":[]}]"#;
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
        let skipped = &merged.skipped;
        holds(skipped.len() == 3, "three lines in `skipped`", skipped)
            .given(list)
            .likely(
                "names with control characters, and an array for a schema, are bad",
            )?;
        for line in merged.skipped {
            let hidden = line.chars().any(|c| c.is_control() || c == '\u{202e}');
            holds(!hidden && !line.is_empty(), "one line, all of it visible", line)
                .given(list)
                .likely(
                    "a peer's text goes through `visible` before a person sees it",
                )?;
        }
        Ok(())
    });
}

#[test]
fn t5_8_a_tool_that_runs_only_as_a_task_is_skipped() {
    judge(
        "5.8",
        "a tool that demands a task is skipped; one that may be, is not",
        || {
            let list = r#"[{"name":"a","inputSchema":{},"execution":{"taskSupport":"required"}},{"name":"b","inputSchema":{},"execution":{"taskSupport":"optional"}},{"name":"c","inputSchema":{},"execution":{"taskSupport":"forbidden"}},{"name":"d","inputSchema":{},"execution":{}}]"#;
            let mut registry = ToolRegistry::new();
            let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
            same(["b", "c", "d"].map(String::from).to_vec(), merged.names)
                .given(list)
                .likely(
                    "`execution.taskSupport` is `required`: only then is it left out",
                )?;
            let skipped = merged.skipped;
            holds(skipped.len() == 1, "one line in `skipped`", skipped)
                .given(list)
                .likely("what was left out is reported, with the reason")
        },
    );
}

#[test]
fn t5_8_a_local_tool_is_untouched_by_a_remote_namesake() {
    judge_async(
        "5.8",
        "a taken name is skipped and reported; the tool that has it stays",
        async || {
            let list = r#"[{"name":"send","inputSchema":{}},{"name":"read","description":"Mine now.","inputSchema":{}}]"#;
            let local = Fake::says("local");
            let mut registry = registry_of(&[("read", Risk::Auto, &local)])?;
            let before: Vec<_> = registry.specs().cloned().collect();
            let first = options("", Risk::Suggest, &[]);
            let merged_bare = merged(&mut registry, list, &first).given(list)?;
            same(vec!["send".to_owned()], merged_bare.names)
                .given(list)
                .likely("what the registry refused was not merged")?;
            let skipped = merged_bare.skipped;
            holds(skipped.len() == 1, "one line in `skipped`", skipped)
                .given(list)
                .likely("a collision was dropped in silence: report it")?;
            same(before.first(), registry.specs().next())
                .given(list)
                .likely("a server took over a tool that the user trusts")?;
            let came = outcome(&registry, &call("read", "{}"), &yes).await?;
            same(ToolResult::text("local"), came)
                .given(format!("a call of `read`, after merging {list}"))
                .likely("the call went to the server that took the name")?;
            let second = options("second__", Risk::Suggest, &[]);
            merged(&mut registry, list, &second)?;
            same(
                "read auto, send suggest, second__send suggest, second__read suggest"
                    .into(),
                entries(&registry),
            )
            .given("the same list again, under the prefix `second__`")
            .likely(
                "under a prefix the namesake is within reach, with its server's risk",
            )
        },
    );
}

#[test]
fn t5_8_of_two_tools_with_one_name_the_first_is_kept_whole() {
    judge("5.8", "of two listed tools with one name the first is kept whole", || {
        let list = r#"[{"name":"a","description":"one","inputSchema":{"title":"one"}},{"name":"a","description":"two","inputSchema":{"title":"two"}}]"#;
        let mut registry = ToolRegistry::new();
        let merged = merged(&mut registry, list, &options("", Risk::Auto, &[]))?;
        let read = |spec: &ToolSpec| {
            format!("{} {}", spec.description, spec.parameters.schema)
        };
        same(
            vec![r#"one {"title":"one"}"#.to_owned()],
            registry.specs().map(read).collect(),
        )
        .given(list)
        .likely("the second one replaced the first, or a part of it")?;
        same(vec!["a".to_owned()], merged.names)
            .given(list)
            .likely("one was merged, so there is one name")?;
        let skipped = merged.skipped;
        holds(skipped.len() == 1, "one line in `skipped`", skipped)
            .given(list)
            .likely("the second one is reported, like every collision")
    });
}

// Task 5.9: forward a call to the server

/// What the server does when a tool is called.
#[derive(Clone, Copy)]
enum Does {
    /// Sends this, with the request's id in the place of `ID`.
    Says(&'static str),
    Nothing,
    HangsUp,
}

const WELCOME: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"0"}}}"#;
const TOOLS: &str = r#"{"jsonrpc":"2.0","id":ID,"result":{"tools":[{"name":"wipe.disk","inputSchema":{"type":"object"}}]}}"#;

/// A server in this process, until its client hangs up or it does.
async fn serve(mut pipe: Transport, does: Does, heard: mpsc::UnboundedSender<Value>) {
    while let Some(Ok(body)) = pipe.receiver.receive().await {
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let answer = match message["method"].as_str() {
            Some("initialize") => WELCOME,
            Some("tools/list") => TOOLS,
            Some("tools/call") => {
                let _ = heard.send(message.clone()); // the test may be over
                match does {
                    Does::Says(answer) => answer,
                    Does::Nothing => continue,
                    Does::HangsUp => return,
                }
            }
            _ => continue,
        };
        let answer = answer.replace("ID", &message["id"].to_string());
        if pipe.sender.send(answer.into_bytes()).await.is_err() {
            return;
        }
    }
}

/// A client whose handshake is done, and the calls that its server hears.
async fn connect(
    does: Does,
) -> Result<(Client, mpsc::UnboundedReceiver<Value>), Failure> {
    let (ours, theirs) = Transport::pair(Framing::Newline, silent());
    let (tell, heard) = mpsc::unbounded_channel();
    tokio::spawn(serve(theirs, does, tell));
    let timeout = match does {
        Does::Nothing => Duration::from_millis(50),
        _ => ClientConfig::default().timeout,
    };
    let client =
        Client::over(ours, ClientConfig { timeout, ..ClientConfig::default() });
    let failed = |error| Failure::new(format!("no handshake: {error}"));
    client.handshake().await.map_err(failed)?;
    Ok((client, heard))
}

/// How a call of the remote tool `wipe.disk` ends.
async fn forwarded(does: Does) -> Result<Result<ToolResult, CallError>, Failure> {
    let (client, _heard) = connect(does).await?;
    let arguments = Arguments(call("", r#"{"disk":"a"}"#).arguments);
    Ok(RemoteTool::new(client, "wipe.disk").execute(arguments).await)
}

#[test]
fn t5_9_the_wire_carries_the_servers_name_and_the_arguments() {
    judge_async("5.9", "tools/call carries the server's own name, once", async || {
        let empty = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}"#;
        let (client, mut heard) = connect(Does::Says(empty)).await?;
        let written = r#"{"z":[1.5,null],"a":{"é":"\u0001"}}"#;
        let tool = RemoteTool::new(client, "wipe.disk");
        let came = tool.execute(Arguments(call("", written).arguments)).await;
        same(Ok(ToolResult::default()), came)
            .given("an answer whose content is []")
            .likely("an outcome is handed on as the client read it")?;
        let calls: Vec<_> = std::iter::from_fn(|| heard.try_recv().ok()).collect();
        let params: Vec<_> =
            calls.iter().map(|call| call["params"].to_string()).collect();
        same_bytes(
            format!(r#"{{"name":"wipe.disk","arguments":{written}}}"#),
            params.join("\n"),
        )
        .given("the params that the server hears")
        .likely("name and arguments go out as they came, in one request")
    });
}

#[test]
fn t5_9_a_result_comes_back_whole() {
    judge_async("5.9", "a result is an outcome, with all that is in it", async || {
        let answer = r#"{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"two hits"},{"type":"video3d"}],"structuredContent":{"hits":2}}}"#;
        let expected = ToolResult {
            content: vec![
                json!({"type": "text", "text": "two hits"}),
                json!({"type": "video3d"}),
            ],
            structured: Some(json!({"hits": 2})),
            is_error: false,
        };
        same(Ok(expected), forwarded(Does::Says(answer)).await?)
            .given(answer)
            .likely("what is for programs is kept; text is made where a model reads")
    });
}

#[test]
fn t5_9_a_failed_tool_is_an_outcome() {
    judge_async(
        "5.9",
        "`isError` is the tool's word to the model: in `Ok`",
        async || {
            let answer = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
            same(
                Ok(ToolResult::failure("disk full")),
                forwarded(Does::Says(answer)).await?,
            )
            .given(answer)
            .likely("a failed tool is data; the way to it is not broken")
        },
    );
}

#[test]
fn t5_9_a_json_rpc_error_is_a_refusal_with_all_that_came() {
    judge_async(
        "5.9",
        "a JSON-RPC error is `InvalidTransition`, code and data kept",
        async || {
            let answer = r#"{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"Unknown tool","data":{"k":[1]}}}"#;
            let data = Some(json!({"k": [1]}));
            let error =
                ErrorObject { data, ..ErrorObject::new(-32602, "Unknown tool") };
            same(Err(CallError::Rpc(error)), forwarded(Does::Says(answer)).await?)
                .given(answer)
                .likely(
                    "the server did not run the tool; it is the host's to look into",
                )?;
            for code in [-32700, -32000, -31999, -1, 0, 1, 1001] {
                let error = ErrorObject::new(code, "no");
                let refused = CallError::Rpc(error.clone());
                same(refused, CallError::from(ClientError::Server(error)))
                    .given(format!("a JSON-RPC error with the code {code}"))
                    .likely(
                        "a server's own codes may be any integer: all are errors",
                    )?;
            }
            Ok(())
        },
    );
}

#[test]
fn t5_9_a_timeout_says_that_it_was_one() {
    judge_async("5.9", "no answer in time is `TimedOut`", async || {
        let got = forwarded(Does::Nothing).await?;
        holds(matches!(got, Err(CallError::Timeout(_))), "Err(TimedOut(…))", got)
            .given("a server that hears the call and never answers")
            .likely("the tool may have run: whoever reads it must know that")
    });
}

#[test]
fn t5_9_a_dead_connection_says_why() {
    judge_async("5.9", "a connection that is over is `Connection`", async || {
        let got = forwarded(Does::HangsUp).await?;
        holds(matches!(got, Err(CallError::Transport(_))), "Err(Connection(…))", got)
            .given("a server that hangs up in the middle of the call")
            .likely("no answer will come: that is neither a refusal nor a timeout")?;
        let closed = ClientError::Closed("exit status: 3; stderr: no such disk".into());
        let got = CallError::from(closed).to_string();
        holds(got.contains("exit status: 3; stderr: no such disk"), "the reason", got)
            .given("a server that ended with status 3 and said why")
            .likely("the error's own text tells a person what happened")
    });
}

#[test]
fn t5_9_a_malformed_answer_is_no_answer() {
    judge_async("5.9", "an answer that is no result is `Connection`", async || {
        for answer in [
            r#"{"jsonrpc":"2.0","id":ID,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"content":"text"}}"#,
            r#"{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required"}}"#,
        ] {
            let got = forwarded(Does::Says(answer)).await?;
            holds(
                matches!(got, Err(CallError::Transport(_))),
                "Err(Connection(…))",
                got,
            )
            .given(answer)
            .likely("what is unreadable is not empty: nobody knows what was done")?;
        }
        Ok(())
    });
}

#[test]
fn t5_9_the_whole_way_and_back() {
    judge_async("5.9", "model, gate, wire, server, and back as text", async || {
        let answer = r#"{"jsonrpc":"2.0","id":ID,"result":{"isError":true,"content":[{"type":"text","text":"disk full"}]}}"#;
        let (client, mut heard) = connect(Does::Says(answer)).await?;
        let mut registry = ToolRegistry::new();
        let options = options("s__", Risk::Approve, &[]);
        let merged = register_mcp_tools(&mut registry, &client, &options).await;
        let failed = |error| Failure::new(format!("nothing merged: {error}"));
        let name = merged.map_err(failed)?.names.pop().unwrap_or_default();
        let call = call(&name, r#"{"disk":"a"}"#);
        let refused = outcome(&registry, &call, &deny_all).await?;
        let given = format!("{call}, and a gate that says no");
        let sent = heard.try_recv().map(|call| call["params"].to_string()).ok();
        same(None, sent)
            .given(format!("{given}: what the server hears"))
            .likely("the gate stands before the wire")?;
        is_told(refused).given(given)?;
        let gate = Asked::yes_to(call.to_string().leak());
        let came = outcome(&registry, &call, &gate).await?;
        let text = to_text(&came);
        holds(text.contains("disk full"), "a text with “disk full”", text)
            .given(format!("{call}, which was allowed and failed at the server"))
            .likely("something of 5.3, 5.5 or 5.9 changed it on the way")?;
        let sent = heard.try_recv().map(|call| call["params"].to_string());
        same_bytes(
            r#"{"name":"wipe.disk","arguments":{"disk":"a"}}"#,
            sent.unwrap_or_default(),
        )
        .given(format!("{call}, and the params that the server hears"))
        .likely("the forwarder is made with the server's name, by `merge`")
    });
}
