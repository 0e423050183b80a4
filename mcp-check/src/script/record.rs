//! The record of what scripted servers receive and send: each server connects to the
//! checker and writes one line of JSON for each event.
//!
//! The connection also shows whether the server still runs, and its end ends the server.

use crate::message::Message;
use serde::{Deserialize, Serialize};
use std::{
    io::{self, BufRead, BufReader, Write},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

/// How often a listener without connections is polled.
const TICK: Duration = Duration::from_millis(5);
/// How long a server may take to exit after its connection has ended.
const EXIT_GRACE: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Event {
    /// Bytes of its stdin.
    Bytes(Vec<u8>),
    Received(String),
    Sent(String),
    EndOfInput,
}

/// A scripted server's side of the connection.
pub struct Log(TcpStream);

impl Log {
    /// Ends this process when the checker closes the connection or dies.
    pub fn connect(recorder: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(recorder)?;
        let mut reader = stream.try_clone()?;
        thread::spawn(move || {
            let _ = io::copy(&mut reader, &mut io::sink());
            std::process::exit(4);
        });
        Ok(Self(stream))
    }

    pub fn write(&mut self, event: &Event) -> io::Result<()> {
        let line = serde_json::to_string(event)?;
        self.0.write_all(format!("{line}\n").as_bytes())
    }
}

/// The record of one scripted server.
#[derive(Clone, Debug, Default)]
pub struct Record {
    pub messages: Vec<Recorded>,
    /// All bytes of its stdin.
    pub raw: Vec<u8>,
    pub saw_end_of_input: bool,
}

#[derive(Clone, Debug)]
pub struct Recorded {
    /// Whether the client sent it.
    pub is_received: bool,
    pub message: Message,
}

impl Record {
    fn add(&mut self, event: Event) {
        let (is_received, text) = match event {
            Event::Bytes(bytes) => return self.raw.extend(bytes),
            Event::EndOfInput => return self.saw_end_of_input = true,
            Event::Received(text) => (true, text),
            Event::Sent(text) => (false, text),
        };
        let message = Message::new(text.into_bytes());
        self.messages.push(Recorded { is_received, message });
    }
}

/// The servers that have connected, in order.
#[derive(Default)]
struct Servers {
    list: Mutex<Vec<Server>>,
    changed: Condvar,
}

struct Server {
    stream: TcpStream,
    record: Record,
    is_open: bool,
}

impl Servers {
    fn lock(&self) -> MutexGuard<'_, Vec<Server>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(self: &Arc<Self>, stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        let lines = BufReader::new(stream.try_clone()?).lines();
        let mut list = self.lock();
        let number = list.len();
        list.push(Server { stream, record: Record::default(), is_open: true });
        let servers = self.clone();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Ok(event) = serde_json::from_str(&line) {
                    servers.lock()[number].record.add(event);
                }
            }
            servers.lock()[number].is_open = false;
            servers.changed.notify_all();
        });
        Ok(())
    }
}

/// Accepts the connections of scripted servers.
pub struct Recorder {
    pub address: SocketAddr,
    servers: Arc<Servers>,
    is_stopping: Arc<AtomicBool>,
    accepting: JoinHandle<()>,
}

impl Recorder {
    pub fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let servers = Arc::new(Servers::default());
        let is_stopping = Arc::new(AtomicBool::new(false));
        let (stopping, added) = (is_stopping.clone(), servers.clone());
        let accepting = thread::spawn(move || {
            loop {
                // Read before the poll, so that no earlier connection is lost.
                let is_last = stopping.load(Ordering::SeqCst);
                match listener.accept() {
                    Ok((stream, _)) => drop(added.add(stream)),
                    Err(_) if is_last => return,
                    Err(_) => thread::sleep(TICK),
                }
            }
        });
        Ok(Self { address, servers, is_stopping, accepting })
    }

    /// Refuses further connections.
    pub fn stop(self) -> Recording {
        self.is_stopping.store(true, Ordering::SeqCst);
        let _ = self.accepting.join();
        Recording(self.servers)
    }
}

/// The records of all scripted servers of one run.
pub struct Recording(Arc<Servers>);

impl Recording {
    /// Waits until every server has exited. `false`: one still runs after `limit`.
    pub fn all_exit_within(&self, limit: Duration) -> bool {
        let is_open = |list: &mut Vec<Server>| list.iter().any(|server| server.is_open);
        let waited = self.0.changed.wait_timeout_while(self.0.lock(), limit, is_open);
        let (list, _) = waited.unwrap_or_else(PoisonError::into_inner);
        !list.iter().any(|server| server.is_open)
    }

    /// Ends the servers that still run. Returns how many servers there were, and the
    /// record of the first that received anything.
    pub fn finish(self) -> (usize, Record) {
        for server in self.0.lock().iter() {
            let _ = server.stream.shutdown(Shutdown::Write); // it has just exited
        }
        self.all_exit_within(EXIT_GRACE);
        let list = self.0.lock();
        let mut records = list.iter().map(|server| &server.record);
        let first = records.find(|it| it.messages.iter().any(|it| it.is_received));
        (list.len(), first.cloned().unwrap_or_default())
    }
}
