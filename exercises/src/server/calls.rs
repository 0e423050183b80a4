//! Running calls: concurrent, each of them can be stopped, panics are caught.

#![allow(unused)]

use super::Offered;
use crate::{
    jsonrpc::Id,
    tool::{Call, CallError, ToolResult, run},
};
use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    task::Poll,
};
use tokio::task::{AbortHandle, JoinSet};

type Ended = Result<ToolResult, CallError>;

#[derive(Default)]
pub struct Calls {
    running: JoinSet<(Id, Ended)>,
    handles: HashMap<Id, AbortHandle>,
}

impl Calls {
    /// Starts a call. A call that ends at once returns its result and costs no task.
    pub async fn start(&mut self, id: Id, tool: Offered, call: Call) -> Option<Ended> {
        let mut call = Box::pin(async move { run(tool.tool(), call).await });
        let first = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        if let Poll::Ready(result) = first {
            return Some(result);
        }
        let key = id.clone();
        self.handles.insert(id, self.running.spawn(async move { (key, call.await) }));
        None
    }

    pub fn cancel(&mut self, id: &Id) {
        if let Some(handle) = self.handles.remove(id) {
            handle.abort();
        }
    }

    /// The next call that ends by itself; `None` when none runs. Cancel-safe.
    pub async fn next(&mut self) -> Option<(Id, Ended)> {
        loop {
            // An error is a task that was aborted: its call gets no response.
            let Ok((task, (id, result))) = self.running.join_next_with_id().await?
            else {
                continue;
            };
            // A call may end just before it is cancelled, and its id may be reused.
            if self.handles.get(&id).is_some_and(|handle| handle.id() == task) {
                self.handles.remove(&id);
                return Some((id, result));
            }
        }
    }
}
