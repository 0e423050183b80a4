//! The output of a stage, and its exit code.
//!
//! Lines go to standard output. When its reader is gone (`06-full-demo | head`), the
//! rest is dropped silently and the stage still finishes its work, so that no child
//! process is left; a full disk is an error.
//!
//! Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.

use crate::{
    transcript::{self, escape_untrusted},
    transport::{Tap, Tapped},
};
use clap::Parser;
use std::{
    fmt::Display,
    io::{self, ErrorKind, Write},
    process::ExitCode,
    sync::{Arc, Mutex, PoisonError},
};

/// Wrong usage that the argument parser cannot see by itself: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Stopped by a signal such as SIGINT: exit code 130.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Interrupted;

/// A destination of lines for people. A clone writes to the same destination.
#[derive(Clone)]
pub struct Out(Arc<Mutex<Sink>>);

struct Sink {
    to: Box<dyn Write + Send>,
    failed: Option<io::Error>,
}

impl Out {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::new(io::stdout())
    }

    /// Standard error. Unlike `eprintln!`, it survives a reader that is gone.
    pub fn stderr() -> Self {
        Self::new(io::stderr())
    }

    /// Any other destination.
    pub fn new(to: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Sink { to: Box::new(to), failed: None })))
    }

    /// Prints one line. After a write has failed, nothing more is written.
    pub fn line(&self, text: impl Display) {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.failed.is_none() {
            sink.failed =
                writeln!(sink.to, "{text}").and_then(|()| sink.to.flush()).err();
        }
    }

    /// Prints the heading of a numbered part: Chinese, then English.
    pub fn heading(&self, number: u32, chinese: &str, english: &str) {
        if number > 1 {
            self.line("");
        }
        // A full-width `）` ends in whitespace, so no space follows it.
        let space = if chinese.ends_with('）') { "" } else { " " };
        self.line(format_args!("--- {number}. {chinese}{space}---  {english}"));
    }

    /// Error: something was not written. A closed pipe is not an error.
    pub fn finish(&self) -> io::Result<()> {
        let mut sink = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match sink.failed.take() {
            Some(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }
}

/// Parses the command line. Wrong usage ends the process with one line and exit code 2.
pub fn arguments<T: Parser>() -> T {
    T::try_parse().unwrap_or_else(|error| {
        if !error.use_stderr() {
            error.exit(); // --help or --version, which is not an error
        }
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        Out::stderr().line(format_args!("{line}; try --help"));
        std::process::exit(2)
    })
}

/// Ends a stage: prints the error, if any, as one line, and picks the exit code.
pub fn end(out: &Out, result: anyhow::Result<()>) -> ExitCode {
    let result = result.and_then(|()| {
        out.finish()
            .map_err(|error| anyhow::anyhow!("cannot write the output: {error}"))
    });
    let Err(error) = result else { return ExitCode::SUCCESS };
    // The error may quote what a peer sent.
    let text = escape_untrusted(format!("error: {error:#}").as_bytes());
    Out::stderr().line(text);
    if error.is::<Usage>() {
        ExitCode::from(2)
    } else if error.is::<Interrupted>() {
        ExitCode::from(130)
    } else {
        ExitCode::FAILURE
    }
}

/// A tap that prints notes only.
pub fn notes(notes: Out) -> Tap {
    Arc::new(move |event| {
        if let Tapped::Note(note) = event {
            print_note(&notes, note);
        }
    })
}

/// A tap that prints frames to one destination, indented by two, and notes to another.
pub fn printing(frames: Out, notes: Out) -> Tap {
    Arc::new(move |event| match event {
        Tapped::Frame(direction, body) => {
            frames.line(format_args!("  {}", transcript::line(direction, body)));
        }
        Tapped::Note(note) => print_note(&notes, note),
    })
}

/// A note may quote a peer.
fn print_note(to: &Out, note: &dyn Display) {
    to.line(format_args!("! {}", escape_untrusted(note.to_string().as_bytes())));
}
