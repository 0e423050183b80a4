//! What a program leaves behind: a process that left its group and lost its parent is
//! ours from then on, and ends here.

use anyhow::{Context, Result};
use std::{
    collections::BTreeSet,
    process::{Child, Command},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// The children that were started here; every other child is a stray. Held while one is
/// started, so that a sweep on another thread does not take it for a stray.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn started() -> MutexGuard<'static, BTreeSet<u32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, orphans among our descendants become our children.
#[cfg(target_os = "linux")]
pub fn adopt() -> Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
        .context("cannot adopt orphans")
}

#[cfg(not(target_os = "linux"))]
pub fn adopt() -> Result<()> {
    Ok(())
}

pub fn start(command: &mut Command) -> Result<Child> {
    let mut started = started();
    let child = command
        .spawn()
        .with_context(|| format!("cannot start {:?}", command.get_program()))?;
    started.insert(child.id());
    Ok(child)
}

/// Ends all that was started, and keeps others from being started. For the end of this
/// program only.
pub fn end_all() {
    let started = started();
    let ids = started.iter().filter_map(|id| i32::try_from(*id).ok());
    for group in ids.filter_map(rustix::process::Pid::from_raw) {
        // It may have ended just now.
        let _ =
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    std::mem::forget(started);
}

/// To be called once a child has been waited for.
pub fn forget(child: &Child) {
    started().remove(&child.id());
}

/// Ends all strays, and what they leave in turn.
#[cfg(target_os = "linux")]
pub fn sweep() {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
    use std::time::{Duration, Instant};

    let end = Instant::now() + Duration::from_secs(5);
    let started = started();
    loop {
        let strays = children().into_iter().filter(|id| !started.contains(id));
        let mut any = false;
        for id in strays {
            let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) else {
                continue;
            };
            any = true;
            // It may have ended just now.
            let _ = kill_process(id, Signal::KILL);
            let _ = waitpid(Some(id), WaitOptions::empty());
        }
        if !any || Instant::now() >= end {
            return;
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub fn sweep() {}

#[cfg(target_os = "linux")]
fn children() -> Vec<u32> {
    let own = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| parent(*id) == Some(own)).collect()
}

/// The fourth field of `stat`; the second, a name in brackets, may hold anything.
#[cfg(target_os = "linux")]
fn parent(id: u32) -> Option<u32> {
    let stat = std::fs::read(format!("/proc/{id}/stat")).ok()?;
    let name_ends = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&stat[name_ends + 1..]).ok()?;
    rest.split_whitespace().nth(1)?.parse().ok()
}

/// A sweep ends every child that [`start`] does not know, on whatever thread: no test of
/// this program may start one in another way.
#[cfg(all(test, target_os = "linux"))]
#[test]
fn a_process_that_left_its_group_and_its_parent_ends_with_the_run() {
    use crate::run::{Ended, Limits, run};
    use std::{path::Path, time::Duration};

    adopt().expect("a subreaper");
    let limits = Limits { time: Duration::from_secs(20), output: 1 << 10 };
    let mut shell = Command::new("sh");
    shell.args(["-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!"]);
    let ran = run(&mut shell, &limits).expect("a shell");
    assert_eq!(Ended::Exited(0), ran.ended);
    let id: u32 = ran.text.trim().parse().expect("the id of the process");
    assert!(!Path::new(&format!("/proc/{id}")).exists(), "process {id} is still there");
}
