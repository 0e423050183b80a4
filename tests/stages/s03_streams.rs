//! Stage 3 with other kinds of stdin and stdout. Not all hosts use pipes: Node gives its
//! children sockets, a shell may give files or the terminal.

use crate::common;
use crate::common::serving::{INITIALIZE, INITIALIZED, framed, ping, pong};
use assert_cmd::cargo::cargo_bin;
use mcp_from_scratch::frame::Framing;
use rustix::{
    fs::{Mode, OFlags},
    io::ioctl_fionread,
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};
use std::{
    fs::{self, File},
    io::{Read, Write},
    net::Shutdown,
    os::{fd::OwnedFd, unix::net::UnixStream},
    process::{Command, Stdio},
    time::Duration,
};

fn stage() -> Command {
    Command::new(cargo_bin!("03-echo-server"))
}

/// The handshake and `count` pings, as lines.
fn lines(count: u32) -> Vec<u8> {
    let pings: Vec<_> = (1..=count).map(ping).collect();
    let pings = pings.iter().map(String::as_str);
    framed(Framing::Newline, [INITIALIZE, INITIALIZED].into_iter().chain(pings))
}

/// The expected output after the response to `initialize`.
fn pongs(count: u32) -> String {
    (1..=count).map(|id| pong(id) + "\n").collect()
}

#[track_caller]
fn assert_pongs(count: u32, output: &[u8]) {
    let text = std::str::from_utf8(output).expect("UTF-8");
    let (hello, rest) = text.split_once('\n').expect("a response to initialize");
    assert!(hello.starts_with(r#"{"jsonrpc":"2.0","id":"init","result":"#), "{hello}");
    assert!(pongs(count) == rest, "not all responses arrived: {} bytes", rest.len());
}

#[test]
fn files() {
    common::within(|| {
        let directory = tempfile::tempdir().expect("a directory");
        let (input, output) =
            (directory.path().join("in"), directory.path().join("out"));
        fs::write(&input, lines(2000)).expect("written");
        let status = stage()
            .stdin(File::open(input).expect("a file"))
            .stdout(File::create(&output).expect("a file"))
            .status()
            .expect("it ends");
        assert_eq!(Some(0), status.code());
        assert_pongs(2000, &fs::read(output).expect("read"));
    });
}

#[test]
fn pipes_with_a_small_buffer() {
    common::within(|| {
        let server = stage().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut server = server.expect("the stage starts");
        // Everything is written before anything is read.
        let mut stdin = server.stdin.take().expect("a pipe");
        stdin.write_all(&lines(5000)).expect("written");
        drop(stdin);
        let output = server.wait_with_output().expect("it ends");
        assert_eq!(Some(0), output.status.code());
        assert_pongs(5000, &output.stdout);
    });
}

/// As Node starts its children, and as inetd does: one socket for both directions.
#[test]
fn sockets() {
    common::within(|| {
        let (mut ours, theirs) = UnixStream::pair().expect("a pair");
        let input = OwnedFd::from(theirs.try_clone().expect("a copy"));
        let mut command = stage();
        command.stdin(input).stdout(OwnedFd::from(theirs));
        let mut server = command.spawn().expect("the stage starts");
        drop(command); // It has the other end open, too.
        ours.write_all(&lines(2000)).expect("written");
        ours.shutdown(Shutdown::Write).expect("the end of input");
        let mut output = Vec::new();
        ours.read_to_end(&mut output).expect("read");
        assert_pongs(2000, &output);
        assert_eq!(Some(0), server.wait().expect("it ends").code());
    });
}

/// `2>&1`: frames and transcript share one pipe. They may interleave, but no byte is
/// lost, although the test does not read until the pipe is full.
#[test]
fn one_pipe_for_stdout_and_stderr() {
    common::within(|| {
        let (frames, trace) = traced(r#"exec "$0" --trace"#);
        assert!(frames > 64 * 1024 && trace > 64 * 1024, "a pipe could hold it");
        let shared = traced(r#"exec "$0" --trace 2>&1"#);
        assert_eq!((frames + trace, 0), shared);
    });
}

/// How many bytes the server writes to stdout and stderr. The test reads them when the
/// server waits because the pipe is full.
fn traced(script: &str) -> (usize, usize) {
    let server = Command::new("sh")
        .args(["-c", script])
        .arg(cargo_bin!("03-echo-server"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut server = server.expect("sh starts");
    let mut stdin = server.stdin.take().expect("a pipe");
    let input = std::thread::spawn(move || stdin.write_all(&lines(2000)));
    let stdout = server.stdout.as_ref().expect("a pipe");
    let mut unchanged = (0, 0);
    while unchanged.0 == 0 || unchanged.1 < 50 {
        std::thread::sleep(Duration::from_millis(1));
        let waiting = ioctl_fionread(stdout).expect("a count");
        let again = waiting == unchanged.0;
        unchanged = (waiting, if again { unchanged.1 + 1 } else { 0 });
    }
    let output = server.wait_with_output().expect("it ends");
    input.join().expect("no panic").expect("written");
    assert_eq!(Some(0), output.status.code());
    (output.stdout.len(), output.stderr.len())
}

#[test]
fn streams_that_are_closed_from_the_start() {
    common::within(|| {
        let output = Command::new("sh")
            .args(["-c", r#"exec "$0" <&- >&-"#])
            .arg(cargo_bin!("03-echo-server"))
            .output()
            .expect("it ends");
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!((Some(0), ""), (output.status.code(), &*log));
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    common::within(|| {
        let full = File::options().write(true).open("/dev/full").expect("/dev/full");
        let server =
            stage().stdin(Stdio::piped()).stdout(full).stderr(Stdio::piped()).spawn();
        let mut server = server.expect("the stage starts");
        let mut stdin = server.stdin.take().expect("a pipe");
        stdin.write_all(&lines(1)).expect("written");
        drop(stdin);
        let output = server.wait_with_output().expect("it ends");
        let log = String::from_utf8_lossy(&output.stderr);
        let expected = "error: cannot write: No space left on device (os error 28)\n";
        assert_eq!((Some(1), expected), (output.status.code(), &*log));
    });
}

/// A killed host sends no shutdown message. Its end of the pipe is closed, and that
/// ends the server.
#[test]
fn a_host_that_is_killed() {
    common::within(|| {
        let host =
            Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut host = host.expect("cat starts");
        let mut command = stage();
        command.stdin(host.stdout.take().expect("a pipe")).stdout(Stdio::piped());
        let mut server = command.spawn().expect("the stage starts");
        drop(command);
        let mut to_host = host.stdin.take().expect("a pipe");
        to_host.write_all(&lines(1)).expect("written");
        let mut stdout = server.stdout.take().expect("a pipe");
        stdout.read_exact(&mut [0]).expect("it responds");
        host.kill().expect("killed");
        host.wait().expect("reaped");
        assert_eq!(Some(0), server.wait().expect("it ends").code());
    });
}

/// The test pastes the lines that the program asks a person to paste.
#[test]
fn a_terminal() {
    common::within(|| {
        let mut terminal = Terminal::open();
        let mut command = stage();
        command.stdin(terminal.end()).stdout(terminal.end()).stderr(terminal.end());
        let mut server = command.spawn().expect("the stage starts");
        let last = r#"{"jsonrpc":"2.0","id":3,"method":"tools/call""#;
        terminal.wait_for(last);
        terminal.wait_for("\n");
        let greeting = terminal.screen.clone();
        assert!(greeting.contains("这是一个 MCP 服务器"), "{greeting}");
        assert!(greeting.contains("Ctrl-D ends it"), "{greeting}");
        let pasted: Vec<_> = greeting
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with('{'))
            .collect();
        assert_eq!(4, pasted.len(), "{greeting}");
        for (line, response) in pasted.into_iter().zip([
            r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18""#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, // its echo
            r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"echo""#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"hello"}]}}"#,
        ]) {
            terminal.screen.clear();
            terminal.side.write_all(format!("{line}\n").as_bytes()).expect("typed");
            terminal.wait_for(response);
        }
        terminal.side.write_all(b"\x04").expect("Ctrl-D");
        assert_eq!(Some(0), server.wait().expect("it ends").code());
    });
}

/// A pseudoterminal: bytes written to `side` are typed, bytes read from it are on the
/// screen.
struct Terminal {
    side: File,
    screen: String,
}

impl Terminal {
    fn open() -> Self {
        let side = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&side).expect("granted");
        unlockpt(&side).expect("unlocked");
        Self { side: side.into(), screen: String::new() }
    }

    /// The end that a program has as its stdin.
    fn end(&self) -> Stdio {
        let path = ptsname(&self.side, Vec::new()).expect("a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY;
        rustix::fs::open(path, flags, Mode::empty()).expect("opened").into()
    }

    fn wait_for(&mut self, text: &str) {
        let mut chunk = [0; 1024];
        let mut bytes = std::mem::take(&mut self.screen).into_bytes();
        while !String::from_utf8_lossy(&bytes).contains(text) {
            let count = self.side.read(&mut chunk).expect("the program runs");
            bytes.extend_from_slice(&chunk[..count]);
        }
        self.screen = String::from_utf8_lossy(&bytes).into_owned();
    }
}
