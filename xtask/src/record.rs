//! The recordings under `book/src/recordings`: the bytes between a client and a server
//! in a real run, for the book's frame player.

mod cut;
mod drive;
mod follow;
pub mod relay;

use crate::{files, say::say};
use anyhow::{Context, Result, ensure};
use drive::Line;
use follow::Step;
use mcp_from_scratch::frame::Framing;
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// One run.
struct Run {
    name: &'static str,
    framing: Framing,
    client: Client,
    /// The server's program and arguments.
    server: &'static [&'static str],
}

enum Client {
    /// A stage, with its arguments before `--` and the server.
    Stage(&'static [&'static str]),
    /// The messages that a transcript shows as sent.
    Transcript(&'static str),
    /// A script under `book/scripts`.
    Script(&'static str),
}

const CALL: &str = r#"{"text":"hello from MCP"}"#;
const ECHO: &[&str] = &["03-echo-server"];

const RUNS: [Run; 8] = [
    Run {
        name: "03-newline",
        framing: Framing::Newline,
        client: Client::Transcript("chapters/03-echo-server/transcript.txt"),
        server: ECHO,
    },
    Run {
        name: "04-content-length",
        framing: Framing::ContentLength,
        client: Client::Stage(&["04-client-lifecycle", "--call", "echo", CALL]),
        server: &["04-client-lifecycle", "--serve"],
    },
    Run {
        name: "05-content-length",
        framing: Framing::ContentLength,
        client: Client::Stage(&["05-registry-bridge"]),
        server: &["05-registry-bridge", "--serve"],
    },
    Run {
        name: "06-content-length",
        framing: Framing::ContentLength,
        client: Client::Stage(&["06-full-demo"]),
        server: &["06-full-demo", "--serve"],
    },
    Run {
        name: "nihao",
        framing: Framing::ContentLength,
        client: Client::Script("nihao.jsonl"),
        server: ECHO,
    },
    Run {
        name: "07-early-call",
        framing: Framing::Newline,
        client: Client::Script("early-call.jsonl"),
        server: ECHO,
    },
    Run {
        name: "07-frame-boundary",
        framing: Framing::ContentLength,
        client: Client::Script("frame-boundary.jsonl"),
        server: ECHO,
    },
    Run {
        name: "07-id-mismatch",
        framing: Framing::Newline,
        client: Client::Script("id-mismatch.jsonl"),
        server: &["07-failure-lab", "--serve", "overtaking"],
    },
];

/// The file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Recording {
    /// The programs at both ends; or the file whose messages were played.
    client: String,
    server: String,
    framing: String,
    steps: Vec<Step>,
}

/// Runs everything and rewrites what has changed; with `check` fails if something has.
/// Times always change, and do not count.
pub fn record(root: &Path, check: bool) -> Result<()> {
    let programs = build(root)?;
    let folder = root.join("book/src/recordings");
    let mut stale = Vec::new();
    for run in &RUNS {
        let recording = run
            .record(root, &programs)
            .with_context(|| format!("cannot record {}", run.name))?;
        let path = folder.join(run.name).with_extension("json");
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        let there = serde_json::from_str(&there).ok();
        if there.map(without_times) == Some(without_times(recording.clone())) {
            continue;
        }
        stale.push(run.name);
        if !check {
            files::write(&path, &to_text(&recording)?)?;
        }
    }
    for file in files::below(&folder)? {
        let known = RUNS.iter().any(|run| format!("{}.json", run.name) == file);
        ensure!(known, "book/src/recordings/{file} belongs to no run");
    }
    ensure!(
        !check || stale.is_empty(),
        "stale in book/src/recordings: {}; `cargo xtask record` rewrites them",
        stale.join(", ")
    );
    match stale.len() {
        0 => say(format_args!("{} recordings are up to date", RUNS.len())),
        changed => say(format_args!("{changed} of {} recordings written", RUNS.len())),
    }
}

fn without_times(mut recording: Recording) -> Recording {
    recording.steps.iter_mut().for_each(|step| step.passed.ms = 0);
    recording
}

/// One line per step. The text is safe inside a script element of a Markdown page: it
/// has no `<`, no blank line, and nothing that mdBook would expand.
fn to_text(recording: &Recording) -> Result<String> {
    let head =
        serde_json::to_string(&Recording { steps: Vec::new(), ..recording.clone() })?;
    let head = head.strip_suffix("]}").context("`steps` is not the last member")?;
    let steps: Result<Vec<_>, _> =
        recording.steps.iter().map(serde_json::to_string).collect();
    let text = format!("{head}\n{}\n]}}\n", steps?.join(",\n"));
    Ok(text.replace('<', "\\u003c").replace("{{", "\\u007b{"))
}

/// Builds the stages; returns their folder, which is also this program's.
fn build(root: &Path) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--bins"]).current_dir(root);
    ensure!(cargo.status()?.success(), "the stages do not compile");
    let me = std::env::current_exe()?;
    Ok(me.parent().context("no folder")?.to_owned())
}

impl Run {
    fn record(&self, root: &Path, programs: &Path) -> Result<Recording> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("log");
        let relay = self.relay(programs, &log)?;
        match self.client {
            Client::Stage(words) => self.run_stage(words, programs, &relay)?,
            Client::Transcript(path) => {
                let lines = drive::sent(&files::read(&root.join(path))?);
                self.play(&relay, &lines)?;
            }
            Client::Script(name) => {
                let script = files::read(&root.join("book/scripts").join(name))?;
                self.play(&relay, &drive::script(&script)?)?;
            }
        }
        let passed = cut::cut(&relay::read(&log)?, self.framing)?;
        Ok(Recording {
            client: self.client.name(),
            server: self.server.join(" "),
            framing: self.framing.to_string(),
            steps: follow::follow(passed),
        })
    }

    /// The command that runs the server behind a relay.
    fn relay(&self, programs: &Path, log: &Path) -> Result<Vec<String>> {
        let (name, args) = self.server.split_first().context("no server")?;
        let text = |path: &Path| path.to_str().map(str::to_owned).context("no text");
        let mut relay = vec![text(&std::env::current_exe()?)?, "relay".into()];
        relay.extend([text(log)?, "--".into(), text(&programs.join(name))?]);
        relay.extend(args.iter().map(|arg| (*arg).to_owned()));
        Ok(relay)
    }

    fn run_stage(
        &self,
        words: &[&str],
        programs: &Path,
        relay: &[String],
    ) -> Result<()> {
        let (stage, args) = words.split_first().context("no stage")?;
        let output = Command::new(programs.join(stage))
            .args(args)
            .args(["--framing", &self.framing.to_string(), "--"])
            .args(relay)
            .stdin(Stdio::null())
            .output()?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{stage} failed: {error}");
        Ok(())
    }

    fn play(&self, relay: &[String], lines: &[Line]) -> Result<()> {
        let (program, args) = relay.split_first().context("no relay")?;
        drive::play(Command::new(program).args(args), self.framing, lines)
    }
}

impl Client {
    fn name(&self) -> String {
        match self {
            Self::Stage(words) => words.first().copied().unwrap_or_default().into(),
            Self::Transcript(path) => (*path).into(),
            Self::Script(name) => format!("book/scripts/{name}"),
        }
    }
}

#[cfg(test)]
mod tests;
