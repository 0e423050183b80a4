//! One run of the client, with a server that follows a script.

use super::Client;
use crate::{
    message::Message,
    process::{Chunk, Process},
    rule::{Problem, quoted},
    script::{
        Role, Script,
        record::{Record, Recorder},
    },
};
use serde_json::Value;
use std::{
    process::ExitStatus,
    time::{Duration, Instant},
};

/// How much of its output is kept, in bytes.
const MAX_KEPT: usize = 1024 * 1024;
/// How long a server may outlive its client.
const SERVER_GRACE: Duration = Duration::from_secs(2);

pub struct Run {
    /// The record of the first server to which the client sent anything.
    pub record: Record,
    /// How many servers the client started.
    pub servers: usize,
    /// `None`: it did not exit.
    pub status: Option<ExitStatus>,
    pub took: Duration,
    pub stdout: Vec<u8>,
    /// `; stderr: …`, or nothing.
    pub stderr: String,
    /// A server still ran after the client's exit.
    pub left_server: bool,
}

impl Run {
    pub fn of(client: &Client, script: Script) -> Result<Self, Problem> {
        let recorder = Recorder::start().map_err(|error| {
            Problem::Skipped(format!("cannot record on loopback: {error}"))
        })?;
        let role = Role { script, framing: client.framing, recorder: recorder.address };
        let mut server = vec![client.server.clone()];
        server.extend(role.words());
        let start = Instant::now();
        let mut process = Process::start(&with_server(&client.command, &server))
            .map_err(Problem::NotStarted)?;
        process.close_input();
        process.start_reading();
        let deadline = start + client.timeout;
        let stdout = read(&process, deadline);
        let status = process.exit(deadline);
        let took = start.elapsed();
        let recording = recorder.stop();
        let left_server = status.is_some() && !recording.all_exit_within(SERVER_GRACE);
        let stderr = process.stderr_text();
        drop(process);
        let (servers, record) = recording.finish();
        Ok(Self { record, servers, status, took, stdout, stderr, left_server })
    }

    /// What the client sent, in order.
    pub fn received(&self) -> impl Iterator<Item = &Message> {
        self.record.messages.iter().filter(|it| it.is_received).map(|it| &it.message)
    }

    pub fn requests(&self) -> impl Iterator<Item = &Message> {
        self.received().filter(|it| it.is_request())
    }

    /// The first request with this method.
    pub fn request(&self, method: &str) -> Option<&Message> {
        self.requests().find(|it| it.has_method(method))
    }

    /// Its response to the server's request with this id.
    pub fn response(&self, id: &Value) -> Option<&Message> {
        self.received().find(|it| it.is_response() && it.json["id"] == *id)
    }

    /// The methods that it used, and its exit, on one line.
    pub fn summary(&self) -> String {
        let methods = self.received().filter_map(|it| it.json["method"].as_str());
        // A client may ping as often as it likes.
        let mut methods: Vec<_> = methods.filter(|method| *method != "ping").collect();
        methods.dedup();
        quoted(format!("{}; {}", methods.join(", "), self.exit()).as_bytes())
    }

    pub fn exit(&self) -> String {
        match self.status {
            Some(status) => status.to_string(),
            None => format!("it still runs after {:.1} s", self.took.as_secs_f64()),
        }
    }
}

fn read(process: &Process, deadline: Instant) -> Vec<u8> {
    let mut stdout = Vec::new();
    // Endless output is read, not kept.
    while Instant::now() < deadline {
        match process.receive(deadline) {
            Chunk::Bytes(bytes) if stdout.len() < MAX_KEPT => stdout.extend(bytes),
            Chunk::Bytes(_) => {}
            Chunk::End | Chunk::Timeout => break,
        }
    }
    stdout.truncate(MAX_KEPT);
    stdout
}

/// The word `{server}` becomes the server's words; inside a longer word they are quoted
/// for a shell. Without it they are added at the end.
fn with_server(command: &[String], server: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for word in command {
        match word.as_str() {
            "{server}" => words.extend_from_slice(server),
            word => words.push(word.replace("{server}", &shell_words(server))),
        }
    }
    if !command.iter().any(|word| word.contains("{server}")) {
        words.extend_from_slice(server);
    }
    words
}

fn shell_words(words: &[String]) -> String {
    let quote = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}
