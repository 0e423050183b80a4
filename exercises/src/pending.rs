//! Requests in flight: who waits for which id, and until when. Pure: time is an
//! argument.
//!
//! Answers may come in any order, late, twice or never. An entry ends exactly once: by
//! its answer, by its deadline, or because the connection is over.

#![allow(unused)]

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
    /// Enters a new request and returns the id that it must carry: 1 for the first, and
    /// then always the next, whatever has ended since.
    pub fn open(&mut self, deadline: Instant, waiter: W) -> Id {
        todo!("task 4.2: enter a request")
    }

    /// Ends the entry of `id`: its answer has come, or its caller has given up. `None`:
    /// nobody waits for it (any more), and nothing changes.
    pub fn take(&mut self, id: &Id) -> Option<W> {
        todo!("task 4.3: find who waits for an answer")
    }

    /// The number that is waited for, if `id` is a string with its very digits: 1 for
    /// `"1"`. Some gateways write ids so. It serves a remark; it is no match, and ends
    /// nothing. `None` for all else: `"01"`, a number, a string that nobody waits for.
    pub fn numeric_equivalent(&self, id: &Id) -> Option<Id> {
        todo!("task 4.4: say what a strange answer was meant for")
    }

    /// When [`Pending::expire`] will next have something to do: the soonest deadline of
    /// all entries. `None`: the table is empty.
    pub fn next_deadline(&self) -> Option<Instant> {
        todo!("task 4.5: end what has waited too long")
    }

    /// Ends every entry whose deadline is `now` or earlier. They come soonest first; of
    /// two with the same deadline the one that was opened first.
    pub fn expire(&mut self, now: Instant) -> Vec<(Id, W)> {
        todo!("task 4.5: end what has waited too long")
    }

    /// Ends all entries, because the connection is over. They come in the order in
    /// which [`Pending::expire`] would have ended them.
    pub fn drain(&mut self) -> Vec<W> {
        todo!("task 4.6: let everybody go when the connection is over")
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
