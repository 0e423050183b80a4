//! Judges MCP servers and clients from outside, by what they write.
//!
//! The program under test may be in any language. It is started afresh for each check
//! that needs it so, and it is judged by the bytes on the wire and by how it ends.

// Who is judged by what: levels, rules, failures.
pub mod rule;
// A program under test: its own group, its pipes, its end.
pub mod process;
// A conversation with a server, byte by byte.
pub mod wire;
// Whether a stream holds messages and nothing else.
pub mod clean;
// Stage 3: the checks of a server.
pub mod server;
// The server that a client under test talks to, and what it writes down.
pub mod script;
// Stage 4: the checks of a client.
pub mod client;
// What is printed: lines, JSON, JUnit.
pub mod report;
