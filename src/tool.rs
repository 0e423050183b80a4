//! What a tool is: name, schema, call, and an outcome that may be a failure. Pure.
//!
//! A failed tool is data. The model must be able to read why it failed and try again,
//! so a failure is an ordinary result with `isError: true`, not a JSON-RPC error.
//!
//! Source: MCP 2025-11-25, server/tools (Data Types, Error Handling); `resultType`:
//! MCP 2026-07-28, basic/patterns/mrtr.

use crate::transcript::excerpt;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::Poll,
};

/// A future behind a pointer, so that tools of different types fit one list.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What `tools/list` says of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolInfo {
    pub name: String,
    pub description: String,
    /// JSON Schema of the arguments, as it came.
    pub input_schema: Value,
}

impl ToolInfo {
    pub fn new(name: &str, description: &str, input_schema: Value) -> Self {
        Self { name: name.into(), description: description.into(), input_schema }
    }

    /// One entry of the `tools` array.
    pub fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
        })
    }
}

// ANCHOR: outcome
/// What came of a call that reached its tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Content blocks as they came, those of unknown types too.
    pub content: Vec<Value>,
    /// For programs: a JSON object beside the content (other JSON is kept as it came).
    pub structured: Option<Value>,
    pub is_error: bool,
}
// ANCHOR_END: outcome

impl Outcome {
    pub fn text(text: &str) -> Self {
        let content = vec![json!({ "type": "text", "text": text })];
        Self { content, ..Self::default() }
    }

    /// A tool's own failure, in words that help the model to try again.
    pub fn failure(text: &str) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    // ANCHOR: to-result
    /// The result of `tools/call`. `isError` is written only when it is true.
    pub fn to_result(&self) -> Value {
        let mut result = json!({ "content": self.content });
        if let Some(structured) = &self.structured {
            result["structuredContent"] = structured.clone();
        }
        if self.is_error {
            result["isError"] = Value::Bool(true);
        }
        result
    }
    // ANCHOR_END: to-result

    /// Reads the result of `tools/call`. Missing content counts as empty.
    ///
    /// Errors: no object, content that is no array, an `isError` that is no boolean, a
    /// `resultType` other than `complete` (an unfinished result is no empty one).
    pub fn from_result(result: Value) -> Result<Self, String> {
        let Value::Object(mut members) = result else {
            return Err(format!("a result must be an object, got {}", excerpt(result)));
        };
        let mut take = |name: &str| members.shift_remove(name).filter(|v| !v.is_null());
        if let Some(kind) = take("resultType").filter(|kind| kind != "complete") {
            return Err(format!(
                "expected a complete result, got resultType {}",
                excerpt(kind)
            ));
        }
        let content = match take("content") {
            None => Vec::new(),
            Some(Value::Array(blocks)) => blocks,
            Some(other) => {
                return Err(format!(
                    "`content` must be an array, got {}",
                    excerpt(other)
                ));
            }
        };
        let is_error = match take("isError") {
            None => false,
            Some(Value::Bool(is_error)) => is_error,
            Some(other) => {
                return Err(format!(
                    "`isError` must be a boolean, got {}",
                    excerpt(other)
                ));
            }
        };
        Ok(Self { content, structured: take("structuredContent"), is_error })
    }
}

/// The arguments of one call, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(pub Map<String, Value>);

impl Arguments {
    // ANCHOR: required
    /// The argument `name`, read as a `T`. A missing or ill-typed argument is a failed
    /// tool that names it: `return` the error, and the model can mend its call.
    pub fn required<T: DeserializeOwned>(&self, name: &str) -> Result<T, Outcome> {
        let Some(value) = self.0.get(name) else {
            return Err(Outcome::failure(&format!("argument `{name}` is missing")));
        };
        T::deserialize(value)
            .map_err(|error| Outcome::failure(&format!("argument `{name}`: {error}")))
    }
    // ANCHOR_END: required
}

// ANCHOR: tool
/// Something that a server can offer. A call that waits must not block its thread:
/// blocking work belongs in `tokio::task::spawn_blocking`.
pub trait Tool: Send + Sync {
    /// What `tools/list` says of it; the same at every call.
    fn info(&self) -> &ToolInfo;

    /// Runs it. Dropping the future cancels the call.
    fn call(&self, arguments: Arguments) -> BoxFuture<'_, Outcome>;
}
// ANCHOR_END: tool

// ANCHOR: run
/// Calls a tool. A panic in it is a failed tool and ends nothing else. The panic's text
/// may hold paths and data, so the outcome is a neutral one, and stderr has the rest.
pub async fn run(tool: &(impl Tool + ?Sized), arguments: Arguments) -> Outcome {
    let mut call = pin!(async { tool.call(arguments).await });
    poll_fn(|context| {
        catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context)))
            .unwrap_or_else(|_| Poll::Ready(Outcome::failure("the tool panicked")))
    })
    .await
}
// ANCHOR_END: run

/// A tool made of a plain function that returns at once.
pub struct FunctionTool<F> {
    info: ToolInfo,
    run: F,
}

impl<F> FunctionTool<F>
where
    F: Fn(&Arguments) -> Result<Outcome, Outcome> + Send + Sync,
{
    /// `run` may end early with `?`: both sides of its result are outcomes.
    pub fn new(info: ToolInfo, run: F) -> Self {
        Self { info, run }
    }
}

impl<F> Tool for FunctionTool<F>
where
    F: Fn(&Arguments) -> Result<Outcome, Outcome> + Send + Sync,
{
    fn info(&self) -> &ToolInfo {
        &self.info
    }

    fn call(&self, arguments: Arguments) -> BoxFuture<'_, Outcome> {
        Box::pin(
            async move { (self.run)(&arguments).unwrap_or_else(|failure| failure) },
        )
    }
}

// ANCHOR: echo
/// The first tool: it gives back the text that it was given.
pub fn echo() -> impl Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "description": "The text to give back." }
        },
        "required": ["text"],
    });
    let info = ToolInfo::new("echo", "Echo the given text back verbatim.", schema);
    FunctionTool::new(info, |arguments: &Arguments| {
        Ok(Outcome::text(&arguments.required::<String>("text")?))
    })
}
// ANCHOR_END: echo
