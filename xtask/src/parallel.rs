//! The same work for many items, some at a time.

use anyhow::Result;
use rayon::{ThreadPoolBuilder, prelude::*};

/// Does the work on `jobs` threads. The results are in the order of the items; an error
/// stops no other item. `one` gets the number of its thread, from 0.
pub fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    one: impl Fn(usize, &T) -> Result<R> + Sync,
) -> Vec<Result<R>> {
    let number = || rayon::current_thread_index().unwrap_or_default();
    let all = || items.par_iter().map(|item| one(number(), item)).collect();
    match ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.install(all),
        Err(error) => vec![Err(error.into())],
    }
}
