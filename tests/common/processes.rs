//! Whether a process still runs, from Linux's `/proc`.

#![allow(dead_code)] // Each test target uses a part of this.

use std::{fs, time::Duration};
use tokio::time::sleep;

/// The letter of a process's state, `Z` for a zombie; `None` if it does not exist.
pub fn state(pid: &str) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// A killed grandchild stays a zombie until PID 1 reaps it: it does not run any more.
pub fn runs(pid: &str) -> bool {
    !matches!(state(pid), None | Some('Z' | 'X'))
}

/// Waits until the process does not run any more. The test's own limit bounds it.
pub async fn gone(pid: &str) {
    while runs(pid) {
        sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until our child is reaped, too.
pub async fn reaped(pid: &str) {
    while state(pid).is_some() {
        sleep(Duration::from_millis(5)).await;
    }
}
