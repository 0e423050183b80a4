//! A learner's server on real pipes: the test program starts itself again, and the
//! second one is the server.
//!
//! libtest prints before a test begins, so the child says [`BEGIN`] first, and only what
//! comes after it is judged.

use crate::differ::Failure;
use std::{
    env, fmt,
    io::{Read, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    process::{self, Child, Command, ExitStatus, Stdio},
    thread,
    time::Duration,
};

/// Says to the test program that it is the child.
const CHILD: &str = "EXERCISES_CHILD";
const BEGIN: &str = "--- from here on only frames ---\n";
/// The child ends itself by then, whatever becomes of its parent.
const LIMIT: Duration = Duration::from_millis(1500);
const TOO_SLOW: i32 = 3;

/// In the child: runs `serve`, which has stdin and stdout for itself, and ends the
/// process. Otherwise nothing.
pub fn serve_if_child<E: fmt::Display>(serve: impl FnOnce() -> Result<(), E>) {
    if env::var_os(CHILD).is_none() {
        return;
    }
    thread::spawn(|| {
        thread::sleep(LIMIT);
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

/// Starts this program again for the test `server`, which begins with
/// [`serve_if_child`]; writes `input` to its stdin, closes that, and returns the lines
/// of its stdout. Failures: it does not start, or does not end well and in time.
pub fn talk(server: &str, input: &str) -> Result<Vec<String>, Failure> {
    let cannot = |error: &dyn fmt::Display| {
        Failure::new(format!("the server's process cannot start: {error}"))
    };
    let program = env::current_exe().map_err(|error| cannot(&error))?;
    let mut child = Command::new(program)
        .args(["--exact", server, "--nocapture", "--test-threads=1"])
        .env(CHILD, "1")
        // Looking the names up can take longer than a server may.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| cannot(&error))?;
    let (said, logged) = streams(&mut child, input);
    let ended = child.wait().map_err(|error| cannot(&error))?;
    let Some((_, said)) = said.split_once(BEGIN).filter(|_| ended.success()) else {
        return Err(of_the_end(ended, &logged));
    };
    Ok(said.lines().map(str::to_owned).collect())
}

/// Writes all of stdin, and reads stdout and stderr to their ends.
fn streams(child: &mut Child, input: &str) -> (String, String) {
    let stderr = child.stderr.take();
    let log = thread::spawn(move || whole(stderr));
    if let Some(mut stdin) = child.stdin.take() {
        // A child that is gone does not read; how it ended says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    let said = whole(child.stdout.take());
    (said, log.join().unwrap_or_default())
}

fn whole(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        // What came before a failure is worth as much.
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn of_the_end(ended: ExitStatus, logged: &str) -> Failure {
    if ended.code() == Some(TOO_SLOW) {
        let limit = LIMIT.as_secs_f32();
        return Failure::new(format!("no end within {limit} s of its start"))
            .because("something waits, or goes on, after the end of input");
    }
    Failure::new(format!("the server's process ended early: {ended}\n{logged}"))
        .because("a panic, or an exit, on a path that the server takes")
}
