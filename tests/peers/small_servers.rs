//! The four small servers under `peers/`: how to start them, and how they differ.

use crate::{
    connection::Connected,
    installed::{Packages, command},
};

pub struct Server {
    pub name: &'static str,
    pub packages: Packages,
    command: &'static [&'static str],
    /// The text of `isError` when the tool itself fails.
    pub failure: &'static str,
    /// A part of the text of `isError` for `{"text": 5}`.
    pub bad_argument: &'static str,
    /// Its response to a call of an unknown tool.
    pub unknown_tool: Unknown,
    /// The id of its first request to us.
    pub first_id: i64,
}

pub enum Unknown {
    /// As in MCP 2025-11-25 (server/tools, Error Handling).
    InvalidParams,
    /// A result with `isError`, which the model reads.
    Text(&'static str),
}

pub const SERVERS: [Server; 4] = [
    Server {
        name: "typescript_1",
        packages: Packages::Npm,
        command: &["node_modules/.bin/node", "ts1/server.mjs"],
        failure: "it broke",
        bad_argument: "expected string, received number",
        // It throws the error, and then catches it like that of a tool.
        unknown_tool: Unknown::Text("MCP error -32602: Tool no_such_tool not found"),
        first_id: 0,
    },
    Server {
        name: "typescript_2",
        packages: Packages::Npm,
        command: &["node_modules/.bin/node", "ts2/server.mjs"],
        failure: "it broke",
        bad_argument: "expected string, received number",
        unknown_tool: Unknown::InvalidParams,
        first_id: 0,
    },
    Server {
        name: "python",
        packages: Packages::Python,
        command: &["venv/bin/python", "py/server.py"],
        // The exception's text may contain secrets, so only stderr has it.
        failure: "Error executing tool fail",
        bad_argument: "Input should be a valid string",
        unknown_tool: Unknown::Text("Unknown tool: no_such_tool"),
        first_id: 1,
    },
    Server {
        name: "rmcp",
        packages: Packages::Rust,
        command: &["target/debug/rmcp-server"],
        failure: "it broke",
        bad_argument: "expected a string",
        unknown_tool: Unknown::InvalidParams,
        first_id: 0,
    },
];

impl Server {
    pub fn start(&self) -> Connected {
        Connected::start(command(self.command))
    }

    pub async fn ready(&self) -> Connected {
        let server = self.start();
        server.client.handshake().await.expect("the handshake succeeds");
        server
    }
}
