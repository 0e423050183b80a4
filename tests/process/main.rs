//! A client with real children: shell scripts that die, hang, shout and fork.
#![cfg(unix)]

#[path = "../common/limit.rs"]
mod limit;
#[cfg(target_os = "linux")]
#[path = "../common/marks.rs"]
mod marks;
#[path = "../common/notes.rs"]
mod notes;
#[cfg(target_os = "linux")]
#[path = "../common/processes.rs"]
mod processes;
mod script;

mod big;
mod death;
#[cfg(target_os = "linux")]
mod group;
#[cfg(target_os = "linux")]
mod nothing_left;
mod shutdown;
mod start;
mod stderr;
