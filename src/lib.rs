//! MCP from scratch: how an agent gets its tools from other processes, with every byte
//! on the wire written by hand.
//!
//! The modules are in the order of the chapters that build them. Each uses only modules
//! above it.

#![warn(missing_docs)]

// Chapter 1: messages
// How a frame is printed, and how text from a peer is escaped.
pub mod transcript;
// JSON-RPC 2.0 messages: parse, encode, pair.
pub mod jsonrpc;
// Chapter 2: frames
// Both framings: an encoder and an incremental reader.
pub mod frame;
// Chapter 3: a server
// Revisions, negotiation, the standard requests.
pub mod protocol;
// Message bodies over byte streams, and the tap that transcripts are made from.
pub mod transport;
// What a tool is: name, schema, call, result.
pub mod tool;
// Tools behind a connection: the rules, and the tasks around them.
pub mod server;
// Chapter 4: a client
// new → initialized → ready → closed.
pub mod lifecycle;
// Pending requests, with their deadlines.
pub mod pending;
// A server as a child process.
pub mod process;
// One server, the handshake, and calls that may overlap.
pub mod client;
// Chapter 5: the bridge
// The agent's tools, with risk levels and an approver.
pub mod registry;
// The five local tools.
pub mod local_tools;
// A server's tools in the registry.
pub mod bridge;
// Chapter 6: the agent
// The turn, the model, the scripted model.
pub mod agent;
// Shared: the stage programs
// Output, exit codes, options.
pub mod cli;
