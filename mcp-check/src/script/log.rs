//! What a scripted server writes down: one line of JSON for each event.

use serde_json::{Value, json};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
    time::Instant,
};

const EVENTS: &str = "events";

pub struct Log {
    events: File,
    raw: File,
    start: Instant,
}

impl Log {
    pub fn open(folder: &Path) -> io::Result<Self> {
        let append =
            |path: PathBuf| OpenOptions::new().create(true).append(true).open(path);
        Ok(Self {
            events: append(folder.join(EVENTS))?,
            raw: append(raw_file(folder, process::id()))?,
            start: Instant::now(),
        })
    }

    pub fn event(&mut self, what: &str, text: &str) -> io::Result<()> {
        let ms = self.start.elapsed().as_millis() as u64;
        let event =
            json!({ "pid": process::id(), "ms": ms, "what": what, "text": text });
        // One write for a line, since another server may write to the same file.
        self.events.write_all(format!("{event}\n").as_bytes())
    }

    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.raw.write_all(bytes)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Received,
    Sent,
    /// The end of its input.
    End,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub what: What,
    pub text: String,
    /// Null if it was no JSON.
    pub json: Value,
}

/// What one scripted server saw.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub events: Vec<Event>,
    /// All bytes of its stdin.
    pub raw: Vec<u8>,
    /// All scripted servers that were started.
    pub processes: Vec<u32>,
}

/// Reads a folder back: the first server that received anything.
pub fn read(folder: &Path) -> Seen {
    let text = fs::read_to_string(folder.join(EVENTS)).unwrap_or_default();
    let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
    let lines: Vec<Value> = lines.collect();
    let pid = |line: &Value| line["pid"].as_u64().and_then(|it| u32::try_from(it).ok());
    let mut processes: Vec<_> = lines.iter().filter_map(pid).collect();
    processes.sort_unstable();
    processes.dedup();
    let first = lines.iter().find(|line| line["what"] == "received").and_then(pid);
    let events = lines.iter().filter(|line| pid(line) == first).filter_map(event);
    let raw = first.and_then(|first| fs::read(raw_file(folder, first)).ok());
    Seen { events: events.collect(), raw: raw.unwrap_or_default(), processes }
}

fn event(line: &Value) -> Option<Event> {
    let what = match line["what"].as_str()? {
        "received" => What::Received,
        "sent" => What::Sent,
        "end" => What::End,
        _ => return None,
    };
    let text = line["text"].as_str()?.to_owned();
    let json = serde_json::from_str(&text).unwrap_or_default();
    Some(Event { what, text, json })
}

fn raw_file(folder: &Path, process: u32) -> PathBuf {
    folder.join(format!("raw-{process}"))
}
