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

// ANCHOR: pending
/// A table of waiters `W`, which counts its ids 1, 2, 3, … and never uses one twice.
pub struct Pending<W> {
    last_id: i128,
    entries: HashMap<Id, (Instant, W)>,
    /// The same entries, soonest deadline first.
    deadlines: BTreeSet<(Instant, Id)>,
}
// ANCHOR_END: pending

impl<W> Default for Pending<W> {
    fn default() -> Self {
        Self { last_id: 0, entries: HashMap::new(), deadlines: BTreeSet::new() }
    }
}

impl<W> Pending<W> {
    // ANCHOR: open
    /// Enters a new request and returns the id that it must carry: 1 for the first, and
    /// then always the next, whatever has ended since.
    pub fn open(&mut self, deadline: Instant, waiter: W) -> Id {
        self.last_id += 1;
        let id = Id::Integer(self.last_id);
        self.entries.insert(id.clone(), (deadline, waiter));
        self.deadlines.insert((deadline, id.clone()));
        id
    }
    // ANCHOR_END: open

    // ANCHOR: take
    /// Ends the entry of `id`: its answer has come, or its caller has given up. `None`:
    /// nobody waits for it (any more), and nothing changes.
    pub fn take(&mut self, id: &Id) -> Option<W> {
        let (deadline, waiter) = self.entries.remove(id)?;
        self.deadlines.remove(&(deadline, id.clone()));
        Some(waiter)
    }
    // ANCHOR_END: take

    // ANCHOR: meant-by
    /// The number that is waited for, if `id` is a string with its very digits: 1 for
    /// `"1"`. Some gateways write ids so. It serves a remark; it is no match, and ends
    /// nothing. `None` for all else: `"01"`, a number, a string that nobody waits for.
    pub fn meant_by(&self, id: &Id) -> Option<Id> {
        let Id::String(text) = id else { return None };
        let number = Id::Integer(text.parse().ok()?);
        (number.to_string() == *text && self.contains(&number)).then_some(number)
    }
    // ANCHOR_END: meant-by

    // ANCHOR: expire
    /// When [`Pending::expire`] will next have something to do: the soonest deadline of
    /// all entries. `None`: the table is empty.
    pub fn next_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Ends every entry whose deadline is `now` or earlier. They come soonest first; of
    /// two with the same deadline the one that was opened first.
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
    // ANCHOR_END: expire

    // ANCHOR: drain
    /// Ends all entries, because the connection is over. They come in the order in
    /// which [`Pending::expire`] would have ended them.
    pub fn drain(&mut self) -> Vec<W> {
        let order = std::mem::take(&mut self.deadlines);
        order.iter().filter_map(|(_, id)| Some(self.entries.remove(id)?.1)).collect()
    }
    // ANCHOR_END: drain

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
