//! One run of the client, with a server that follows a script.

use super::Client;
use crate::{
    process::{Chunk, Process, has_ended, kill_one},
    rule::{Problem, quoted},
    script::{
        Order, Script,
        log::{self, Event, Seen, What},
    },
};
use serde_json::Value;
use std::{
    process::ExitStatus,
    thread::sleep,
    time::{Duration, Instant},
};

/// How much of its output is kept, in bytes.
const MAX_KEPT: usize = 1024 * 1024;
/// How long what the client started may outlive it.
const AFTERLIFE: Duration = Duration::from_secs(2);

pub struct Run {
    pub seen: Seen,
    /// `None`: it did not end by itself.
    pub status: Option<ExitStatus>,
    pub took: Duration,
    pub stdout: Vec<u8>,
    stderr: Vec<u8>,
    /// A server of ours was still there after the client's end.
    pub left: bool,
}

impl Run {
    pub fn of(client: &Client, script: Script) -> Result<Self, Problem> {
        let folder = tempfile::tempdir().map_err(|error| {
            Problem::Skipped(format!("no folder for a log: {error}"))
        })?;
        let order = Order {
            script,
            folder: folder.path().into(),
            framing: client.framing,
            lifetime: client.patience + 4 * AFTERLIFE,
        };
        let mut server = vec![client.me.clone()];
        server.extend(order.words());
        let start = Instant::now();
        let mut process = Process::start(&with_server(&client.command, &server))
            .map_err(|error| Problem::NotStarted(error.to_string()))?;
        process.close_input();
        process.listen();
        let deadline = start + client.patience;
        let mut stdout = read(&process, deadline);
        let status = process.exit(deadline);
        let took = start.elapsed();
        stdout.truncate(MAX_KEPT);
        let stderr = process.stderr();
        let left = status.is_some() && is_left(folder.path());
        drop(process);
        let seen = log::read(folder.path());
        // Ours, by the number that they wrote down themselves.
        seen.processes
            .iter()
            .filter(|it| !has_ended(**it))
            .for_each(|it| kill_one(*it));
        Ok(Self { seen, status, took, stdout, stderr, left })
    }

    /// What the client sent, in order.
    pub fn received(&self) -> impl Iterator<Item = &Event> {
        self.seen.events.iter().filter(|event| event.what == What::Received)
    }

    /// What it sent that has a method and an id.
    pub fn requests(&self) -> impl Iterator<Item = &Event> {
        self.received().filter(|it| is_request(&it.json))
    }

    /// Its answer to our request of that id.
    pub fn answer(&self, id: &Value) -> Option<&Event> {
        self.received()
            .find(|it| it.json.get("method").is_none() && it.json["id"] == *id)
    }

    pub fn has_asked(&self, method: &str) -> bool {
        self.requests().any(|it| it.json["method"] == method)
    }

    /// The methods that it used, and its end, on one line.
    pub fn course(&self) -> String {
        let mut methods: Vec<_> =
            self.received().filter_map(|it| it.json["method"].as_str()).collect();
        // What came once may come again: a client may ping as often as it likes.
        methods.retain(|method| *method != "ping");
        methods.dedup();
        let end = self.end();
        quoted(format!("{}; {end}", methods.join(", ")).as_bytes())
    }

    pub fn end(&self) -> String {
        match self.status {
            Some(status) => status.to_string(),
            None => format!("it still runs after {:.1} s", self.took.as_secs_f64()),
        }
    }

    /// `; stderr: …`, or nothing.
    pub fn stderr(&self) -> String {
        let start = self.stderr.len().saturating_sub(300);
        match self.stderr[start..].trim_ascii() {
            b"" => String::new(),
            tail => format!("; stderr: {}", quoted(tail)),
        }
    }
}

pub fn is_request(json: &Value) -> bool {
    json["method"].is_string() && !json["id"].is_null()
}

fn read(process: &Process, deadline: Instant) -> Vec<u8> {
    let mut stdout = Vec::new();
    // Endless output is taken, not kept.
    while Instant::now() < deadline {
        match process.receive(deadline) {
            Chunk::Bytes(bytes) if stdout.len() < MAX_KEPT => stdout.extend(bytes),
            Chunk::Bytes(_) => {}
            Chunk::End | Chunk::Late => break,
        }
    }
    stdout
}

fn is_left(folder: &std::path::Path) -> bool {
    let deadline = Instant::now() + AFTERLIFE;
    loop {
        let lives = log::read(folder).processes.into_iter().any(|it| !has_ended(it));
        if !lives || Instant::now() >= deadline {
            return lives;
        }
        sleep(Duration::from_millis(20));
    }
}

/// `{server}` as a word becomes the server's words, inside a word one quoted text; if
/// it is nowhere, the words go to the end.
fn with_server(command: &[String], server: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    let mut found = false;
    for word in command {
        found |= word.contains("{server}");
        match word.as_str() {
            "{server}" => words.extend_from_slice(server),
            word => words.push(word.replace("{server}", &shell_words(server))),
        }
    }
    if !found {
        words.extend_from_slice(server);
    }
    words
}

fn shell_words(words: &[String]) -> String {
    let quote = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}
