//! Processes that are found by a word in their environment or command line, which
//! their own children inherit or repeat.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
    thread::sleep,
    time::Duration,
};

/// A word that no other process carries.
pub fn mark() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("mcp-mark-{}-{count}-", std::process::id())
}

/// The ids of the processes that carry the mark. A zombie has neither an environment
/// nor a command line. Only Linux tells; elsewhere nothing is ever found.
pub fn processes(mark: &str) -> Vec<i32> {
    let carries = |file: &Path| {
        let text = fs::read(file).unwrap_or_default(); // it has just ended
        text.windows(mark.len()).any(|window| window == mark.as_bytes())
    };
    let id = |folder: PathBuf| {
        let id = folder.file_name()?.to_str()?.parse().ok()?;
        let found =
            carries(&folder.join("environ")) || carries(&folder.join("cmdline"));
        found.then_some(id)
    };
    let folders = fs::read_dir("/proc").into_iter().flatten().flatten();
    folders.filter_map(|folder| id(folder.path())).collect()
}

pub fn runs(mark: &str) -> bool {
    !processes(mark).is_empty()
}

/// A killed grandchild needs a moment to end.
#[track_caller]
pub fn assert_nothing_runs(mark: &str) {
    for _ in 0..250 {
        if !runs(mark) {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("a process is left: {mark}");
}
