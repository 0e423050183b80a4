//! A process group: a child and all that it started and that stayed with it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

pub enum Signal {
    Terminate,
    Kill,
}

/// The process group that a child leads; its number is the child's process id.
#[derive(Clone)]
pub struct Group {
    id: u32,
    /// The system may give the number to somebody else, so it is not used any more.
    empty: Arc<AtomicBool>,
}

impl Group {
    pub fn led_by(id: u32) -> Self {
        Self { id, empty: Arc::new(AtomicBool::new(false)) }
    }

    /// While others live in the group, its number stays taken.
    pub fn leader_is_gone(&self) {
        if !self.lives() {
            self.empty.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(unix)]
impl Group {
    fn pid(&self) -> Option<rustix::process::Pid> {
        let in_use = !self.empty.load(Ordering::Relaxed);
        let id = i32::try_from(self.id).ok().filter(|_| in_use)?;
        rustix::process::Pid::from_raw(id)
    }

    pub fn signal(&self, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        // An error means that the group is gone, which is what was wanted.
        let _ = self.pid().map(|pid| rustix::process::kill_process_group(pid, signal));
    }

    pub fn lives(&self) -> bool {
        self.pid().is_some_and(|p| rustix::process::test_kill_process_group(p).is_ok())
    }
}

/// Elsewhere only the child itself is killed, when its `Process` is dropped.
#[cfg(not(unix))]
impl Group {
    pub fn signal(&self, _: Signal) {}

    pub fn lives(&self) -> bool {
        false
    }
}
