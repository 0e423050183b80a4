//! The same work for many items, some at a time.

use anyhow::Result;
use rayon::{ThreadPoolBuilder, prelude::*};

/// Uses `jobs` threads; keeps the order. An error stops no other item.
pub fn in_parallel<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    one: impl Fn(&T) -> Result<R> + Send + Sync,
) -> Vec<Result<R>> {
    match ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.install(|| items.par_iter().map(one).collect()),
        Err(error) => vec![Err(error.into())],
    }
}
