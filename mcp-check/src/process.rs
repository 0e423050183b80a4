//! A program under test: in a process group of its own, with bounded pipes.
//!
//! Nothing here waits without a limit. Dropping a [`Process`] kills its whole group.

mod group;

use group::Group;
pub use group::{has_ended, kill_all, kill_one};
use std::{
    io::{self, Read, Write},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// Chunks that wait to be looked at. A program that writes more has to wait.
const CHUNKS: usize = 16;
const CHUNK: usize = 64 * 1024;
/// How much of the end of stderr is kept, in bytes.
const STDERR_TAIL: usize = 2048;
/// How often an exit is asked for.
const TICK: Duration = Duration::from_millis(5);
/// How long a killed process may take to be gone.
const DEATH: Duration = Duration::from_secs(2);

enum Outgoing {
    Bytes(Vec<u8>),
    Pause(Duration),
}

/// What came from stdout.
pub enum Chunk {
    Bytes(Vec<u8>),
    End,
    /// Nothing came in time.
    Late,
}

pub struct Process {
    child: Child,
    group: Group,
    input: Option<Sender<Outgoing>>,
    output: Receiver<Vec<u8>>,
    listening: Sender<()>,
    stderr: Arc<Mutex<Vec<u8>>>,
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts the program. It is not read before [`Process::listen`] says so.
    pub fn start(words: &[String]) -> io::Result<Self> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::Error::other("no command"));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let group = Group::led_by(child.id());
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were asked for as pipes")
        };
        let (input, orders) = mpsc::channel();
        thread::spawn(move || write(stdin, &orders));
        let (chunks, output) = mpsc::sync_channel(CHUNKS);
        let (listening, start) = mpsc::channel();
        thread::spawn(move || {
            if start.recv().is_ok() {
                read(stdout, &chunks);
            }
        });
        let tail = Arc::new(Mutex::new(Vec::new()));
        let kept = tail.clone();
        thread::spawn(move || keep_tail(stderr, &kept));
        let input = Some(input);
        Ok(Self { child, group, input, output, listening, stderr: tail, status: None })
    }

    /// From now on its stdout is read.
    pub fn listen(&self) {
        let _ = self.listening.send(());
    }

    /// Does not wait: a program that does not read must not stop the checker.
    pub fn send(&self, bytes: Vec<u8>) {
        self.order(Outgoing::Bytes(bytes));
    }

    /// What is sent after this is written a while later.
    pub fn pause(&self, time: Duration) {
        self.order(Outgoing::Pause(time));
    }

    fn order(&self, order: Outgoing) {
        if let Some(input) = &self.input {
            let _ = input.send(order); // it is gone, which its stdout will show
        }
    }

    /// Closes its stdin, once all that was sent is written.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn receive(&self, deadline: Instant) -> Chunk {
        match self.output.recv_timeout(until(deadline)) {
            Ok(bytes) => Chunk::Bytes(bytes),
            Err(RecvTimeoutError::Disconnected) => Chunk::End,
            Err(RecvTimeoutError::Timeout) => Chunk::Late,
        }
    }

    /// How it ended, if it does before the deadline.
    pub fn exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if self.status.is_none() {
                self.status = self.child.try_wait().ok().flatten();
                if self.status.is_some() {
                    self.group.forget_if_empty();
                }
            }
            if self.status.is_some() || Instant::now() >= deadline {
                return self.status;
            }
            thread::sleep(TICK);
        }
    }

    /// Its last lines on stderr.
    pub fn stderr(&self) -> Vec<u8> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.group.kill();
        let _ = self.child.kill();
        self.exit(Instant::now() + DEATH);
        self.group.forget();
    }
}

fn until(deadline: Instant) -> Duration {
    deadline.saturating_duration_since(Instant::now())
}

fn write(mut stdin: impl Write, orders: &Receiver<Outgoing>) {
    for order in orders {
        match order {
            Outgoing::Bytes(bytes) => {
                if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
            Outgoing::Pause(time) => thread::sleep(time),
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
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend_from_slice(&buffer[..length]);
        let surplus = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..surplus);
    }
}
