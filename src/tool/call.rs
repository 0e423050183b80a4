//! One call of a tool: its arguments, its context, and the two ways to fail.

use super::ToolResult;
use crate::jsonrpc::{ErrorObject, Id};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

// ANCHOR: call
/// What a tool is given. The arguments are moved from the model to the wire, never
/// copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// By name.
    pub arguments: Arguments,
    /// Where the call comes from.
    pub context: Context,
}

/// Where a call comes from.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Context {
    /// The id of the `tools/call` request, for logs; `None` for a call in this process.
    pub request_id: Option<Id>,
}
// ANCHOR_END: call

impl Call {
    /// A call in this process.
    pub fn new(arguments: Map<String, Value>) -> Self {
        Self { arguments: Arguments(arguments), context: Context::default() }
    }

    /// A call that a client requested under this id.
    pub fn requested(id: Id, arguments: Map<String, Value>) -> Self {
        let context = Context { request_id: Some(id) };
        Self { arguments: Arguments(arguments), context }
    }
}

/// The arguments of one call, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments(pub Map<String, Value>);

impl Arguments {
    // ANCHOR: required
    /// The argument `name`, read as a `T`.
    ///
    /// Error: it is missing or has another type. The text names the argument, so that
    /// the model can correct its call.
    pub fn required<T: DeserializeOwned>(&self, name: &str) -> Result<T, ToolFailure> {
        match self.0.get(name) {
            Some(value) => read(name, value),
            None => Err(ToolFailure(format!("argument `{name}` is missing"))),
        }
    }

    /// Like [`Arguments::required`], but `None` if the argument is missing or null.
    pub fn optional<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, ToolFailure> {
        let value = self.0.get(name).filter(|value| !value.is_null());
        value.map(|value| read(name, value)).transpose()
    }
    // ANCHOR_END: required
}

fn read<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, ToolFailure> {
    T::deserialize(value)
        .map_err(|error| ToolFailure(format!("argument `{name}`: {error}")))
}

/// Why a tool failed, in words for the model. It becomes a [`ToolResult::failure`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolFailure(pub String);

impl From<ToolFailure> for ToolResult {
    fn from(failure: ToolFailure) -> Self {
        ToolResult::failure(&failure.0)
    }
}

// ANCHOR: call-error
/// Why a call has no result. (A tool that fails has one.)
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CallError {
    /// A JSON-RPC error: the server did not accept the request.
    #[error("the server responded with {0}")]
    Rpc(ErrorObject),
    /// No response in time. The text says to what, and how long it may take.
    #[error("{0}; whether the tool ran is unknown")]
    Timeout(String),
    /// The user stopped the call.
    #[error("cancelled by the user; a tool that was called may have run")]
    Cancelled,
    /// The connection is closed, or the response is malformed.
    #[error("{0}")]
    Transport(String),
}
// ANCHOR_END: call-error

/// Two tools have one name. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is already a tool named `{0}`")]
pub struct DuplicateTool(pub String);
