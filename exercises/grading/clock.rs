//! The time that a thread needs, however busy the machine is.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

/// Measures the thread that it was started on. Time in which the thread is ready to run
/// and waits for a processor does not count.
pub struct Clock {
    start: Instant,
    /// Statistics of the thread, and its delay at the start. Linux only.
    delay: Option<(PathBuf, Duration)>,
}

impl Clock {
    pub fn start() -> Self {
        let thread = fs::read_link("/proc/thread-self").ok();
        let file = thread.map(|thread| PathBuf::from("/proc").join(thread));
        let file = file.map(|folder| folder.join("schedstat"));
        let delay = file.and_then(|file| delay(&file).map(|delay| (file, delay)));
        Self { start: Instant::now(), delay }
    }

    /// The time since the start, without the delays. Other threads may call this, too.
    /// If the system does not report delays, they count.
    pub fn time(&self) -> Duration {
        let elapsed = self.start.elapsed();
        let delayed = self.delay.as_ref().and_then(|(file, before)| {
            delay(file).map(|now| now.saturating_sub(*before))
        });
        elapsed.saturating_sub(delayed.unwrap_or_default())
    }
}

/// How long the thread has waited for a processor: the second number, in nanoseconds.
fn delay(file: &PathBuf) -> Option<Duration> {
    let numbers = fs::read_to_string(file).ok()?;
    Some(Duration::from_nanos(numbers.split(' ').nth(1)?.parse().ok()?))
}
