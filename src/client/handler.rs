//! What a client does with the server's own messages.

use crate::{
    jsonrpc::{ErrorObject, Notification, Request},
    tool::BoxFuture,
};
use serde_json::Value;

// ANCHOR: handler
/// Handles the notifications and requests of a server. Each request runs in a separate
/// task, so that a slow one does not stop the reading. `ping` never comes here: the
/// client responds to it.
pub trait Handler: Send + Sync {
    /// A notification has arrived. Must return at once: it runs in the reading task.
    fn notification(&self, notification: Notification) {
        drop(notification);
    }

    /// The result of a request. By default every method is unknown.
    fn request(&self, request: Request) -> BoxFuture<'_, Result<Value, ErrorObject>> {
        Box::pin(async move { Err(ErrorObject::method_not_found(&request.method)) })
    }
}

/// The default: ignores notifications and refuses requests.
impl Handler for () {}
// ANCHOR_END: handler
