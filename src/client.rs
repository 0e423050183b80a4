//! A client: one server, the handshake, and calls that may overlap.
//!
//! Every operation checks the life cycle, adds the request to the table of pending
//! ones, sends it, and waits for the first of: its response, its deadline, the end of
//! the connection.
//!
//! Source: MCP 2025-11-25, basic/lifecycle, basic/utilities, server/tools.

mod connection;
mod error;
mod handler;
mod list;
mod request;
mod tasks;

pub use error::{ClientError, Closed};
pub use handler::Handler;

use crate::{
    frame::Framing,
    lifecycle::{Event, State},
    process::{Exit, Process, SHUTDOWN_WAIT, ServerCommand},
    protocol::{self, Implementation, InitializeResult, LATEST, method},
    tool::ToolResult,
    transport::{Tap, Transport},
};
use connection::Connection;
use serde_json::{Map, Value};
use std::{fmt, sync::Arc, time::Duration};
use tokio::task::JoinSet;

/// How long a request may take by default.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How a client behaves.
#[derive(Clone)]
pub struct ClientConfig {
    /// `clientInfo`.
    pub client_info: Implementation,
    /// For each request; at most a year.
    pub timeout: Duration,
    /// For each step of the shutdown ladder.
    pub shutdown_wait: Duration,
    /// For the server's notifications and requests.
    pub handler: Arc<dyn Handler>,
}

impl Default for ClientConfig {
    fn default() -> Self {
        Self {
            client_info: Implementation::new("mcp-from-scratch", "1.0.0"),
            timeout: TIMEOUT,
            shutdown_wait: SHUTDOWN_WAIT,
            handler: Arc::new(()),
        }
    }
}

impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConfig")
            .field("client_info", &self.client_info)
            .field("timeout", &self.timeout)
            .field("shutdown_wait", &self.shutdown_wait)
            .finish_non_exhaustive()
    }
}

// ANCHOR: client
/// A connection to one server. Clones share it; dropping the last one kills the server.
///
/// ```no_run
/// use mcp_from_scratch::{
///     client::{Client, ClientConfig}, frame::Framing, process::ServerCommand,
///     transport::silent,
/// };
///
/// # async fn example() -> Result<(), mcp_from_scratch::client::ClientError> {
/// let server = ServerCommand { program: "my-server".into(), ..Default::default() };
/// let config = ClientConfig::default();
/// let client = Client::spawn(&server, Framing::Newline, config, silent())?;
/// client.handshake().await?;
/// println!("{:?}", client.list_tools().await?);
/// client.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client {
    connection: Arc<Connection>,
    /// The reading task and the deadline task; aborted with the last clone.
    _tasks: Arc<JoinSet<()>>,
}
// ANCHOR_END: client

impl Client {
    /// Starts a server and connects to its stdin and stdout.
    pub fn spawn(
        server: &ServerCommand,
        framing: Framing,
        config: ClientConfig,
        tap: Tap,
    ) -> Result<Self, ClientError> {
        let (process, stdin, stdout) =
            Process::spawn(server, tap.clone()).map_err(|error| {
                ClientError::Spawn { program: server.program.clone(), error }
            })?;
        let transport = Transport::over(stdout, stdin, framing, tap);
        Ok(Self::start(transport, Some(process), config))
    }

    /// Over a transport whose other end the caller looks after.
    pub fn over(transport: Transport, config: ClientConfig) -> Self {
        Self::start(transport, None, config)
    }

    // ANCHOR: start
    fn start(
        transport: Transport,
        process: Option<Process>,
        config: ClientConfig,
    ) -> Self {
        let status = process.as_ref().map(Process::status);
        let Transport { sender, receiver, tap } = transport;
        let connection = Arc::new(Connection::new(sender, process, config, tap));
        let mut tasks = JoinSet::new();
        tasks.spawn(tasks::read(connection.clone(), receiver, status));
        tasks.spawn(tasks::watch_deadlines(connection.clone()));
        Self { connection, _tasks: Arc::new(tasks) }
    }
    // ANCHOR_END: start

    /// The state of the connection.
    pub fn state(&self) -> State {
        self.connection.state()
    }

    /// How many requests are pending.
    pub fn pending(&self) -> usize {
        self.connection.pending()
    }

    // ANCHOR: initialize
    /// Offers `version` ([`LATEST`] by default). A server that chooses a version which
    /// the client does not support is left: the state is `closed` then. After a
    /// timeout, an error or a malformed response it is `new`, and the caller may retry.
    pub async fn initialize(
        &self,
        version: &str,
    ) -> Result<InitializeResult, ClientError> {
        let client = self.connection.config.client_info.clone();
        let result = self
            .connection
            .request(Event::InitializeSent, method::INITIALIZE, |id| {
                protocol::initialize(id, version, &client)
            })
            .await;
        let result = result.and_then(|result| {
            InitializeResult::read(&result)
                .map_err(|reason| malformed(method::INITIALIZE, reason))
        });
        match result {
            Ok(result) if protocol::supported(&result.version).is_some() => {
                self.connection.accept(&result)?;
                Ok(result)
            }
            Ok(result) => {
                self.close().await;
                let (offered, chosen) = (version.into(), result.version);
                Err(ClientError::Version { offered, chosen })
            }
            // Nothing was sent; another one may be under way, and continues.
            Err(refused @ ClientError::InvalidTransition(_)) => Err(refused),
            Err(error) => {
                self.connection.initialize_failed();
                Err(error)
            }
        }
    }
    // ANCHOR_END: initialize

    /// Reports to the server that its response has arrived. The state is `ready` as
    /// soon as the notification is queued: from then on tools may be called.
    pub async fn initialized(&self) -> Result<(), ClientError> {
        let message = protocol::initialized();
        self.connection
            .notify(Event::InitializedSent, method::INITIALIZED, &message)
            .await
    }

    /// The whole handshake, with the newest revision.
    pub async fn handshake(&self) -> Result<InitializeResult, ClientError> {
        let result = self.initialize(LATEST).await?;
        self.initialized().await?;
        Ok(result)
    }

    /// Asks whether the server still responds.
    pub async fn ping(&self) -> Result<(), ClientError> {
        let request = |id| protocol::ping(id);
        self.connection.request(Event::Request, method::PING, request).await.map(drop)
    }

    /// All pages of the tool list, each tool as received: a bad one costs only itself.
    /// Empty, and nothing is sent, if the server declares no tools.
    pub async fn list_tools(&self) -> Result<Vec<Value>, ClientError> {
        list::all_pages(&self.connection).await
    }

    // ANCHOR: call-tool
    /// Calls a tool. A caller that drops this future cancels the call; whether the tool
    /// ran is unknown then, as after a timeout.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<ToolResult, ClientError> {
        let method = method::TOOLS_CALL;
        self.connection.allows(Event::Request)?;
        if !self.connection.capabilities().tools {
            return Err(ClientError::NotOffered("tools"));
        }
        let request = |id| protocol::call_tool(id, name, arguments);
        let result = self.connection.request(Event::Request, method, request).await?;
        ToolResult::read(result).map_err(|reason| malformed(method, reason))
    }
    // ANCHOR_END: call-tool

    /// Closes the connection, in any state and any number of times. A child gets the
    /// end of its input, then time, then SIGTERM, then SIGKILL. Returns how it ended.
    pub async fn close(&self) -> Option<Exit> {
        self.connection.close().await
    }
}

fn malformed(method: &str, reason: impl Into<String>) -> ClientError {
    ClientError::Malformed { method: method.into(), reason: reason.into() }
}
