//! Doing the same to many things at a time.

use anyhow::Result;
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Does all the work with `jobs` threads; the answers are in the order of the work.
/// `one` is told the number of its thread, from 0.
pub fn in_parallel<T: Sync, A: Send>(
    jobs: usize,
    work: &[T],
    one: impl Fn(usize, &T) -> Result<A> + Sync,
) -> Vec<Result<A>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for worker in 0..jobs.min(work.len()) {
            let (next, done, one) = (&next, &done, &one);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = work.get(at) else { return };
                    let answer = one(worker, item);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .insert(at, answer);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;
    use anyhow::{Result, ensure};
    use std::sync::Barrier;

    #[test]
    fn answers_are_in_the_order_of_the_work_and_an_error_stops_no_other() {
        let answers = in_parallel(3, &[1, 2, 3, 4, 5], |_, number| {
            ensure!(*number != 2, "not {number}");
            Ok(number * 10)
        });
        let told = answers.into_iter().map(|answer| answer.map_err(|e| e.to_string()));
        let expected = [Ok(10), Err("not 2".to_owned()), Ok(30), Ok(40), Ok(50)];
        assert_eq!(Vec::from(expected), Vec::from_iter(told));
    }

    /// Both must be at work for the barrier to open.
    #[test]
    fn each_thread_has_a_number_of_its_own() -> Result<()> {
        let both = Barrier::new(2);
        let workers = in_parallel(2, &[(), ()], |worker, ()| {
            both.wait();
            Ok(worker)
        });
        let mut workers = workers.into_iter().collect::<Result<Vec<_>>>()?;
        workers.sort();
        assert_eq!(vec![0, 1], workers);
        Ok(())
    }
}
