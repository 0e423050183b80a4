//! A server: tools behind a connection.
//!
//! [`Session`] holds the rules: which request is allowed when, and what the server
//! sends for it. It does no I/O. [`Server`] runs the tasks around it: it reads, runs
//! the tools concurrently, and writes the responses.
//!
//! Source: MCP 2025-11-25, basic/lifecycle, basic/utilities (ping, cancellation),
//! server/tools.

#![allow(unused)]

mod calls;
mod catalog;
mod session;

pub use catalog::{Catalog, Offered};
pub use session::{Action, Session};

use crate::{
    frame::FrameError,
    jsonrpc::{self, ErrorObject, INTERNAL_ERROR, Id, PARSE_ERROR, Response},
    protocol::Implementation,
    tool::{Call, CallError, DuplicateTool, Tool, ToolInfo, ToolResult},
    transport::{Closed, Sender, Tap, Tapped, Transport},
};
use calls::Calls;
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::{
    task::unconstrained,
    time::{Instant, timeout_at},
};

/// How long running calls may continue after the end of input.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Why a server stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The client uses the other framing, so that no message can be read.
    #[error(transparent)]
    Framing(#[from] FrameError),
    /// The client no longer reads, or writing failed.
    #[error(transparent)]
    Closed(#[from] Closed),
}

/// A set of tools under one name. One server serves any number of sessions.
///
/// ```
/// use mcp_from_scratch::{
///     client::Client, protocol::Implementation, server::Server, tool,
///     transport::{Transport, silent},
/// };
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let name = Implementation::new("my-server", "1.0.0");
/// let server = Server::new(name).with(tool::echo())?;
///
/// let (ours, theirs) = Transport::pair(silent());
/// let serving = tokio::spawn(async move { server.serve(ours).await });
/// let client = Client::over(theirs, Default::default());
/// client.handshake().await?;
/// assert_eq!("echo", client.list_tools().await?[0]["name"]);
/// client.close().await;
/// serving.await??;
/// # Ok(())
/// # }
/// ```
pub struct Server {
    catalog: Arc<Catalog>,
}

impl Server {
    /// A server without tools.
    pub fn new(server: Implementation) -> Self {
        Self { catalog: Arc::new(Catalog::new(server)) }
    }

    /// Adds a tool. Error: there is a tool of that name.
    pub fn with(
        mut self,
        (info, tool): (ToolInfo, impl Tool + 'static),
    ) -> Result<Self, DuplicateTool> {
        Arc::make_mut(&mut self.catalog).add(info, tool)?;
        Ok(self)
    }

    /// Serves one client until the end of input. Then running calls get
    /// [`DRAIN_TIMEOUT`], unfinished ones are dropped, and all other responses are
    /// written.
    pub async fn serve(&self, transport: Transport) -> Result<(), ServeError> {
        let Transport { sender, mut receiver, tap } = transport;
        let session = Session::new(self.catalog.clone());
        let mut connection =
            Connection { session, calls: Calls::default(), sender, tap };
        loop {
            tokio::select! {
                frame = receiver.receive() => match frame {
                    Some(frame) => connection.handle_frame(frame).await?,
                    None => break,
                },
                Some((id, result)) = connection.calls.next() => {
                    connection.finish(&id, result).await?;
                }
            }
        }
        connection.drain().await
    }
}

/// One connection that is being served.
struct Connection {
    session: Session,
    calls: Calls,
    sender: Sender,
    tap: Tap,
}

impl Connection {
    async fn handle_frame(
        &mut self,
        frame: Result<Vec<u8>, FrameError>,
    ) -> Result<(), ServeError> {
        let action = match frame {
            Ok(body) => self.session.receive(jsonrpc::parse(&body)),
            Err(error @ FrameError::WrongFraming { .. }) => return Err(error.into()),
            // Noise is not a message, and the sender of a truncated one is gone.
            Err(FrameError::Noise { .. } | FrameError::Truncated { .. }) => {
                return Ok(());
            }
            Err(error) => {
                let error = ErrorObject::new(PARSE_ERROR, error.to_string());
                Action::Reply(Response::error(None, error))
            }
        };
        match action {
            Action::Reply(response) => self.respond(response).await,
            Action::Call { id, tool, arguments } => {
                let call = Call::requested(id.clone(), arguments);
                match self.calls.start(id.clone(), tool, call).await {
                    Some(result) => self.finish(&id, result).await,
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
        id: &Id,
        result: Result<ToolResult, CallError>,
    ) -> Result<(), ServeError> {
        match self.session.finish(id, to_response(result)) {
            Some(response) => self.respond(response).await,
            None => Ok(()),
        }
    }

    /// Does not wait for the write: a client may send a lot before it reads.
    async fn respond(&self, response: Response) -> Result<(), ServeError> {
        let body = response.encode(self.session.unknown_id());
        Ok(self.sender.send(body).await?)
    }

    /// The limit is for calls. A response that waits for a slow reader is not lost.
    async fn drain(mut self) -> Result<(), ServeError> {
        let end = Instant::now() + DRAIN_TIMEOUT;
        // Unconstrained, so that every call that has ended in time is taken.
        while let Ok(Some((id, result))) =
            timeout_at(end, unconstrained(self.calls.next())).await
        {
            self.finish(&id, result).await?;
        }
        Ok(self.sender.flush().await?)
    }
}

/// A failed tool is a result. A call without a result is an error response: the one
/// that came from further away, or -32603.
fn to_response(result: Result<ToolResult, CallError>) -> Result<Value, ErrorObject> {
    match result {
        Ok(result) => Ok(result.to_json()),
        Err(CallError::Rpc(error)) => Err(error),
        Err(other) => Err(ErrorObject::new(INTERNAL_ERROR, other.to_string())),
    }
}
