//! Tests MCP servers and clients from outside: by the bytes that they write and by how
//! they exit.
//!
//! The program under test may be in any language. Most checks start a fresh process.

// Levels, rules, findings.
pub mod rule;
// A program under test: its process group, its pipes, its exit.
pub mod process;
// One message from the wire.
pub mod message;
// A connection to a server under test: raw bytes out, messages in.
pub mod connection;
// Whether a stream consists of messages only.
pub mod clean;
// Stage 3: the checks of a server.
pub mod server;
// The server that a client under test starts, and the record of what it receives.
pub mod script;
// Stage 4: the checks of a client.
pub mod client;
// Output: lines, JSON, JUnit.
pub mod report;
