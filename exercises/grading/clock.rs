//! The time that a test has worked, whatever else the machine does meanwhile.

use std::{
    fs,
    time::{Duration, Instant},
};

/// Counts the time of the thread that it was started on.
pub struct Clock {
    begin: Option<Duration>,
    started: Instant,
}

impl Clock {
    pub fn start() -> Self {
        Self { begin: worked(), started: Instant::now() }
    }

    /// How long this thread has worked since; where the system does not say so, how
    /// much time has passed.
    pub fn time(&self) -> Duration {
        match (self.begin, worked()) {
            (Some(begin), Some(now)) => now.saturating_sub(begin),
            _ => self.started.elapsed(),
        }
    }
}

/// Linux counts it, in nanoseconds.
fn worked() -> Option<Duration> {
    let counts = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(counts.split(' ').next()?.parse().ok()?))
}
