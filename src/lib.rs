//! MCP from scratch: how an agent gets its tools from other processes, every byte on
//! the wire written by hand.
//!
//! The modules stand in the order of the chapters that build them. Each uses only what
//! stands above it.

// Chapter 1: messages
pub mod transcript;
pub mod console;
pub mod jsonrpc;
// Chapter 2: frames
pub mod frame;
// Chapter 3: a server
pub mod protocol;
pub mod transport;
pub mod tool;
pub mod server;
pub mod stage;
// Chapter 4: a client
pub mod lifecycle;
pub mod pending;
pub mod process;
pub mod client;
// Chapter 5: the bridge
pub mod registry;
pub mod local_tools;
pub mod bridge;
// Chapter 6: the agent
pub mod agent;
