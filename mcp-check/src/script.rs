//! The server that a client under test talks to. It follows a script, and writes down
//! what it receives in a folder, where the checks read it afterwards.
//!
//! The client starts it: the checker's own program, with [`WORD`] as first argument.

mod answers;
pub mod log;
mod serve;

pub use serve::serve;

use mcp_from_scratch::frame::Framing;
use std::{path::PathBuf, time::Duration};

/// The first argument that makes the program a scripted server.
pub const WORD: &str = "serve-script";

/// What the server does, beside answering as it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Script {
    /// Answers `initialize` after a while, all else at once.
    Plain,
    /// Answers calls that are in flight together, in their order.
    Ordered,
    /// The same, the last one first.
    Reversed,
    /// Text that is no message on its stdout.
    Noise,
    /// Notifications before its answers.
    Notifications,
    /// Asks, before it answers `tools/list`.
    Asks,
    /// Answers to requests that nobody made.
    Stray,
    /// Speaks 1999-01-01 only.
    OldVersion,
    /// Declares no tools.
    NoTools,
    /// Dies of the first `tools/list` or `tools/call`.
    DiesAtList,
    DiesAtCall,
    /// Never answers these.
    SilentAtInitialize,
    SilentAtList,
    SilentAtCall,
    /// Stays after the end of input.
    Stays,
}

impl Script {
    pub const ALL: [(&str, Self); 15] = [
        ("plain", Self::Plain),
        ("ordered", Self::Ordered),
        ("reversed", Self::Reversed),
        ("noise", Self::Noise),
        ("notifications", Self::Notifications),
        ("asks", Self::Asks),
        ("stray", Self::Stray),
        ("old-version", Self::OldVersion),
        ("no-tools", Self::NoTools),
        ("dies-at-list", Self::DiesAtList),
        ("dies-at-call", Self::DiesAtCall),
        ("silent-at-initialize", Self::SilentAtInitialize),
        ("silent-at-list", Self::SilentAtList),
        ("silent-at-call", Self::SilentAtCall),
        ("stays", Self::Stays),
    ];

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }
}

/// What a scripted server is told on its command line.
pub struct Order {
    pub script: Script,
    pub folder: PathBuf,
    pub framing: Framing,
    /// It ends after this, whatever happens.
    pub lifetime: Duration,
}

impl Order {
    /// The arguments, after the program's name.
    pub fn words(&self) -> Vec<String> {
        vec![
            WORD.into(),
            self.script.name().into(),
            self.folder.display().to_string(),
            self.framing.to_string(),
            self.lifetime.as_secs().to_string(),
        ]
    }

    /// What [`Order::words`] wrote, without [`WORD`].
    pub fn read(words: &[String]) -> Option<Self> {
        let [script, folder, framing, lifetime] = words else { return None };
        Some(Self {
            script: Script::ALL.iter().find(|it| it.0 == script)?.1,
            folder: folder.into(),
            framing: framing.parse().ok()?,
            lifetime: Duration::from_secs(lifetime.parse().ok()?),
        })
    }
}
