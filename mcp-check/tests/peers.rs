//! What the checker finds on servers and clients that stand on the official SDKs.
//!
//! `peers/install` installs them. Without them every test here is skipped and says so;
//! with `MCP_PEERS=1` a missing one is a failure. No limit is needed: the checker has
//! its own.

mod common;

use common::{broken, report};
use std::{
    env, fs,
    panic::catch_unwind,
    path::PathBuf,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

struct Peer {
    name: &'static str,
    stage: &'static str,
    /// The list that it was installed from, and the folder that it is in.
    from: (&'static str, &'static str),
    /// Words with a `/` are paths below `peers/`.
    command: &'static [&'static str],
    broken: &'static [&'static str],
}

const NPM: (&str, &str) = ("package-lock.json", "node_modules");
const PYTHON: (&str, &str) = ("requirements.txt", "venv");
const RUST: (&str, &str) = ("rmcp/Cargo.lock", "target");
const NODE: &str = "node_modules/.bin/node";

const PEERS: [Peer; 10] = [
    Peer {
        name: "server_typescript_1",
        stage: "3",
        from: NPM,
        command: &[NODE, "ts1/server.mjs"],
        broken: &[
            "warn gate",
            "warn id-wide",
            "fail unknown-tool",
            "warn gate-kept",
            "warn junk-answered",
            "warn params-array-answered",
        ],
    },
    Peer {
        name: "server_typescript_2",
        stage: "3",
        from: NPM,
        command: &[NODE, "ts2/server.mjs"],
        broken: &[
            "warn gate",
            "warn id-wide",
            "warn gate-kept",
            "warn junk-answered",
            "warn params-array-answered",
        ],
    },
    Peer {
        name: "server_python",
        stage: "3",
        from: PYTHON,
        command: &["venv/bin/python", "py/server.py"],
        broken: &[
            "warn gate",
            "fail unknown-tool",
            "warn gate-kept",
            "warn junk-answered",
            "warn params-array-answered",
            "fail eof-answers",
        ],
    },
    Peer {
        name: "server_rmcp",
        stage: "3",
        from: RUST,
        command: &["target/debug/rmcp-server"],
        broken: &[
            "warn gate",
            "warn gate-kept",
            "warn notification-malformed",
            "warn junk-answered",
            "warn params-array-answered",
        ],
    },
    Peer {
        name: "server_everything",
        stage: "3",
        from: NPM,
        command: &[
            NODE,
            "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
            "stdio",
        ],
        broken: &[
            "warn gate",
            "warn id-wide",
            "fail unknown-tool",
            "warn gate-kept",
            "warn junk-answered",
            "warn params-array-answered",
        ],
    },
    Peer {
        name: "server_filesystem",
        stage: "3",
        from: NPM,
        command: &[
            NODE,
            "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
            "ts1/",
        ],
        broken: &[
            "warn gate",
            "warn id-wide",
            "fail unknown-tool",
            "warn gate-kept",
            "warn junk-answered",
            "warn params-array-answered",
        ],
    },
    Peer {
        name: "client_typescript_1",
        stage: "4",
        from: NPM,
        command: &[NODE, "ts1/client.mjs"],
        broken: &["fail undeclared-tools", "fail silent-server"],
    },
    Peer {
        name: "client_typescript_2",
        stage: "4",
        from: NPM,
        command: &[NODE, "ts2/client.mjs"],
        broken: &["fail undeclared-tools", "fail silent-server"],
    },
    Peer {
        name: "client_python",
        stage: "4",
        from: PYTHON,
        command: &["venv/bin/python", "py/client.py"],
        broken: &["fail undeclared-tools", "fail silent-server"],
    },
    Peer {
        name: "client_rmcp",
        stage: "4",
        from: RUST,
        command: &["target/debug/rmcp-client"],
        broken: &[
            "fail undeclared-tools",
            "warn version-refused",
            "warn stray-answer",
            "fail silent-server",
        ],
    },
];

fn path(below: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../peers")).join(below)
}

impl Peer {
    /// Why it cannot be tested, if it cannot.
    fn missing(&self) -> Option<String> {
        let (list, folder) = self.from;
        let wanted = fs::read(path(list)).expect("the list is in the repository");
        match fs::read(path(folder).join(".installed-from")) {
            Ok(list) if list == wanted => None,
            Ok(_) => Some(format!("peers/{folder} holds other versions")),
            Err(_) => Some(format!("peers/{folder} is not there")),
        }
    }

    fn test(&self) {
        let word = |word: &&str| match word.contains('/') {
            true => path(word).display().to_string(),
            false => (*word).to_owned(),
        };
        let words: Vec<_> = self.command.iter().map(word).collect();
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        // Python needs seconds to start on a busy machine, and a client run is one wait.
        let timeout = if self.name == "client_python" { "45" } else { "20" };
        let options = ["--stage", self.stage, "--timeout", timeout];
        assert_eq!(self.broken, broken(&report(&options, &words)), "{}", self.name);
    }
}

static FAILED: AtomicUsize = AtomicUsize::new(0);
static SKIPPED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs one; the tests of a panic are printed by the hook.
fn run(peer: &Peer) {
    let name = peer.name;
    if let Some(reason) = peer.missing() {
        // CI sets it after it has installed them.
        if env::var_os("MCP_PEERS").is_some_and(|value| value != "0") {
            println!("test {name} ... FAILED: MCP_PEERS is set, and {reason}");
            FAILED.fetch_add(1, Ordering::Relaxed);
        } else {
            println!("test {name} ... skipped");
            SKIPPED.lock().expect("no panic").push(reason);
        }
    } else if catch_unwind(|| peer.test()).is_ok() {
        println!("test {name} ... ok");
    } else {
        println!("test {name} ... FAILED");
        FAILED.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() -> ExitCode {
    // As libtest has it: words that a name must contain; options are accepted.
    let words: Vec<_> = env::args().skip(1).collect();
    let filters: Vec<_> = words.iter().filter(|it| !it.starts_with('-')).collect();
    let fits = |peer: &&Peer| {
        filters.is_empty() || filters.iter().any(|it| peer.name.contains(it.as_str()))
    };
    let chosen: Vec<_> = PEERS.iter().filter(fits).collect();
    if words.iter().any(|word| word == "--list") {
        chosen.iter().for_each(|peer| println!("{}: test", peer.name));
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests with official peers", chosen.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(peer) = chosen.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    run(peer);
                }
            });
        }
    });
    let failed = FAILED.load(Ordering::Relaxed);
    let mut skipped = SKIPPED.lock().expect("no panic").clone();
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {failed} failed; {} skipped", skipped.len());
    skipped.sort();
    skipped.dedup();
    for reason in skipped {
        println!("skipped: {reason}. To get it: peers/install");
    }
    println!();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
