//! MCP from scratch: how an agent gets its tools from other processes, every byte on
//! the wire written by hand.
//!
//! The modules stand in the order of the chapters that build them. Each uses only what
//! stands above it.

// Chapter 1: messages
// How a frame is printed, and how anything from a peer is made visible.
pub mod transcript;
// What a stage prints and how it ends.
pub mod console;
// JSON-RPC 2.0 messages: parse, encode, pair.
pub mod jsonrpc;
// Chapter 2: frames
// Both framings: an encoder and an incremental reader.
pub mod frame;
// Chapter 3: a server
// Revisions, negotiation, the handshake's contents.
pub mod protocol;
// Frames over byte streams, and the tap that transcripts hang on.
pub mod transport;
// What a tool is: name, schema, call, outcome.
pub mod tool;
// Tools behind a connection: the rules, and the tasks around them.
pub mod server;
// What the stages share: the runtime, and the echo server itself.
pub mod stage;
// Chapter 4: a client
// new → initialized → ready → closed.
pub mod lifecycle;
// Requests in flight, with their deadlines.
pub mod pending;
// A server as a child process.
pub mod process;
// One server, the handshake, and calls that may overlap.
pub mod client;
// How the stages with a client start.
pub mod launch;
// Chapter 5: the bridge
// The agent's tools, with risk levels and a gate.
pub mod registry;
// The five tools that live here.
pub mod local_tools;
// A server's tools in the registry.
pub mod bridge;
// Chapter 6: the agent
// The turn, the model, the scripted model.
pub mod agent;
