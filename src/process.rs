//! A server as a child process: started in a group of its own, with a safe environment,
//! its stderr always drained, and ended so that nothing is left.
//!
//! Source: MCP 2025-11-25, basic/lifecycle (Shutdown, stdio) and basic/transports.

mod group;
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

/// How long to wait after each step of the shutdown ladder, unless told otherwise.
pub const SHUTDOWN_WAIT: Duration = Duration::from_secs(2);

/// How long the second sign of a death (exit, end of stdout, end of stderr) may take
/// after the first: 250 ms.
pub const LAST_WORDS: Duration = Duration::from_millis(250);

// ANCHOR: inherited
/// What a child inherits of our environment. Everything else may hold keys and tokens,
/// and is passed only where a [`Spec`] names it.
#[rustfmt::skip]
const INHERITED: [&str; 11] = [
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR",
    "TZ", "USER",
];
/// What it inherits beside that on Windows.
#[rustfmt::skip]
const ON_WINDOWS: &[&str] = if cfg!(windows) { &[
    "APPDATA", "COMSPEC", "LOCALAPPDATA", "PATHEXT", "PROGRAMFILES", "SYSTEMROOT",
    "TEMP", "TMP", "USERPROFILE",
] } else { &[] };
// ANCHOR_END: inherited

/// Which program to start, and how.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Spec {
    /// A path, or a name that is looked up in `PATH`.
    pub program: String,
    /// Passed as they are; no shell reads them.
    pub args: Vec<String>,
    /// Variables beside the inherited ones.
    pub env: Vec<(String, String)>,
}

/// Without the values of variables, which may be secrets.
impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        let Self { program, args, .. } = self;
        write!(f, "Spec {{ program: {program:?}, args: {args:?}, env: {names:?} }}")
    }
}

/// How a process ended.
#[derive(Clone, Debug, Default)]
pub struct Exit {
    /// `None`: nobody saw it end, and it may still run.
    pub status: Option<ExitStatus>,
    /// Its last lines on stderr, escaped for a terminal.
    pub stderr_tail: Vec<String>,
}

impl Exit {
    /// `; its last lines on stderr: …`, or nothing.
    pub fn said(&self) -> String {
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
            Some(status) => write!(f, "the server ended with {status}{}", self.said()),
            None => write!(f, "the server's end was not seen{}", self.said()),
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
    pub fn spawn(spec: &Spec, tap: Tap) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        let started = command(spec).spawn();
        let mut child = started.map_err(|error| explained(error, &spec.program))?;
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = taken else {
            unreachable!("all three were asked for as pipes")
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

    /// A view of the exit, for whoever waits for it.
    pub fn status(&self) -> Status {
        self.status.clone()
    }

    // ANCHOR: exit
    /// How the process has ended, with what it said last. Waits for both, but `wait` at
    /// most: a grandchild may hold stderr open for ever. One that runs has no status.
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
    /// The shutdown ladder. Its stdin must be closed already: that is the first step.
    /// Then it gets `wait` to end, then SIGTERM and another `wait`, then SIGKILL. The
    /// signals go to the whole group, so that a wrapper's server ends too.
    pub async fn shut_down(mut self, wait: Duration) -> Exit {
        if timeout(wait, self.status.wait()).await.is_err() || self.group.lives() {
            self.group.signal(Signal::Terminate);
            let _ = timeout(wait, self.group_ends()).await;
        }
        self.group.signal(Signal::Kill);
        self.exit(LAST_WORDS).await
    }

    async fn group_ends(&mut self) {
        self.status.wait().await;
        while self.group.lives() {
            // No system call waits for grandchildren, so this asks again.
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

/// How a process ended, once it has.
#[derive(Clone)]
pub struct Status(watch::Receiver<Option<ExitStatus>>);

impl Status {
    /// Waits for the end. `None`: the process can no longer be waited for.
    pub async fn wait(&mut self) -> Option<ExitStatus> {
        self.0.wait_for(Option::is_some).await.ok().and_then(|status| *status)
    }
}

// ANCHOR: command
fn command(spec: &Spec) -> Command {
    let mut command = Command::new(&spec.program);
    command.args(&spec.args).env_clear();
    // A value that begins with `()` is a shell function: code, not data.
    let is_plain = |value: &OsString| !value.as_encoded_bytes().starts_with(b"()");
    for name in INHERITED.iter().chain(ON_WINDOWS) {
        if let Some(value) = std::env::var_os(name).filter(is_plain) {
            command.env(name, value);
        }
    }
    command.envs(spec.env.iter().cloned());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.kill_on_drop(true);
    #[cfg(unix)]
    command.process_group(0);
    command
}
// ANCHOR_END: command

/// The system says "no such file" also of a script whose interpreter is missing.
fn explained(error: io::Error, program: &str) -> io::Error {
    match error.kind() {
        ErrorKind::NotFound if Path::new(program).is_file() => io::Error::new(
            ErrorKind::NotFound,
            "the interpreter that its first line names is not there",
        ),
        _ => error,
    }
}

// ANCHOR: watch-exit
/// One task owns the child and reaps it, so that there is no zombie. It kills the child
/// when `owner` is gone.
fn watch_exit(mut child: Child, owner: oneshot::Receiver<()>, group: Group) -> Status {
    let (tell, status) = watch::channel(None);
    tokio::spawn(async move {
        tokio::select! {
            _ = child.wait() => {}
            _ = owner => {
                let _ = child.start_kill(); // an error: it has just ended by itself
            }
        }
        let status = child.wait().await.ok();
        group.lives(); // if not, its number is not used any more
        tell.send_replace(status);
    });
    Status(status)
}
// ANCHOR_END: watch-exit
