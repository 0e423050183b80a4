//! A time limit for tests that wait for another task or process.

use std::{future::Future, panic::resume_unwind, sync::mpsc, thread, time::Duration};

/// No test here needs nearly as long.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs `body` on a separate runtime. One that hangs, or loops without an end, costs
/// its own test only.
#[track_caller]
pub fn run(body: impl Future<Output = ()> + Send + 'static) {
    let (done, wait) = mpsc::channel();
    let test = thread::spawn(move || {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(body);
        let _ = done.send(());
    });
    match wait.recv_timeout(LIMIT) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("not done after {LIMIT:?}"),
        _ => test.join().unwrap_or_else(|panic| resume_unwind(panic)),
    }
}
