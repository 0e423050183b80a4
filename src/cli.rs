//! What the stage programs share. The modules above do not depend on the command line.

// Which server a stage connects to, and how.
pub mod client;
// The runtime, and the echo server.
pub mod echo;
// The output and the exit code.
pub mod output;
