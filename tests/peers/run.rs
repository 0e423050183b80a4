//! Runs another program to its exit.

use serde_json::Value;
use std::{
    io::Read,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Less than the limit of a test.
const LIMIT: Duration = Duration::from_secs(100);

#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    /// Its lines on stdout that are JSON.
    pub lines: Vec<Value>,
    /// For the message of a failed test.
    #[allow(dead_code)]
    pub stderr: String,
}

/// Runs it without input. A program that does not exit is killed.
pub fn run(command: &[String]) -> Ended {
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let stdout = reader(child.stdout.take().expect("piped"));
    let stderr = reader(child.stderr.take().expect("piped"));
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("our child") {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                child.kill().expect("our child");
                break child.wait().expect("our child");
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    let join = |reader: thread::JoinHandle<String>| reader.join().expect("no panic");
    let lines = join(stdout);
    let lines = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
    Ended { code: status.code(), lines: lines.collect(), stderr: join(stderr) }
}

fn reader(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).expect("a pipe");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
