//! Clients, servers and tools in one process: tasks, streams, deadlines, whole paths;
//! and the texts of the pure core. Its rules are tested by the graders, which run on
//! the course's own modules: `cargo test -p exercises --features reference`.

#[path = "../common/mod.rs"]
mod common;

mod agent;
mod bridge;
mod client;
mod fake_transport;
mod frame;
mod frame_properties;
mod jsonrpc;
mod jsonrpc_properties;
mod lifecycle;
mod local_tools;
mod outcomes;
mod registry;
mod server;
mod server_properties;
mod session;
mod stream_properties;
mod tap;
mod tool;
mod transcript;
mod transport;
mod two_tools;
