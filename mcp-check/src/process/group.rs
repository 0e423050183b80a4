//! Process groups, and a list of those that live, for when a signal ends the checker.

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::sync::{Mutex, PoisonError};

static LIVING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// The group that a child leads; its number is the child's process id.
pub struct Group(u32);

impl Group {
    pub fn led_by(child: u32) -> Self {
        living(|groups| groups.push(child));
        Self(child)
    }

    pub fn kill(&self) {
        if living(|groups| groups.contains(&self.0)) {
            kill_group(self.0);
        }
    }

    /// The system may give the number of an empty group to somebody else.
    pub fn forget_if_empty(&self) {
        if !group_lives(self.0) {
            self.forget();
        }
    }

    pub fn forget(&self) {
        living(|groups| groups.retain(|group| *group != self.0));
    }
}

/// Kills every program under test.
pub fn kill_all() {
    living(|groups| groups.drain(..).for_each(kill_group));
}

fn living<T>(work: impl FnOnce(&mut Vec<u32>) -> T) -> T {
    work(&mut LIVING.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(unix)]
fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

#[cfg(unix)]
fn kill_group(number: u32) {
    if let Some(group) = pid(number) {
        let _ = kill_process_group(group, Signal::KILL); // it has ended meanwhile
    }
}

#[cfg(unix)]
fn group_lives(number: u32) -> bool {
    pid(number).is_some_and(|it| rustix::process::test_kill_process_group(it).is_ok())
}

/// Kills a process that is known to be ours.
#[cfg(unix)]
pub fn kill_one(number: u32) {
    if let Some(process) = pid(number) {
        let _ = kill_process(process, Signal::KILL);
    }
}

/// Whether a process has ended. A zombie that nobody has reaped yet has.
#[cfg(unix)]
pub fn has_ended(number: u32) -> bool {
    let Some(process) = pid(number) else { return true };
    if rustix::process::test_kill_process(process).is_err() {
        return true;
    }
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat"));
    // The state follows the name, which stands in parentheses and may hold any text.
    stat.is_ok_and(|stat| {
        stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z"))
    })
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

#[cfg(not(unix))]
fn group_lives(_: u32) -> bool {
    false
}

#[cfg(not(unix))]
pub fn kill_one(_: u32) {}

#[cfg(not(unix))]
pub fn has_ended(_: u32) -> bool {
    true
}
