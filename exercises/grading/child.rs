//! A learner's server on real pipes: the test program starts itself as the server.
//!
//! libtest prints before a test begins, so the child prints `BEGIN`, and only the
//! output after it is judged.

use crate::{clock::Clock, differ::Failure};
use std::{
    env, fmt,
    io::{Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::{self, Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

/// Set in the child's environment.
const CHILD: &str = "EXERCISES_CHILD";
const BEGIN: &str = "--- only frames after this line ---\n";
/// The child exits by then, with or without its parent. Measured by [`Clock`].
const LIMIT: Duration = Duration::from_secs(4);
const TOO_SLOW: i32 = 3;

/// In the child: runs `serve`, which owns stdin and stdout, and exits. Otherwise does
/// nothing.
pub fn serve_if_child<E: fmt::Display>(serve: impl FnOnce() -> Result<(), E>) {
    if env::var_os(CHILD).is_none() {
        return;
    }
    let clock = Clock::start();
    thread::spawn(move || {
        while clock.time() < LIMIT {
            thread::sleep(Duration::from_millis(50));
        }
        process::exit(TOO_SLOW);
    });
    print!("\n{BEGIN}");
    process::exit(match catch_unwind(AssertUnwindSafe(serve)) {
        Ok(Ok(())) => 0,
        Ok(Err(error)) => {
            eprintln!("{error}");
            1
        }
        Err(_) => 101,
    });
}

/// Starts this program again with the test `server`, which calls [`serve_if_child`]
/// first; writes `input` to its stdin, closes it, and returns the lines of its stdout.
/// Fails if the child does not start, or does not exit in time with code 0: the child has
/// its own limit, so this needs none.
pub fn exchange(server: &str, input: &str) -> Result<Vec<String>, Failure> {
    let cannot = |error: &dyn fmt::Display| {
        Failure::new(format!("the server's process cannot start: {error}"))
    };
    let program = env::current_exe().map_err(|error| cannot(&error))?;
    let mut child = Command::new(program)
        .args(["--exact", server, "--nocapture", "--test-threads=1"])
        .env(CHILD, "1")
        // Resolving a backtrace can take longer than the time limit.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot(&error))?;
    let (output, log) = streams(&mut child, input);
    let ended = child.wait().map_err(|error| cannot(&error))?;
    let Some((_, output)) = output.split_once(BEGIN).filter(|_| ended.success()) else {
        return Err(of_the_end(ended, &log));
    };
    Ok(output.lines().map(str::to_owned).collect())
}

/// Writes all of stdin, and reads stdout and stderr to the end.
fn streams(child: &mut Child, input: &str) -> (String, String) {
    let stderr = child.stderr.take();
    let log = thread::spawn(move || whole(stderr));
    if let Some(mut stdin) = child.stdin.take() {
        // A child that has exited does not read; its exit status is reported.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = whole(child.stdout.take());
    (output, log.join().unwrap_or_default())
}

fn whole(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // Bytes before an error count, too.
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn of_the_end(ended: ExitStatus, log: &str) -> Failure {
    if ended.code() == Some(TOO_SLOW) {
        let limit = LIMIT.as_secs_f32();
        return Failure::new(format!("no exit within {limit} s"))
            .because("something waits or continues after the end of input");
    }
    Failure::new(format!("the server's process exited early: {ended}\n{log}"))
        .because("a panic or an exit in the server")
}
