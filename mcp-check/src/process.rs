//! A program under test: in a separate process group, with bounded pipes.
//!
//! Every wait here has a limit. Dropping a [`Process`] kills its whole group.

use mcp_from_scratch::process::group::{Group, Signal};
use std::{
    collections::BTreeMap,
    io::{self, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// Chunks of output that may wait for the checker. Then the program's writes block.
const CHUNKS: usize = 16;
const CHUNK: usize = 64 * 1024;
/// How much of the end of stderr is kept, in bytes.
const STDERR_TAIL: usize = 2048;
/// How much of it a finding quotes.
const STDERR_QUOTED: usize = 300;
/// How often an exit is polled.
const TICK: Duration = Duration::from_millis(5);
/// How long the system may take to end a killed process.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// The groups of all programs under test by their leaders' ids, for [`kill_all`]; `None`
/// after it.
static GROUPS: Mutex<Option<BTreeMap<u32, Group>>> = Mutex::new(Some(BTreeMap::new()));

/// Kills every program under test. No other one can be started after it.
pub fn kill_all() {
    for group in lock(&GROUPS).take().unwrap_or_default().into_values() {
        group.signal(Signal::Kill);
    }
}

enum Input {
    Bytes(Vec<u8>),
    Pause(Duration),
}

/// The next part of stdout.
pub enum Chunk {
    Bytes(Vec<u8>),
    End,
    Timeout,
}

pub struct Process {
    child: Child,
    group: Group,
    input: Option<Sender<Input>>,
    output: Receiver<Vec<u8>>,
    start_reading: Sender<()>,
    stderr: Arc<Mutex<Vec<u8>>>,
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts the program. Its stdout is not read before [`Process::start_reading`].
    pub fn start(words: &[String]) -> io::Result<Self> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::Error::other("no command"));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Locked, so that `kill_all` cannot come between the start and the entry.
        let mut groups = lock(&GROUPS);
        let Some(known) = groups.as_mut() else {
            return Err(io::Error::other("the checker is ending"));
        };
        let mut child = command.spawn()?;
        let group = Group::led_by(Some(child.id()));
        known.insert(child.id(), group.clone());
        drop(groups);
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were requested as pipes")
        };
        let (input, queue) = mpsc::channel();
        thread::spawn(move || write(stdin, &queue));
        let (chunks, output) = mpsc::sync_channel(CHUNKS);
        let (start_reading, start) = mpsc::channel();
        thread::spawn(move || {
            if start.recv().is_ok() {
                read(stdout, &chunks);
            }
        });
        let tail = Arc::new(Mutex::new(Vec::new()));
        let kept = tail.clone();
        thread::spawn(move || keep_tail(stderr, &kept));
        let input = Some(input);
        Ok(Self {
            child,
            group,
            input,
            output,
            start_reading,
            stderr: tail,
            status: None,
        })
    }

    pub fn start_reading(&self) {
        let _ = self.start_reading.send(());
    }

    /// Does not wait: a program that does not read must not stop the checker.
    pub fn send(&self, bytes: Vec<u8>) {
        self.queue(Input::Bytes(bytes));
    }

    /// Delays everything that is sent after this.
    pub fn pause(&self, time: Duration) {
        self.queue(Input::Pause(time));
    }

    fn queue(&self, input: Input) {
        if let Some(queue) = &self.input {
            let _ = queue.send(input); // a closed stdin shows as the end of stdout
        }
    }

    /// Closes its stdin, once everything that was sent is written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn receive(&self, deadline: Instant) -> Chunk {
        match self.output.recv_timeout(until(deadline)) {
            Ok(bytes) => Chunk::Bytes(bytes),
            Err(RecvTimeoutError::Disconnected) => Chunk::End,
            Err(RecvTimeoutError::Timeout) => Chunk::Timeout,
        }
    }

    /// Its exit status, if it exits before the deadline.
    pub fn exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if self.status.is_none() {
                self.status = self.child.try_wait().ok().flatten();
                if self.status.is_some() {
                    self.group.lives(); // if not, the group's number is not used again
                }
            }
            if self.status.is_some() || Instant::now() >= deadline {
                return self.status;
            }
            thread::sleep(TICK);
        }
    }

    /// The end of its stderr as `; stderr: …`, or nothing.
    pub fn stderr_text(&self) -> String {
        let tail = lock(&self.stderr);
        let start = tail.len().saturating_sub(STDERR_QUOTED);
        match tail[start..].trim_ascii() {
            b"" => String::new(),
            tail => format!("; stderr: {}", crate::rule::quoted(tail)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.signal(Signal::Kill);
        let _ = self.child.kill();
        self.exit(Instant::now() + KILL_GRACE);
        lock(&GROUPS).as_mut().map(|groups| groups.remove(&self.child.id()));
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

fn write(mut stdin: impl Write, queue: &Receiver<Input>) {
    for input in queue {
        match input {
            Input::Bytes(bytes) => {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
            Input::Pause(time) => thread::sleep(time),
        }
    }
}

fn read(mut stdout: impl Read, chunks: &SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK];
    while let Ok(length @ 1..) = stdout.read(&mut buffer) {
        if chunks.send(buffer[..length].to_vec()).is_err() {
            return;
        }
    }
}

fn keep_tail(mut stderr: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK];
    while let Ok(length @ 1..) = stderr.read(&mut buffer) {
        let mut tail = lock(tail);
        tail.extend_from_slice(&buffer[..length]);
        let surplus = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..surplus);
    }
}
