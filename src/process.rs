//! A server as a child process: started in a separate process group, with a safe
//! environment, its stderr always drained, and ended so that no process is left.
//!
//! Source: MCP 2025-11-25, basic/lifecycle (Shutdown, stdio) and basic/transports.

pub mod group;
mod stderr;

use crate::transport::Tap;
use group::{Group, Signal};
use std::{
    ffi::OsString,
    fmt,
    io::{self, ErrorKind},
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};
use stderr::Tail;
use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    sync::{oneshot, watch},
    time::timeout,
};

/// How long each step of the shutdown ladder waits by default.
pub const SHUTDOWN_WAIT: Duration = Duration::from_secs(2);

/// A dead server shows by its exit, the end of its stdout and the end of its stderr.
/// How long the other signs may take after the first: 250 ms.
pub const EXIT_GRACE: Duration = Duration::from_millis(250);

// ANCHOR: inherited
/// What a child inherits from our environment. Other variables may contain keys and
/// tokens; they are passed only if a [`ServerCommand`] names them.
#[rustfmt::skip]
const INHERITED: [&str; 11] = [
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR",
    "TZ", "USER",
];
/// What it inherits in addition on Windows.
#[rustfmt::skip]
const ON_WINDOWS: &[&str] = if cfg!(windows) { &[
    "APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMROOT",
    "TEMP", "TMP", "USERPROFILE",
] } else { &[] };
// ANCHOR_END: inherited

/// Which program to start, and how.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ServerCommand {
    /// A path, or a name that is looked up in `PATH`.
    pub program: String,
    /// Passed as they are, without a shell.
    pub args: Vec<String>,
    /// Variables in addition to the inherited ones.
    pub env: Vec<(String, String)>,
}

/// Without the values of variables, which may be secrets.
impl fmt::Debug for ServerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        let Self { program, args, .. } = self;
        write!(
            f,
            "ServerCommand {{ program: {program:?}, args: {args:?}, env: {names:?} }}"
        )
    }
}

/// How a process ended.
#[derive(Clone, Debug, Default)]
pub struct Exit {
    /// `None`: its end was not observed, and it may still run.
    pub status: Option<ExitStatus>,
    /// Its last lines on stderr, escaped for a terminal.
    pub stderr_tail: Vec<String>,
}

impl Exit {
    /// `; its last lines on stderr: …`, or nothing.
    pub fn stderr_text(&self) -> String {
        match self.stderr_tail.is_empty() {
            true => String::new(),
            false => {
                format!("; its last lines on stderr: {}", self.stderr_tail.join(" | "))
            }
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => {
                write!(f, "the server ended with {status}{}", self.stderr_text())
            }
            None => {
                write!(f, "the server's exit was not observed{}", self.stderr_text())
            }
        }
    }
}

/// A running server. Dropping it kills its whole group.
pub struct Process {
    group: Group,
    status: Status,
    stderr: Tail,
    /// Dropped with this, and then the child is killed.
    _owner: oneshot::Sender<()>,
}

impl Process {
    // ANCHOR: spawn
    /// Starts the program. Its stderr goes to `tap` line by line, and its last lines
    /// are kept. Error: the program cannot be started.
    pub fn spawn(
        server: &ServerCommand,
        tap: Tap,
    ) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let started = command(server).spawn();
        let mut child = started.map_err(|error| explained(error, &server.program))?;
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = taken else {
            unreachable!("all three were requested as pipes")
        };
        let group = Group::led_by(child.id());
        let (owner, owned) = oneshot::channel();
        let process = Self {
            status: watch_exit(child, owned, group.clone()),
            stderr: Tail::drain(stderr, tap),
            group,
            _owner: owner,
        };
        Ok((process, stdin, stdout))
    }
    // ANCHOR_END: spawn

    /// A view of the exit, for tasks that wait for it.
    pub fn status(&self) -> Status {
        self.status.clone()
    }

    // ANCHOR: exit
    /// How the process has ended, with its last lines on stderr. Waits for both, at
    /// most `wait`: a grandchild may hold stderr open forever. A running process has no
    /// status.
    pub async fn exit(&mut self, wait: Duration) -> Exit {
        let mut status = None;
        let both = async {
            status = self.status.wait().await;
            self.stderr.ended().await;
        };
        let _ = timeout(wait, both).await;
        Exit { status, stderr_tail: self.stderr.lines() }
    }
    // ANCHOR_END: exit

    // ANCHOR: shut-down
    /// The shutdown ladder. The child's stdin must be closed already: that is the first
    /// step. Then the child gets `wait` to end, then SIGTERM and another `wait`, then
    /// SIGKILL. The signals go to the whole group, so that a wrapper's server ends too.
    pub async fn shut_down(mut self, wait: Duration) -> Exit {
        if timeout(wait, self.status.wait()).await.is_err() || self.group.lives() {
            self.group.signal(Signal::Terminate);
            let _ = timeout(wait, self.group_ends()).await;
        }
        self.group.signal(Signal::Kill);
        self.exit(EXIT_GRACE).await
    }

    async fn group_ends(&mut self) {
        self.status.wait().await;
        while self.group.lives() {
            // No system call waits for grandchildren, so this polls.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    // ANCHOR_END: shut-down
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.signal(Signal::Kill);
    }
}

/// The exit of a process, once it has ended.
#[derive(Clone)]
pub struct Status(watch::Receiver<Option<ExitStatus>>);

impl Status {
    /// Waits for the end. `None`: the process can no longer be waited for.
    pub async fn wait(&mut self) -> Option<ExitStatus> {
        self.0.wait_for(Option::is_some).await.ok().and_then(|status| *status)
    }
}

// ANCHOR: command
fn command(server: &ServerCommand) -> Command {
    let mut command = Command::new(&server.program);
    command.args(&server.args).env_clear();
    // A value that begins with `()` is a shell function: code, not data.
    let is_plain = |value: &OsString| !value.as_encoded_bytes().starts_with(b"()");
    for name in INHERITED.iter().chain(ON_WINDOWS) {
        if let Some(value) = std::env::var_os(name).filter(is_plain) {
            command.env(name, value);
        }
    }
    command.envs(server.env.iter().cloned());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command
}
// ANCHOR_END: command

/// The system reports "no such file" also for a script whose interpreter is missing.
fn explained(error: io::Error, program: &str) -> io::Error {
    match error.kind() {
        ErrorKind::NotFound if Path::new(program).is_file() => io::Error::new(
            ErrorKind::NotFound,
            "the interpreter that its first line names does not exist",
        ),
        _ => error,
    }
}

// ANCHOR: watch-exit
/// One task owns the child and reaps it, so that there is no zombie. It kills the
/// child when `owner` is dropped.
fn watch_exit(mut child: Child, owner: oneshot::Receiver<()>, group: Group) -> Status {
    let (sender, status) = watch::channel(None);
    tokio::spawn(async move {
        tokio::select! {
            _ = child.wait() => {}
            _ = owner => {
                let _ = child.start_kill(); // an error means that it has just ended
            }
        }
        let status = child.wait().await.ok();
        group.lives(); // if it does not, its number is not used any more
        sender.send_replace(status);
    });
    Status(status)
}
// ANCHOR_END: watch-exit
