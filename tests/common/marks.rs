//! Processes that are found by a word in their environment or command line, which
//! their own children inherit or repeat.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    thread::sleep,
    time::{Duration, Instant},
};

/// A word that no other process carries.
pub fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("mcp-mark-{}-{count}-", std::process::id())
}

/// Whether a process runs that carries the mark. A zombie has neither an environment
/// nor a command line. Only Linux tells; elsewhere nothing is ever found.
pub fn runs(mark: &str) -> bool {
    let carries = |file: &Path| {
        let text = fs::read(file).unwrap_or_default(); // it has just ended
        text.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut folders = processes.map(|process| process.path());
    folders.any(|it| carries(&it.join("environ")) || carries(&it.join("cmdline")))
}

/// A killed grandchild needs a moment to end.
#[track_caller]
pub fn assert_nothing_runs(mark: &str) {
    let start = Instant::now();
    while runs(mark) {
        assert!(start.elapsed() < Duration::from_secs(5), "a process is left: {mark}");
        sleep(Duration::from_millis(20));
    }
}
