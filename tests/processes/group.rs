//! No process is left behind, neither the server nor what it started.

use crate::{
    common::{
        limit::run,
        processes::{gone, reaped, runs, state},
    },
    script::*,
};
use std::time::Duration;

#[test]
fn after_close_there_is_not_even_a_zombie() {
    run(async {
        for script in ["cat >/dev/null", "exec sleep 60"] {
            let (client, mut notes) = ready(&format!("echo $$ >&2; {script}")).await;
            let server = stderr_line(&mut notes).await;
            assert!(runs(&server));
            client.close().await;
            assert_eq!(None, state(&server), "{script}");
        }
    });
}

#[test]
fn a_server_that_died_is_reaped_without_a_close() {
    run(async {
        let (_client, mut notes) = ready("echo $$ >&2; exit 3").await;
        let server = stderr_line(&mut notes).await;
        reaped(&server).await;
    });
}

#[test]
fn closing_ends_what_a_wrapper_left_in_the_background() {
    run(async {
        // The wrapper ends with its input, the server behind it does not.
        let script = "sleep 60 & echo $! >&2; cat >/dev/null";
        let (client, mut notes) = ready(script).await;
        let grandchild = stderr_line(&mut notes).await;
        assert!(runs(&grandchild));
        client.close().await;
        gone(&grandchild).await;
    });
}

#[test]
fn closing_ends_a_grandchild_that_ignores_sigterm() {
    run(async {
        let script = "(trap '' TERM; echo set >&2; exec sleep 60) & echo $! >&2
                      cat >/dev/null";
        let (client, mut notes) = ready(script).await;
        let lines = [stderr_line(&mut notes).await, stderr_line(&mut notes).await];
        let grandchild = lines.iter().find(|line| *line != "set").expect("its id");
        assert!(runs(grandchild));
        client.close().await;
        gone(grandchild).await;
    });
}

#[test]
fn the_death_of_a_wrapper_ends_the_rest_without_a_close() {
    run(async {
        let (_client, mut notes) = ready("sleep 60 & echo $! >&2; exit 3").await;
        let grandchild = stderr_line(&mut notes).await;
        gone(&grandchild).await;
    });
}

#[test]
fn a_client_that_is_dropped_kills_the_whole_group() {
    run(async {
        let script = "trap '' TERM; sleep 60 & echo $$ $! >&2; wait";
        let (client, mut notes) = ready(script).await;
        let pids = stderr_line(&mut notes).await;
        let (server, grandchild) = pids.split_once(' ').expect("two ids");
        assert!(runs(server) && runs(grandchild));
        drop(client);
        reaped(server).await;
        gone(grandchild).await;
    });
}

#[test]
fn a_close_that_is_given_up_kills_the_whole_group() {
    run(async {
        let script = "trap '' TERM; sleep 60 & echo $$ $! >&2; wait";
        let (client, mut notes) = ready(script).await;
        let pids = stderr_line(&mut notes).await;
        let (server, grandchild) = pids.split_once(' ').expect("two ids");
        let moment = Duration::from_millis(1);
        let close = tokio::time::timeout(moment, client.close()).await;
        close.expect_err("the ladder takes longer");
        reaped(server).await;
        gone(grandchild).await;
    });
}
