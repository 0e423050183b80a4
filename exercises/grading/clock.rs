//! The processor time of a test, which does not depend on the machine's load.

use std::{
    fs,
    time::{Duration, Instant},
};

/// Measures the thread that started it.
pub struct Clock {
    begin: Option<Duration>,
    started: Instant,
}

impl Clock {
    pub fn start() -> Self {
        Self { begin: processor_time(), started: Instant::now() }
    }

    /// The processor time of this thread since the start; the elapsed time on systems
    /// that do not report it.
    pub fn time(&self) -> Duration {
        match (self.begin, processor_time()) {
            (Some(begin), Some(now)) => now.saturating_sub(begin),
            _ => self.started.elapsed(),
        }
    }
}

/// From Linux, in nanoseconds.
fn processor_time() -> Option<Duration> {
    let counts = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(counts.split(' ').next()?.parse().ok()?))
}
