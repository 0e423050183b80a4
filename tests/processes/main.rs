//! A client with real children: shell scripts that die, hang, shout and fork.
#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

mod script;

mod big;
mod death;
#[cfg(target_os = "linux")]
mod group;
mod shutdown;
mod start;
mod stderr;
