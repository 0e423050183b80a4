//! Requests in flight, in a row of slots: the place of an entry is its id.
//!
//! Right, and unlike the course's own module: there is no map. Ended entries leave an
//! empty slot, and the row loses its empty beginning. Deadlines wait in a heap, in which
//! those of ended entries stay until they come to the top.

use crate::jsonrpc::Id;
use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    time::Instant,
};

pub struct Pending<W> {
    /// The id of the first slot.
    first: i128,
    slots: VecDeque<Option<W>>,
    waiting: usize,
    /// Its top, if there is one, belongs to an entry that still waits.
    due: BinaryHeap<Reverse<(Instant, i128)>>,
}

impl<W> Default for Pending<W> {
    fn default() -> Self {
        let (slots, due) = (VecDeque::new(), BinaryHeap::new());
        Self { first: 1, slots, waiting: 0, due }
    }
}

impl<W> Pending<W> {
    pub fn open(&mut self, deadline: Instant, waiter: W) -> Id {
        let number = self.first + self.slots.len() as i128;
        self.slots.push_back(Some(waiter));
        self.waiting += 1;
        self.due.push(Reverse((deadline, number)));
        Id::Integer(number)
    }

    pub fn take(&mut self, id: &Id) -> Option<W> {
        let waiter = self.end(number(id)?);
        self.tidy();
        waiter
    }

    pub fn numeric_equivalent(&self, id: &Id) -> Option<Id> {
        let Id::String(text) = id else { return None };
        let digits = !text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        let number = Id::Integer(text.parse().ok()?);
        (digits && self.contains(&number)).then_some(number)
    }

    pub fn next_deadline(&self) -> Option<Instant> {
        self.due.peek().map(|Reverse((deadline, _))| *deadline)
    }

    pub fn expire(&mut self, now: Instant) -> Vec<(Id, W)> {
        let is_due = |deadline: &Instant| *deadline <= now;
        self.end_while(|deadline| is_due(&deadline))
    }

    pub fn drain(&mut self) -> Vec<W> {
        self.end_while(|_| true).into_iter().map(|(_, waiter)| waiter).collect()
    }

    pub fn contains(&self, id: &Id) -> bool {
        let slot = number(id).and_then(|number| self.place(number));
        slot.is_some_and(|place| self.slots[place].is_some())
    }

    pub fn len(&self) -> usize {
        self.waiting
    }

    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    fn place(&self, number: i128) -> Option<usize> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        (place < self.slots.len()).then_some(place)
    }

    fn end(&mut self, number: i128) -> Option<W> {
        let place = self.place(number)?;
        let waiter = self.slots[place].take()?;
        self.waiting -= 1;
        Some(waiter)
    }

    /// Ends those at the top, as long as their deadline says so.
    fn end_while(&mut self, ends: impl Fn(Instant) -> bool) -> Vec<(Id, W)> {
        let mut ended = Vec::new();
        while let Some(Reverse((deadline, number))) = self.due.peek().copied() {
            if !ends(deadline) {
                break;
            }
            self.due.pop();
            ended.extend(self.end(number).map(|waiter| (Id::Integer(number), waiter)));
        }
        self.tidy();
        ended
    }

    /// Drops the empty slots at the beginning and the deadlines of ended entries at the
    /// top. The row may become empty, but the count goes on.
    fn tidy(&mut self) {
        while let Some(None) = self.slots.front() {
            self.slots.pop_front();
            self.first += 1;
        }
        while let Some(Reverse((_, number))) = self.due.peek() {
            if self.contains(&Id::Integer(*number)) {
                break;
            }
            self.due.pop();
        }
    }
}

fn number(id: &Id) -> Option<i128> {
    match id {
        Id::Integer(number) => Some(*number),
        Id::String(_) => None,
    }
}
