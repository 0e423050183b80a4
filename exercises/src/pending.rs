//! The table of pending requests: which caller waits for which id, and until when.
//! Pure: time is an argument.
//!
//! Responses may arrive in any order, late, twice or never. An entry ends exactly once:
//! by its response, by its deadline, because its caller stops waiting, or because the
//! connection is closed.

#![allow(unused)]

use crate::jsonrpc::Id;
use std::{
    collections::{BTreeSet, HashMap},
    time::Instant,
};

/// A table of waiting callers `W`. Its ids are 1, 2, 3, …; none is used twice.
///
/// ```
/// use mcp_from_scratch::{jsonrpc::Id, pending::Pending};
/// use std::time::{Duration, Instant};
///
/// let (now, mut pending) = (Instant::now(), Pending::default());
/// let first = pending.open(now + Duration::from_secs(10), "the first caller");
/// pending.open(now + Duration::from_secs(5), "the second caller");
///
/// assert_eq!(Some("the first caller"), pending.take(&first));
/// assert_eq!(None, pending.take(&first));
/// assert_eq!(1, pending.expire(now + Duration::from_secs(5)).len());
/// ```
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
    /// Adds a request and returns the id that it must carry: 1 for the first, then
    /// always the next number, whatever has ended since.
    pub fn open(&mut self, deadline: Instant, waiter: W) -> Id {
        todo!("task 4.2: add a request")
    }

    /// Removes the entry of `id`, because its response has arrived or its caller has
    /// stopped waiting. `None`: no request is pending under this id.
    pub fn take(&mut self, id: &Id) -> Option<W> {
        todo!("task 4.3: find the caller of a response")
    }

    /// The pending number that the string `id` spells: 1 for `"1"`. Some gateways send
    /// ids back like this. For a log only: it is not a match and ends no entry. `None`
    /// for everything else: `"01"`, a number, a string without a pending request.
    pub fn numeric_equivalent(&self, id: &Id) -> Option<Id> {
        todo!("task 4.4: explain a response with an unknown id")
    }

    /// The soonest deadline of all entries; `None` if the table is empty.
    pub fn next_deadline(&self) -> Option<Instant> {
        todo!("task 4.5: expire what has waited too long")
    }

    /// Removes every entry whose deadline is `now` or earlier, soonest first; of two
    /// with the same deadline, the one that was opened first.
    pub fn expire(&mut self, now: Instant) -> Vec<(Id, W)> {
        todo!("task 4.5: expire what has waited too long")
    }

    /// Removes all entries, because the connection is closed, in the order in which
    /// [`Pending::expire`] would have removed them.
    pub fn drain(&mut self) -> Vec<W> {
        todo!("task 4.6: release all callers when the connection is closed")
    }

    /// Whether a request is pending under `id`.
    pub fn contains(&self, id: &Id) -> bool {
        self.entries.contains_key(id)
    }

    /// How many requests are pending.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no request is pending.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
