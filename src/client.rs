//! A client: one server, the handshake, and calls that may overlap.
//!
//! Every operation asks the life cycle first, then enters the request in the table of
//! pending ones, sends it, and waits: for its answer, its deadline, or the end of the
//! connection, whichever comes first.
//!
//! Source: MCP 2025-11-25, basic/lifecycle, basic/utilities, server/tools.

mod connection;
mod tasks;

use crate::{
    frame::Framing,
    jsonrpc::{ErrorObject, object},
    lifecycle::{Event, Refused, State},
    process::{Exit, Process, SHUTDOWN_WAIT, Spec},
    protocol::{self, LATEST, Peer, ServerHello, VERSIONS, method},
    tool::Outcome,
    transcript::excerpt,
    transport::{Tap, Tapped, Transport},
};
use connection::Connection;
use serde_json::{Map, Value, json};
use std::{collections::HashSet, io, sync::Arc, time::Duration};
use tokio::{task::JoinSet, time::timeout};

/// How long a request may take unless told otherwise.
pub const TIMEOUT: Duration = Duration::from_secs(10);

/// How many pages of `tools/list` are read. A server that has more is in a loop.
const MAX_PAGES: usize = 1000;
/// From how many tools on no further page is read. No model can choose among so many.
const MAX_TOOLS: usize = 10_000;
/// How many times as long as one request the whole list may take.
const LIST_TIMEOUTS: u32 = 10;

/// What a client is told beside its transport.
#[derive(Clone, Debug)]
pub struct Settings {
    pub me: Peer,
    /// For each request; a year at most.
    pub timeout: Duration,
    /// For each step of the shutdown ladder.
    pub shutdown_wait: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let me = Peer::new("mcp-from-scratch", "1.0.0");
        Self { me, timeout: TIMEOUT, shutdown_wait: SHUTDOWN_WAIT }
    }
}

/// Why an operation has no result. A tool that failed has one: an [`Outcome`].
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("cannot start `{program}`: {error}")]
    Spawn { program: String, error: io::Error },
    /// The wrong moment; nothing was sent.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Whether the server did what was asked is unknown.
    #[error("no answer to `{method}` within {} s", after.as_secs_f64())]
    Timeout { method: String, after: Duration },
    /// A notification is stuck, because the server does not read.
    #[error("cannot write `{method}`: not read within {} s", after.as_secs_f64())]
    NotWritten { method: String, after: Duration },
    /// A JSON-RPC error, as the server sent it.
    #[error("the server answered with {0}")]
    Server(ErrorObject),
    #[error("malformed answer to `{method}`: {reason}")]
    Malformed { method: String, reason: String },
    #[error(
        "no common protocol version: we offered {offered} and speak {}, \
         the server answered {answered}", VERSIONS.join(", ")
    )]
    Version { offered: String, answered: String },
    /// What a server did not declare is not asked for.
    #[error("the server declares no `{0}` capability")]
    NotOffered(&'static str),
    /// The reason that the connection is over.
    #[error("{0}")]
    Closed(String),
}

// ANCHOR: client
/// A connection to one server. Clones share it; the last one dropped kills the server.
#[derive(Clone)]
pub struct Client {
    connection: Arc<Connection>,
    /// Reads and watches the deadlines; stopped when the last clone is gone.
    _tasks: Arc<JoinSet<()>>,
}
// ANCHOR_END: client

impl Client {
    /// Starts a server and connects to its stdin and stdout.
    pub fn spawn(
        spec: &Spec,
        framing: Framing,
        settings: Settings,
        tap: Tap,
    ) -> Result<Self, ClientError> {
        let (process, stdin, stdout) =
            Process::spawn(spec, tap.clone()).map_err(|error| ClientError::Spawn {
                program: spec.program.clone(),
                error,
            })?;
        let transport = Transport::new(stdout, stdin, Some(framing), tap);
        Ok(Self::start(transport, Some(process), settings))
    }

    /// Over a transport whose other end somebody else looks after.
    pub fn over(transport: Transport, settings: Settings) -> Self {
        Self::start(transport, None, settings)
    }

    // ANCHOR: start
    fn start(
        transport: Transport,
        process: Option<Process>,
        settings: Settings,
    ) -> Self {
        let status = process.as_ref().map(Process::status);
        let Transport { sender, receiver, tap } = transport;
        let connection = Arc::new(Connection::new(sender, process, settings, tap));
        let mut tasks = JoinSet::new();
        tasks.spawn(tasks::read(connection.clone(), receiver, status));
        tasks.spawn(tasks::watch_deadlines(connection.clone()));
        Self { connection, _tasks: Arc::new(tasks) }
    }
    // ANCHOR_END: start

    /// How far the connection has come.
    pub fn state(&self) -> State {
        self.connection.state()
    }

    /// How many requests wait for their answer.
    pub fn pending(&self) -> usize {
        self.connection.pending()
    }

    // ANCHOR: initialize
    /// Offers `version` ([`LATEST`] unless there is a reason). A server that answers
    /// with a version that we do not speak is left: the state is `closed` then. After
    /// a timeout, an error answer or a malformed one it is `new`, and one may retry.
    pub async fn initialize(&self, version: &str) -> Result<ServerHello, ClientError> {
        let params = protocol::initialize_params(version, &self.connection.settings.me);
        let result = self
            .connection
            .request(Event::InitializeSent, method::INITIALIZE, Some(params))
            .await;
        let hello = result.and_then(|result| {
            protocol::read_initialize_result(&result)
                .map_err(|reason| malformed(method::INITIALIZE, reason))
        });
        match hello {
            Ok(hello) if protocol::spoken(&hello.version).is_some() => {
                self.connection.accept(&hello)?;
                Ok(hello)
            }
            Ok(hello) => {
                self.close().await;
                let (offered, answered) = (version.into(), hello.version);
                Err(ClientError::Version { offered, answered })
            }
            // Nothing was sent; another one may be on its way, and goes on.
            Err(refused @ ClientError::Refused(_)) => Err(refused),
            Err(error) => {
                self.connection.initialize_failed();
                Err(error)
            }
        }
    }
    // ANCHOR_END: initialize

    /// Tells the server that its answer has come. The state is `ready` as soon as the
    /// notification is queued: from here on tools may be called.
    pub async fn initialized(&self) -> Result<(), ClientError> {
        self.connection.notify(Event::InitializedSent, method::INITIALIZED).await
    }

    /// The whole handshake with the newest revision.
    pub async fn handshake(&self) -> Result<ServerHello, ClientError> {
        let hello = self.initialize(LATEST).await?;
        self.initialized().await?;
        Ok(hello)
    }

    /// Asks whether the server still answers.
    pub async fn ping(&self) -> Result<(), ClientError> {
        self.connection.request(Event::Ping, method::PING, None).await.map(drop)
    }

    // ANCHOR: list-tools
    /// All pages of the tool list, each tool as it came: a bad one costs only itself.
    /// Empty, and nothing is asked, if the server declares no tools.
    pub async fn list_tools(&self) -> Result<Vec<Value>, ClientError> {
        self.connection.allows(Event::ToolRequest)?;
        if !self.connection.has_tools() {
            return Ok(Vec::new());
        }
        let after = self.connection.settings.timeout.saturating_mul(LIST_TIMEOUTS);
        let method = method::TOOLS_LIST.into();
        let late = |_| ClientError::Timeout { method, after };
        timeout(after, self.list_pages()).await.map_err(late)?
    }
    // ANCHOR_END: list-tools

    // ANCHOR: list-pages
    async fn list_pages(&self) -> Result<Vec<Value>, ClientError> {
        let mut tools = Vec::new();
        let mut params = None;
        let mut seen = HashSet::new();
        while tools.len() <= MAX_TOOLS && seen.len() < MAX_PAGES {
            let (mut page, cursor) = self.list_page(params).await?;
            let loops = cursor.as_ref().is_some_and(|c| !seen.insert(c.clone()));
            if loops {
                // Then the same page comes again, too, and its tools are here already.
                let known: HashSet<_> = tools.iter().map(Value::to_string).collect();
                page.retain(|tool| !known.contains(&tool.to_string()));
                let cursor = cursor.as_deref().unwrap_or_default();
                let note = format!("tools/list: the cursor {cursor:?} came twice");
                (self.connection.tap)(Tapped::Note(&note));
            }
            tools.extend(page);
            match cursor.filter(|_| !loops) {
                Some(cursor) => params = Some(object(json!({ "cursor": cursor }))),
                None => return Ok(tools),
            }
        }
        let reason = format!("more than {MAX_TOOLS} tools or {MAX_PAGES} pages");
        Err(malformed(method::TOOLS_LIST, reason))
    }
    // ANCHOR_END: list-pages

    async fn list_page(
        &self,
        params: Option<Map<String, Value>>,
    ) -> Result<(Vec<Value>, Option<String>), ClientError> {
        let method = method::TOOLS_LIST;
        let mut result =
            self.connection.request(Event::ToolRequest, method, params).await?;
        let tools = match result["tools"].take() {
            Value::Array(tools) => tools,
            other => {
                let got = excerpt(other);
                return Err(malformed(
                    method,
                    format!("`tools` must be an array, got {got}"),
                ));
            }
        };
        match result["nextCursor"].take() {
            Value::Null => Ok((tools, None)),
            Value::String(cursor) => Ok((tools, Some(cursor))), // "" is one, too
            other => {
                let got = excerpt(other);
                Err(malformed(
                    method,
                    format!("`nextCursor` must be a string, got {got}"),
                ))
            }
        }
    }

    // ANCHOR: call-tool
    /// Calls a tool. A caller who drops this future cancels the call; whether the tool
    /// ran is unknown then, as after a timeout.
    pub async fn call_tool(
        &self,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Outcome, ClientError> {
        let method = method::TOOLS_CALL;
        self.connection.allows(Event::ToolRequest)?;
        if !self.connection.has_tools() {
            return Err(ClientError::NotOffered("tools"));
        }
        let params = object(json!({ "name": name, "arguments": arguments }));
        let result =
            self.connection.request(Event::ToolRequest, method, Some(params)).await?;
        Outcome::from_result(result).map_err(|reason| malformed(method, reason))
    }
    // ANCHOR_END: call-tool

    /// Ends the connection, in any state and as often as one likes. A child gets the
    /// end of its input, then time, then SIGTERM, then SIGKILL; returns how it ended.
    pub async fn close(&self) -> Option<Exit> {
        self.connection.close().await
    }
}

fn malformed(method: &str, reason: impl Into<String>) -> ClientError {
    ClientError::Malformed { method: method.into(), reason: reason.into() }
}
