//! Running calls: side by side, each one able to be stopped, panics caught.

#![allow(unused)]

use crate::{
    jsonrpc::Id,
    tool::{Arguments, Tool, ToolResult, run},
};
use std::{
    collections::HashMap,
    future::{Future, poll_fn},
    sync::Arc,
    task::Poll,
};
use tokio::task::{AbortHandle, JoinSet};

#[derive(Default)]
pub struct Calls {
    running: JoinSet<(Id, ToolResult)>,
    handles: HashMap<Id, AbortHandle>,
}

impl Calls {
    /// Starts a call. One that is done at once returns its outcome and costs no task.
    pub async fn start(
        &mut self,
        id: Id,
        tool: Arc<dyn Tool>,
        arguments: Arguments,
    ) -> Option<ToolResult> {
        let mut call = Box::pin(async move { run(&*tool, arguments).await });
        let first = poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        if let Poll::Ready(outcome) = first {
            return Some(outcome);
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
    pub async fn next(&mut self) -> Option<(Id, ToolResult)> {
        loop {
            // An error is a task that was aborted: its call is owed no answer.
            let Ok((task, (id, outcome))) = self.running.join_next_with_id().await?
            else {
                continue;
            };
            // A call may end just before it is stopped, and its id may be taken again.
            if self.handles.get(&id).is_some_and(|handle| handle.id() == task) {
                self.handles.remove(&id);
                return Some((id, outcome));
            }
        }
    }
}
