//! The recordings under `book/src/recordings`: the bytes between a client and a server
//! in a real run, for the book's frame player.

mod cut;
mod drive;
mod follow;

use crate::{files, say::say};
use anyhow::{Context, Result, ensure};
use follow::Step;
use mcp_from_scratch::frame::Framing;
use serde::{Deserialize, Serialize};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// One run.
struct Run {
    name: &'static str,
    framing: Framing,
    /// Whose messages are played: a stage's, taken from its transcript, or a script's,
    /// from `book/scripts`.
    client: &'static str,
    /// The server's program and arguments.
    server: &'static [&'static str],
}

const RUNS: [Run; 8] = {
    use Framing::{ContentLength, Newline};
    const ECHO: &[&str] = &["03-echo-server"];
    const STAGE_04: &[&str] = &["04-client-lifecycle", "--serve"];
    const STAGE_05: &[&str] = &["05-registry-bridge", "--serve"];
    const STAGE_06: &[&str] = &["06-full-demo", "--serve"];
    const OVERTAKING: &[&str] = &["07-failure-lab", "--serve", "overtaking"];
    [
        run("03-newline", Newline, "03-echo-server", ECHO),
        run("04-content-length", ContentLength, "04-client-lifecycle", STAGE_04),
        run("05-content-length", ContentLength, "05-registry-bridge", STAGE_05),
        run("06-content-length", ContentLength, "06-full-demo", STAGE_06),
        run("nihao", ContentLength, "nihao.jsonl", ECHO),
        run("07-early-call", Newline, "early-call.jsonl", ECHO),
        run("07-frame-boundary", ContentLength, "frame-boundary.jsonl", ECHO),
        run("07-id-mismatch", Newline, "id-mismatch.jsonl", OVERTAKING),
    ]
};

const fn run(
    name: &'static str,
    framing: Framing,
    client: &'static str,
    server: &'static [&'static str],
) -> Run {
    Run { name, framing, client, server }
}

/// The file of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Recording {
    /// The stage that sent the messages, or the script they are from.
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
        let Self { framing, client, .. } = *self;
        let (client, lines) = if client.ends_with(".jsonl") {
            let path = format!("book/scripts/{client}");
            let lines = drive::script(&files::read(&root.join(&path))?)?;
            (path, lines)
        } else {
            let path = format!("chapters/{client}/transcript.txt");
            (client.into(), drive::sent(&files::read(&root.join(path))?))
        };
        let (server, arguments) = self.server.split_first().context("no server")?;
        let mut command = Command::new(programs.join(server));
        let passed = drive::play(command.args(arguments), framing, &lines)?;
        Ok(Recording {
            client,
            server: self.server.join(" "),
            framing: framing.to_string(),
            steps: follow::follow(passed),
        })
    }
}

#[cfg(test)]
mod tests;
