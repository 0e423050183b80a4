//! The stages as programs: what they print, what they reject, and how they end.

#[path = "../common/mod.rs"]
mod common;

mod every;
mod s03_echo_server;
#[cfg(unix)]
mod s03_streams;
mod s04_client_lifecycle;
mod s05_registry_bridge;
mod s06_full_demo;
mod s07_failure_lab;
