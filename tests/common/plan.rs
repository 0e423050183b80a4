//! A model that takes its steps from a list, and calls that a reader can paste.

#![allow(dead_code)] // Each test target uses a part of this.

use mcp_from_scratch::{
    agent::{Entry, Model, ModelError, Step},
    registry::ToolCall,
    tool::BoxFuture,
};
use serde_json::Value;
use std::collections::VecDeque;

/// `call("add", r#"{"a":2,"b":40}"#)`
pub fn call(name: &str, arguments: &str) -> ToolCall {
    let arguments = serde_json::from_str(arguments).expect("a JSON object");
    ToolCall { name: name.into(), arguments }
}

/// Takes one step after another, whatever happens, and keeps what it was shown.
#[derive(Default)]
pub struct Plan {
    steps: VecDeque<Step>,
    /// The conversation as it was at each step.
    pub shown: Vec<Vec<Entry>>,
    pub tools: Vec<Value>,
}

impl Plan {
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().collect(), ..Self::default() }
    }
}

impl Model for Plan {
    fn next<'a>(
        &'a mut self,
        conversation: &'a [Entry],
        tools: &'a [Value],
    ) -> BoxFuture<'a, Result<Step, ModelError>> {
        self.shown.push(conversation.to_vec());
        self.tools = tools.to_vec();
        let step = self.steps.pop_front().expect("one more step");
        Box::pin(async { Ok(step) })
    }
}
