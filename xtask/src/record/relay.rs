//! Stands between a client and its server, forwards every byte as it came, and keeps
//! an account of which bytes went by and when.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    path::Path,
    process::{Command, ExitCode, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Instant,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Client,
    Server,
}

/// One line of the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    pub from: Side,
    /// Milliseconds since the relay was started.
    pub ms: u64,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// What one read gave.
    Bytes(Vec<u8>),
    /// Its output ended.
    End,
    /// The server's process ended.
    Exit(String),
}

#[derive(Clone)]
struct Account {
    file: Arc<Mutex<File>>,
    start: Instant,
}

impl Account {
    fn add(&self, from: Side, what: What) -> Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let ms = self.start.elapsed().as_millis().try_into().unwrap_or(u64::MAX);
        let line = serde_json::to_string(&Seen { from, ms, what })? + "\n";
        file.write_all(line.as_bytes()).context("cannot write the account")
    }
}

/// Runs the server between our stdin and stdout, until it ends; with its exit code.
pub fn run(account: &Path, command: &[String]) -> Result<ExitCode> {
    let file = OpenOptions::new().create(true).append(true).open(account);
    let file = file.with_context(|| format!("cannot open {}", account.display()))?;
    let account = Account { file: Arc::new(Mutex::new(file)), start: Instant::now() };
    let (program, args) = command.split_first().context("no server is named")?;
    let mut server = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let to_server = server.stdin.take().context("no stdin")?;
    let from_server = server.stdout.take().context("no stdout")?;
    let there = account.clone();
    // It waits for the client, which may outlive the server, so nobody waits for it.
    thread::spawn(move || forward(std::io::stdin(), to_server, Side::Client, &there));
    forward(from_server, std::io::stdout(), Side::Server, &account)?;
    let status = server.wait()?;
    account.add(Side::Server, What::Exit(status.to_string()))?;
    Ok(code(status))
}

fn code(status: ExitStatus) -> ExitCode {
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(1))
}

/// Notes a chunk before it passes it on, so that an answer never stands before its
/// question. Closes the receiving end when there is no more.
fn forward(
    mut from: impl Read,
    mut to: impl Write,
    side: Side,
    account: &Account,
) -> Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let count = from.read(&mut chunk)?;
        if count == 0 {
            return account.add(side, What::End);
        }
        account.add(side, What::Bytes(chunk[..count].to_vec()))?;
        to.write_all(&chunk[..count])?;
        to.flush()?;
    }
}

/// The account that a relay wrote.
pub fn read(account: &Path) -> Result<Vec<Seen>> {
    let text = crate::files::read(account)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}
