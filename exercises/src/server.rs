//! A server: tools behind a connection.
//!
//! [`Session`] holds the rules: who may ask what when, and what is owed for it. It does
//! no I/O. [`Server`] is the tasks around it: it reads, runs the tools side by side,
//! and writes the answers.
//!
//! Source: MCP 2025-11-25, basic/lifecycle, basic/utilities (ping, cancellation),
//! server/tools.

#![allow(unused)]

mod calls;
mod session;

pub use session::{Action, Session};

use crate::{
    frame::FrameError,
    jsonrpc::{self, ErrorObject, PARSE_ERROR, Response},
    protocol::Implementation,
    tool::{Tool, ToolResult},
    transport::{Closed, Sender, Tap, Tapped, Transport},
};
use calls::Calls;
use std::{collections::HashMap, sync::Arc, time::Duration};
use tokio::{
    task::unconstrained,
    time::{Instant, timeout_at},
};

/// How long running calls may go on after the end of input.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a server stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client speaks the other framing; nothing it says can be understood.
    #[error(transparent)]
    Framing(#[from] FrameError),
    /// The client does not read any more, or writing failed.
    #[error(transparent)]
    Closed(#[from] Closed),
}

/// A set of tools under one name.
pub struct Server {
    me: Implementation,
    tools: Vec<Arc<dyn Tool>>,
}

impl Server {
    pub fn new(me: Implementation) -> Self {
        Self { me, tools: Vec::new() }
    }

    /// Adds a tool.
    ///
    /// # Panics
    ///
    /// If there is one of that name already: which of the two to call, nobody can know.
    pub fn with(mut self, tool: impl Tool + 'static) -> Self {
        let name = &tool.info().name;
        let is_new = self.tools.iter().all(|other| other.info().name != *name);
        assert!(is_new, "two tools are called `{name}`");
        self.tools.push(Arc::new(tool));
        self
    }

    /// Serves one client until the end of input. Then running calls get [`DRAIN_TIMEOUT`],
    /// those that are unfinished are dropped, and all other answers are written out.
    pub async fn serve(self, transport: Transport) -> Result<(), ServeError> {
        let infos = self.tools.iter().map(|tool| tool.info().clone()).collect();
        let by_name = |tool: &Arc<dyn Tool>| (tool.info().name.clone(), tool.clone());
        let mut serving = Serving {
            session: Session::new(self.me, infos),
            tools: self.tools.iter().map(by_name).collect(),
            calls: Calls::default(),
            sender: transport.sender,
            tap: transport.tap,
        };
        let mut receiver = transport.receiver;
        loop {
            tokio::select! {
                frame = receiver.receive() => match frame {
                    Some(frame) => serving.take(frame).await?,
                    None => break,
                },
                Some((id, outcome)) = serving.calls.next() => {
                    serving.finish(&id, outcome).await?;
                }
            }
        }
        serving.drain().await
    }
}

/// One connection being served.
struct Serving {
    session: Session,
    tools: HashMap<String, Arc<dyn Tool>>,
    calls: Calls,
    sender: Sender,
    tap: Tap,
}

impl Serving {
    async fn take(
        &mut self,
        frame: Result<Vec<u8>, FrameError>,
    ) -> Result<(), ServeError> {
        let action = match frame {
            Ok(body) => self.session.receive(jsonrpc::parse(&body)),
            Err(error @ FrameError::WrongFraming { .. }) => return Err(error.into()),
            // Noise was no message, and a truncated one comes from who is gone.
            Err(FrameError::Noise { .. } | FrameError::Truncated { .. }) => {
                return Ok(());
            }
            Err(error) => {
                let error = ErrorObject::new(PARSE_ERROR, error.to_string());
                Action::Reply(Response::error(None, error))
            }
        };
        match action {
            Action::Reply(response) => self.answer(response).await,
            Action::Call { id, tool, arguments } => {
                let Some(tool) = self.tools.get(&tool).cloned() else {
                    unreachable!("the session offers only tools that are here")
                };
                match self.calls.start(id.clone(), tool, arguments).await {
                    Some(outcome) => self.finish(&id, outcome).await,
                    None => Ok(()),
                }
            }
            Action::Cancel(id) => {
                self.calls.cancel(&id);
                Ok(())
            }
            Action::Nothing => Ok(()),
            Action::Ignore(why) => {
                (self.tap)(Tapped::Note(&why));
                Ok(())
            }
        }
    }

    async fn finish(
        &mut self,
        id: &jsonrpc::Id,
        outcome: ToolResult,
    ) -> Result<(), ServeError> {
        match self.session.finish(id, outcome) {
            Some(response) => self.answer(response).await,
            None => Ok(()),
        }
    }

    /// Does not wait for the write: a client may send a lot before it reads.
    async fn answer(&self, response: Response) -> Result<(), ServeError> {
        let body = response.encode(self.session.unknown_id());
        Ok(self.sender.queue(body).await?)
    }

    /// The limit is for calls. An answer that waits for a slow reader is not lost.
    async fn drain(mut self) -> Result<(), ServeError> {
        let end = Instant::now() + DRAIN_TIMEOUT;
        // Unconstrained, so that what has ended in time is taken however much it is.
        while let Ok(Some((id, outcome))) =
            timeout_at(end, unconstrained(self.calls.next())).await
        {
            self.finish(&id, outcome).await?;
        }
        Ok(self.sender.flush().await?)
    }
}
