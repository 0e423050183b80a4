//! Exercise 5: the registry and the bridge
//!
//! You write the registry that executes a model's calls, with its approval, and the
//! bridge that registers a server's tools in it: a schema becomes parameters, a result
//! becomes text, a call becomes `tools/call`.
//!
//! Where   `registry.rs`, `registry/parameters.rs`, `tool/text.rs`, `bridge.rs` and
//!         `bridge/names.rs` in `exercises/src/`. A function to write contains
//!         `todo!("task 5.…")`; the comment above it specifies what it takes and
//!         returns, and its errors. You may use or replace what is already written;
//!         what is `pub` keeps its signature.
//! Tasks   5.1  register a tool
//!         5.2  describe the tools to the model
//!         5.3  ask the approver before a call runs
//!         5.4  turn a schema into parameters
//!         5.5  turn a result into text
//!         5.6  give a remote tool a name that a model can call
//!         5.7  decide how risky a remote tool is
//!         5.8  merge a server's tools into the registry
//!         5.9  forward a call to the server
//! Order   as numbered, or 5.4 to 5.7 first, which need no other task. 5.2 and 5.3 need
//!         5.1; 5.8 needs 5.1, 5.3, 5.4, 5.6 and 5.7; the last test of 5.9 needs all
//!         tasks but 5.2.
//! Given   the types of all modules, the listing, `fnv1a`; the client of chapter 4. You
//!         choose the text of a refusal, of a reason and of a placeholder, and how a
//!         name is shortened and kept unique.
//! Read    the book, chapter 5; MCP 2025-11-25, server/tools.
//! Judge   cargo test -p exercises --test 05_registry_bridge t5_1
//!         (without `t5_1` all tasks; all exercises, if all compile:
//!         cargo test -p exercises --no-fail-fast)
//! Then    run `cargo run --bin 05-registry-bridge` and compare the output with the
//!         transcript.
//!         (In the course's repository, first copy your modules over those in `src/`;
//!         the tests of the book then miss marks, and `git restore src` restores them.)

mod t5_1;
mod t5_2;
mod t5_3;
mod t5_4;
mod t5_5;
mod t5_6;
mod t5_7;
mod t5_8;
mod t5_9;

#[cfg(not(feature = "reference"))]
#[path = "../../src"]
mod exercise {
    pub mod registry;

    #[path = "tool/text.rs"]
    pub mod text;

    pub mod bridge;
}
#[cfg(not(feature = "reference"))]
use exercise::{bridge, registry, text::to_text};
#[cfg(feature = "reference")]
use mcp_from_scratch::{bridge, registry, tool::to_text};
// What earlier chapters have; your modules find it as `crate::client` and so on.
use bridge::{
    BridgeError, Merged, Options, RemoteTool, call_error, exposed_name, merge,
    register_mcp_tools,
};
use client::{Client, ClientConfig, ClientError, Closed};
use exercises::{
    Explain, Failure, Verdict, holds, judge, judge_apart, judge_async, same, same_bytes,
};
use jsonrpc::ErrorObject;
use mcp_from_scratch::transport::{Transport, silent};
#[allow(unused_imports)]
use mcp_from_scratch::{client, jsonrpc, params, tool, transcript};
use registry::{
    Approver, Decision, DuplicateTool, Parameter, Risk, ToolCall, ToolRegistry,
    ToolSpec, deny_all, object_schema, parameters,
};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    net::TcpListener,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::mpsc;
use tool::{BoxFuture, Call, CallError, Tool, ToolInfo, ToolResult};

/// The JSON of a literal.
fn value(json: &str) -> Value {
    serde_json::from_str(json).expect("the test's own JSON")
}

fn call(name: &str, arguments: &str) -> ToolCall {
    let arguments = serde_json::from_str(arguments).expect("the test's own JSON");
    ToolCall { name: name.into(), arguments }
}

fn spec(name: &str, risk: Risk) -> ToolSpec {
    let schema = object_schema(&[("text", "string", "What to say.")]);
    ToolSpec::local(ToolInfo::new(name, "Says it.", schema), risk)
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

/// A tool that records the arguments of its calls and returns the same result for all.
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

impl Tool for Fake {
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            self.calls.add(Value::Object(call.arguments.0).to_string());
            self.ends.clone()
        })
    }
}

/// An approver that records its questions and allows one call only, after some time.
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
    fn decide<'a>(
        &'a self,
        spec: &'a ToolSpec,
        call: &'a ToolCall,
    ) -> BoxFuture<'a, Decision> {
        self.questions.add(format!("{} {call}", spec.risk));
        Box::pin(async move {
            tokio::task::yield_now().await;
            match call.to_string() == self.yes {
                true => Decision::Allow,
                false => Decision::Deny { reason: "the test denies it".into() },
            }
        })
    }
}

/// An approver that allows everything.
fn yes(_: &ToolSpec, _: &ToolCall) -> Decision {
    Decision::Allow
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
    let entry = |spec: &ToolSpec| format!("{} {}", spec.info.name, spec.risk);
    registry.specs().map(entry).collect::<Vec<_>>().join(", ")
}

/// A call that returns a result; a call error fails the test.
async fn outcome(
    registry: &ToolRegistry,
    call: &ToolCall,
    approver: &dyn Approver,
) -> Result<ToolResult, Failure> {
    let got = registry.execute(call.clone(), approver).await.map_err(|error| {
        Failure::new(format!("a call error: {error:?}")).because(
            "what the model can read and act on is data: a result with `is_error`, \
             in `Ok`",
        )
    });
    got.given(format!("a call: {call}"))
}

/// All text of a result.
fn words(outcome: &ToolResult) -> String {
    let text = |block: &Value| block["text"].as_str().unwrap_or_default().to_owned();
    outcome.content.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// A failure that the model can read.
fn is_reported(got: ToolResult) -> Verdict {
    let described = got.is_error && !words(&got).trim().is_empty();
    holds(described, "a failed result with a text", got)
        .likely("the model reads it, and the turn continues: `ToolResult::failure`")
}

fn read(schema: &str) -> Result<Vec<Parameter>, Failure> {
    let refused = |reason| {
        Failure::new(format!("a refusal: {reason}")).because(
            "any object is a schema of arguments, unless its type is another one",
        )
    };
    parameters(&value(schema)).map_err(refused).given(schema)
}

/// What a model reads of a result in a response to `tools/call`.
fn text_of(result: &str) -> Result<String, Failure> {
    let outcome = ToolResult::read(value(result));
    let own = |reason| Failure::new(format!("the test's own result: {reason}"));
    outcome.map(|outcome| to_text(&outcome)).map_err(own)
}

fn reads(expected: &str, result: &str) -> Verdict {
    text_of(result).and_then(|got| same(expected.into(), got)).given(result)
}

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
            "all other characters are replaced, also in the prefix; `is_alphanumeric` \
             is true for every script",
        )?;
    let size = exposed.len();
    holds(size <= 64, "at most 64 characters", format!("{size}: {exposed}"))
        .likely("the prefix counts, and so does the part that makes names unique")?;
    Ok(exposed)
}

fn options(prefix: &str, risk: Risk, overrides: &[(&str, Risk)]) -> Options {
    let own = |(name, risk): &(&str, Risk)| ((*name).to_owned(), *risk);
    let overrides = overrides.iter().map(own).collect();
    Options { server: "other".into(), prefix: prefix.into(), risk, overrides }
}

/// Merges a list; each forwarder returns the name that it was made with.
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
