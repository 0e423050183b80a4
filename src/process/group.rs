//! A process group: a child and those of its descendants that stayed in the group.

#[cfg(unix)]
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// How to end a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// SIGTERM: a program may clean up first.
    Terminate,
    /// SIGKILL.
    Kill,
}

/// The process group that a child leads; its number is the child's process id.
#[cfg(unix)]
#[derive(Clone)]
pub struct Group {
    id: Option<rustix::process::Pid>,
    /// The system may reuse the number, so it is not used any more.
    empty: Arc<AtomicBool>,
}

#[cfg(unix)]
impl Group {
    /// The group of the child with this process id; `None` if it has been reaped.
    pub fn led_by(id: Option<u32>) -> Self {
        let id = id.and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(rustix::process::Pid::from_raw);
        Self { id, empty: Arc::new(AtomicBool::new(false)) }
    }

    // ANCHOR: group
    /// Sends the signal to every process of the group, if there is one left.
    pub fn signal(&self, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        if let Some(id) = self.in_use() {
            // An error means that the group is gone, which is the goal.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    /// Whether a process is left. While one is, the number is not reused; a zombie that
    /// is not reaped counts.
    pub fn lives(&self) -> bool {
        let test = self.in_use().map(rustix::process::test_kill_process_group);
        let lives = test.is_some_and(|result| result.is_ok());
        if !lives {
            self.empty.store(true, Ordering::Relaxed);
        }
        lives
    }

    fn in_use(&self) -> Option<rustix::process::Pid> {
        self.id.filter(|_| !self.empty.load(Ordering::Relaxed))
    }
    // ANCHOR_END: group
}

/// Elsewhere only the child itself is killed, when its `Process` is dropped.
#[cfg(not(unix))]
#[derive(Clone)]
pub struct Group;

#[cfg(not(unix))]
impl Group {
    /// The group of a child.
    pub fn led_by(_: Option<u32>) -> Self {
        Self
    }

    /// Does nothing.
    pub fn signal(&self, _: Signal) {}

    /// Unknown here.
    pub fn lives(&self) -> bool {
        false
    }
}
