//! Requests in flight: who waits for which id, and until when. Pure: time is an
//! argument.
//!
//! Answers may come in any order, late, twice or never. An entry ends exactly once: by
//! its answer, by its deadline, or because the connection is over.

use crate::jsonrpc::Id;
use std::{
    collections::{BTreeSet, HashMap},
    time::Instant,
};

/// A table of waiters `W`, which counts its ids 1, 2, 3, … and never uses one twice.
pub struct Pending<W> {
    last_id: i128,
    entries: HashMap<Id, (Instant, W)>,
    /// The same entries, soonest deadline first.
    deadlines: BTreeSet<(Instant, Id)>,
}

impl<W> Default for Pending<W> {
    fn default() -> Self {
        Self { last_id: 0, entries: HashMap::new(), deadlines: BTreeSet::new() }
    }
}

impl<W> Pending<W> {
    /// Enters a new request and returns the id that it must carry.
    pub fn open(&mut self, deadline: Instant, waiter: W) -> Id {
        self.last_id += 1;
        let id = Id::Integer(self.last_id);
        self.entries.insert(id.clone(), (deadline, waiter));
        self.deadlines.insert((deadline, id.clone()));
        id
    }

    /// Ends the entry of `id`: its answer has come, or its caller has given up. `None`:
    /// nobody waits for it (any more).
    pub fn take(&mut self, id: &Id) -> Option<W> {
        let (deadline, waiter) = self.entries.remove(id)?;
        self.deadlines.remove(&(deadline, id.clone()));
        Some(waiter)
    }

    /// Ends every entry whose deadline is `now` or earlier, soonest first.
    pub fn expire(&mut self, now: Instant) -> Vec<(Id, W)> {
        let mut expired = Vec::new();
        while self.next_deadline().is_some_and(|deadline| deadline <= now) {
            let Some((_, id)) = self.deadlines.pop_first() else { break };
            if let Some((_, waiter)) = self.entries.remove(&id) {
                expired.push((id, waiter));
            }
        }
        expired
    }

    /// When [`Pending::expire`] will next have something to do.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Ends all entries, in the order of their ids' deadlines: the connection is over.
    pub fn drain(&mut self) -> Vec<W> {
        let order = std::mem::take(&mut self.deadlines);
        order.iter().filter_map(|(_, id)| Some(self.entries.remove(id)?.1)).collect()
    }

    /// Whether somebody waits for `id`.
    pub fn contains(&self, id: &Id) -> bool {
        self.entries.contains_key(id)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
