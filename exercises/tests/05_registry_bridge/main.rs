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
// From earlier chapters; your modules import them as `crate::client` and so on.
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
    serde_json::from_str(json).expect("valid JSON in the test")
}

fn call(name: &str, arguments: &str) -> ToolCall {
    let arguments = serde_json::from_str(arguments).expect("valid JSON in the test");
    ToolCall { name: name.into(), arguments }
}

fn spec(name: &str, risk: Risk) -> ToolSpec {
    let schema = object_schema(&[("text", "string", "The text.")]);
    ToolSpec::local(ToolInfo::new(name, "Repeats it.", schema), risk)
}

/// Lines that a test collects and compares later.
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

/// A tool that records the arguments of its calls; every call has the same result.
#[derive(Clone)]
struct Fake {
    result: Result<ToolResult, CallError>,
    calls: Lines,
}

impl Fake {
    fn returning(text: &str) -> Self {
        Self::ending(Ok(ToolResult::text(text)))
    }

    fn ending(result: Result<ToolResult, CallError>) -> Self {
        Self { result, calls: Lines::default() }
    }

    /// How many clones of this tool a registry holds.
    fn clones(&self) -> usize {
        Arc::strong_count(&self.calls.0) - 1
    }
}

impl Tool for Fake {
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            self.calls.add(Value::Object(call.arguments.0).to_string());
            self.result.clone()
        })
    }
}

/// An approver that records what it is asked and allows one call only, not at once.
struct Asked {
    allowed: &'static str,
    questions: Lines,
}

impl Asked {
    fn allowing(allowed: &'static str) -> Self {
        Self { allowed, questions: Lines::default() }
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
            match call.to_string() == self.allowed {
                true => Decision::Allow,
                false => Decision::Deny { reason: "the test denies it".into() },
            }
        })
    }
}

/// An approver that allows every call.
fn allow_all(_: &ToolSpec, _: &ToolCall) -> Decision {
    Decision::Allow
}

/// A registry with these tools. Fails if one of them is rejected.
fn registry_of(tools: &[(&str, Risk, &Fake)]) -> Result<ToolRegistry, Failure> {
    let mut registry = ToolRegistry::new();
    for (name, risk, fake) in tools {
        registry.register(spec(name, *risk), (*fake).clone()).map_err(|error| {
            Failure::new(format!("the unused name `{name}` is rejected: {error}"))
                .because("a name is taken only if it is exactly the same")
        })?;
    }
    Ok(registry)
}

/// Each tool as `name risk`.
fn entries(registry: &ToolRegistry) -> String {
    let entry = |spec: &ToolSpec| format!("{} {}", spec.info.name, spec.risk);
    registry.specs().map(entry).collect::<Vec<_>>().join(", ")
}

/// The result of a call. Fails on a [`CallError`].
async fn execute(
    registry: &ToolRegistry,
    call: &ToolCall,
    approver: &dyn Approver,
) -> Result<ToolResult, Failure> {
    let result = registry.execute(call.clone(), approver).await.map_err(|error| {
        Failure::new(format!("a CallError: {error:?}")).because(
            "the model can react to this, so return `Ok` with a result whose \
             `is_error` is true",
        )
    });
    result.given(format!("a call: {call}"))
}

/// All texts of a result.
fn texts(result: &ToolResult) -> String {
    let text = |block: &Value| block["text"].as_str().unwrap_or_default().to_owned();
    result.content.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// The result is a failure with a text for the model.
fn is_readable_failure(result: ToolResult) -> Verdict {
    let is_readable = result.is_error && !texts(&result).trim().is_empty();
    holds(is_readable, "a failed result with a text", result)
        .likely("the model reads it, and the turn continues: `ToolResult::failure`")
}

fn read(schema: &str) -> Result<Vec<Parameter>, Failure> {
    let rejected = |reason| {
        Failure::new(format!("an error: {reason}"))
            .because("accept any object as a schema, unless its type is another one")
    };
    parameters(&value(schema)).map_err(rejected).given(schema)
}

/// What a model reads of the result of a `tools/call`.
fn text_of(result: &str) -> Result<String, Failure> {
    let invalid = |reason| Failure::new(format!("the test's result: {reason}"));
    ToolResult::read(value(result)).map(|result| to_text(&result)).map_err(invalid)
}

fn reads(expected: &str, result: &str) -> Verdict {
    text_of(result).and_then(|got| same(expected.into(), got)).given(result)
}

/// The exposed name. Fails if the name is rejected or a model's API would reject it.
fn exposed(prefix: &str, name: &str) -> Result<String, Failure> {
    exposed_name(prefix, name)
        .map_err(|reason| {
            Failure::new(format!("an error: {reason}"))
                .because("reject only an empty name and control characters")
        })
        .and_then(is_usable)
        .given(format!("the prefix {prefix:?} and the name {name:?}"))
}

fn is_usable(exposed: String) -> Result<String, Failure> {
    let usable = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let all_usable = !exposed.is_empty() && exposed.chars().all(usable);
    holds(all_usable, "only ASCII letters and digits, `_` and `-`", &exposed).likely(
        "replace all other characters, in the prefix, too; `is_alphanumeric` accepts \
         letters of every script",
    )?;
    let size = exposed.len();
    holds(size <= 64, "at most 64 characters", format!("{size}: {exposed}"))
        .likely("the limit includes the prefix and the hash")?;
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
    merge(registry, list, options, Fake::returning).map_err(|error| {
        Failure::new(format!("an error: {error}"))
            .because("only an override that names no tool is an error")
    })
}
