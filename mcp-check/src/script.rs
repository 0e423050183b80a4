//! The server that a client under test starts. It follows a script and records what it
//! receives, over a TCP connection to the checker.
//!
//! It is the checker's own program, with [`WORD`] as first argument.

pub mod record;
mod responses;
mod serve;

pub use serve::serve;

use clap::ValueEnum;
use mcp_from_scratch::frame::Framing;
use std::net::SocketAddr;

/// The first argument that makes the program a scripted server.
pub const WORD: &str = "serve-script";

/// What the server does in addition to correct responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, ValueEnum)]
pub enum Script {
    /// Delays the response to `initialize`.
    Plain,
    /// Collects calls that overlap, and responds in their order.
    Ordered,
    /// The same, in the reverse order.
    Reversed,
    /// Writes text that is not a message to stdout.
    Noise,
    /// Sends notifications before its responses.
    Notifications,
    /// Sends requests before its response to `tools/list`.
    Requests,
    /// Sends responses to unknown ids.
    Stray,
    /// Supports only 1999-01-01.
    OldVersion,
    /// Declares no tools.
    NoTools,
    /// Dies of the first `tools/list` or `tools/call`.
    DiesAtList,
    DiesAtCall,
    /// Never responds to these.
    SilentAtInitialize,
    SilentAtList,
    SilentAtCall,
    /// Runs on after the end of input.
    Stays,
}

/// A scripted server's command line.
pub struct Role {
    pub script: Script,
    pub framing: Framing,
    /// Where the checker listens for its record.
    pub recorder: SocketAddr,
}

impl Role {
    /// The arguments, after the program's name.
    pub fn words(&self) -> Vec<String> {
        let script = self.script.to_possible_value();
        let script = script.map_or_else(String::new, |it| it.get_name().to_owned());
        vec![WORD.into(), script, self.framing.to_string(), self.recorder.to_string()]
    }

    /// Reads [`Role::words`] without [`WORD`].
    pub fn parse(words: &[String]) -> Option<Self> {
        let [script, framing, recorder] = words else { return None };
        Some(Self {
            script: Script::from_str(script, false).ok()?,
            framing: framing.parse().ok()?,
            recorder: recorder.parse().ok()?,
        })
    }
}
