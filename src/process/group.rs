//! A process group: a child and all that it started and that stayed with it.

#[cfg(unix)]
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

pub enum Signal {
    Terminate,
    Kill,
}

/// The process group that a child leads; its number is the child's process id.
#[cfg(unix)]
#[derive(Clone)]
pub struct Group {
    id: Option<rustix::process::Pid>,
    /// The system may give the number to somebody else, so it is not used any more.
    empty: Arc<AtomicBool>,
}

#[cfg(unix)]
impl Group {
    pub fn led_by(id: Option<u32>) -> Self {
        let id = id.and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(rustix::process::Pid::from_raw);
        Self { id, empty: Arc::new(AtomicBool::new(false)) }
    }

    // ANCHOR: group
    pub fn signal(&self, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        if let Some(id) = self.in_use() {
            // An error means that the group is gone, which is what was wanted.
            let _ = rustix::process::kill_process_group(id, signal);
        }
    }

    /// Whether anybody is left. While somebody is, the number stays taken; a zombie
    /// that nobody reaps counts.
    pub fn lives(&self) -> bool {
        let asked = self.in_use().map(rustix::process::test_kill_process_group);
        let lives = asked.is_some_and(|answer| answer.is_ok());
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
    pub fn led_by(_: Option<u32>) -> Self {
        Self
    }

    pub fn signal(&self, _: Signal) {}

    pub fn lives(&self) -> bool {
        false
    }
}
