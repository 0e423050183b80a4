//! What a tool is: name, schema, call, and a result that may be a failure. Pure.
//!
//! A failed tool is data. The model must be able to read why it failed and try again,
//! so a failure is a normal result with `isError: true`, not a JSON-RPC error.
//!
//! Source: MCP 2025-11-25, server/tools (Data Types, Error Handling); `resultType`:
//! MCP 2026-07-28, basic/patterns/mrtr.

mod call;
mod text;

pub use call::{Arguments, Call, CallError, Context, DuplicateTool, ToolFailure};
pub use text::to_text;

use crate::transcript::excerpt;
use serde_json::{Value, json};
use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    task::Poll,
};

/// A future behind a pointer, so that tools of different types fit in one list.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The description of a tool in `tools/list`.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolInfo {
    /// Unique in its server or registry.
    pub name: String,
    /// For the model.
    pub description: String,
    /// JSON Schema of the arguments, as received.
    pub input_schema: Value,
}

impl ToolInfo {
    /// A name, a description, and the JSON Schema of the arguments.
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

// ANCHOR: tool-result
/// The result of a call that reached its tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    /// Content blocks as received, including those of unknown types.
    pub content: Vec<Value>,
    /// For programs: a JSON object beside the content (other JSON is kept as received).
    pub structured: Option<Value>,
    /// The tool failed, and the content says why.
    pub is_error: bool,
}
// ANCHOR_END: tool-result

impl ToolResult {
    /// A success with one block of text.
    pub fn text(text: &str) -> Self {
        let content = vec![json!({ "type": "text", "text": text })];
        Self { content, ..Self::default() }
    }

    /// A failure of the tool itself, in words that help the model to try again.
    pub fn failure(text: &str) -> Self {
        Self { is_error: true, ..Self::text(text) }
    }

    // ANCHOR: to-json
    /// The result of `tools/call`. `isError` is written only when it is true.
    pub fn to_json(&self) -> Value {
        let mut result = json!({ "content": self.content });
        if let Some(structured) = &self.structured {
            result["structuredContent"] = structured.clone();
        }
        if self.is_error {
            result["isError"] = Value::Bool(true);
        }
        result
    }
    // ANCHOR_END: to-json

    /// Reads the result of `tools/call`. Missing content counts as empty.
    ///
    /// Errors: not an object, content that is not an array, an `isError` that is not a
    /// boolean, a `resultType` other than `complete` (an unfinished result is not an
    /// empty one).
    pub fn read(result: Value) -> Result<Self, String> {
        let Value::Object(mut members) = result else {
            return Err(format!("a result must be an object, got {}", excerpt(result)));
        };
        let mut take = |name: &str| members.shift_remove(name).filter(|v| !v.is_null());
        if let Some(kind) = take("resultType").filter(|kind| kind != "complete") {
            let got = excerpt(kind);
            return Err(format!("expected a complete result, got resultType {got}"));
        }
        let content = match take("content") {
            None => Vec::new(),
            Some(Value::Array(blocks)) => blocks,
            Some(other) => {
                let got = excerpt(other);
                return Err(format!("`content` must be an array, got {got}"));
            }
        };
        let is_error = match take("isError") {
            None => false,
            Some(Value::Bool(is_error)) => is_error,
            Some(other) => {
                let got = excerpt(other);
                return Err(format!("`isError` must be a boolean, got {got}"));
            }
        };
        Ok(Self { content, structured: take("structuredContent"), is_error })
    }
}

// ANCHOR: tool
/// Something that can be called: a function in this process, a tool of another server,
/// or a fake in a test.
///
/// A call that waits must not block its thread: blocking work belongs in
/// `tokio::task::spawn_blocking`.
///
/// ```
/// use mcp_from_scratch::tool::{Call, Tool, ToolResult, from_fn, run};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let double = from_fn(|arguments| {
///     let number: i64 = arguments.required("number")?;
///     Ok(ToolResult::text(&(2 * number).to_string()))
/// });
/// let call = Call::new(mcp_from_scratch::params! { "number": 21 });
///
/// assert_eq!(Ok(ToolResult::text("42")), run(&double, call).await);
/// # }
/// ```
pub trait Tool: Send + Sync {
    /// Runs the tool. Dropping the future cancels the call. A tool that fails returns
    /// `Ok` with [`ToolResult::failure`]; an error means that there is no result.
    fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>>;
}
// ANCHOR_END: tool

// ANCHOR: run
/// Calls a tool. A panic in the tool becomes a failed tool. The panic's text may
/// contain paths and data, so the result does not repeat it; the panic hook writes it
/// to stderr.
pub async fn run(
    tool: &(impl Tool + ?Sized),
    call: Call,
) -> Result<ToolResult, CallError> {
    let result = catch_panic(async { tool.call(call).await }).await;
    result.unwrap_or_else(|| Ok(ToolResult::failure("the tool panicked")))
}

/// The future's output; `None` if it panicked.
pub(crate) async fn catch_panic<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let poll = AssertUnwindSafe(|| future.as_mut().poll(context).map(Some));
        catch_unwind(poll).unwrap_or(Poll::Ready(None))
    })
    .await
}
// ANCHOR_END: run

// ANCHOR: from-fn
/// A tool made from a function that returns at once.
pub fn from_fn<F>(run: F) -> impl Tool
where
    F: Fn(&Arguments) -> Result<ToolResult, ToolFailure> + Send + Sync,
{
    struct Function<F>(F);

    impl<F> Tool for Function<F>
    where
        F: Fn(&Arguments) -> Result<ToolResult, ToolFailure> + Send + Sync,
    {
        fn call(&self, call: Call) -> BoxFuture<'_, Result<ToolResult, CallError>> {
            let result = async move { (self.0)(&call.arguments) };
            Box::pin(async { Ok(result.await.unwrap_or_else(ToolResult::from)) })
        }
    }

    Function(run)
}
// ANCHOR_END: from-fn

// ANCHOR: echo
/// The first tool: it returns the text that it is given.
pub fn echo() -> (ToolInfo, impl Tool) {
    let schema = json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "description": "The text to give back." }
        },
        "required": ["text"],
    });
    let info = ToolInfo::new("echo", "Echo the given text back verbatim.", schema);
    let tool = from_fn(|arguments| {
        Ok(ToolResult::text(&arguments.required::<String>("text")?))
    });
    (info, tool)
}
// ANCHOR_END: echo
