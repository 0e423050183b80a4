use super::*;
use std::fs;

const SHORT: Limits = Limits { time: Duration::from_millis(300), output: 1 << 16 };
const LONG: Limits = Limits { time: Duration::from_secs(20), output: 1 << 16 };

/// Runs a script; says also how long it took.
fn shell(script: &str, limits: &Limits) -> (Ran, Duration) {
    let start = Instant::now();
    let ran = run(Command::new("sh").args(["-c", script]), limits);
    (ran.expect("a shell starts"), start.elapsed())
}

/// Whether a process runs. One that was killed may stay a zombie for a while.
fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    let state = stat.as_deref().ok().and_then(|stat| stat.rsplit_once(") "));
    state.is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// A process that was killed ends when the system comes to it.
#[track_caller]
fn ends(pid: &str) {
    let start = Instant::now();
    while runs(pid) {
        assert!(start.elapsed() < LONG.time, "{pid} still runs");
        thread::yield_now();
    }
}

/// Otherwise the tests below could not fail.
#[test]
fn a_process_that_runs_is_seen() {
    assert!(runs(&std::process::id().to_string()));
}

#[test]
fn what_was_printed_comes_back_with_the_exit_code() {
    let (ran, _) = shell("echo err >&2; echo out; exit 7", &LONG);
    assert_eq!(("out\nerr\n", Ended::Exited(7)), (&*ran.text, ran.ended));
}

#[test]
fn a_signal_that_is_not_ours_is_told() {
    assert_eq!(Ended::Killed(6), shell("kill -ABRT $$", &LONG).0.ended);
}

#[test]
fn nothing_can_be_read_from_its_input() {
    let (ran, _) = shell("cat; echo done", &LONG);
    assert_eq!(("done\n", Ended::Exited(0)), (&*ran.text, ran.ended));
}

#[test]
fn output_without_an_end_is_cut_and_ends_the_program() {
    for script in ["while :; do echo yes; done", "while :; do echo no >&2; done"] {
        let (ran, took) = shell(script, &LONG);
        assert_eq!(Ended::TooMuchOutput, ran.ended, "{script}");
        assert_eq!(LONG.output, ran.text.len());
        assert!(took < LONG.time, "{took:?}");
    }
}

#[test]
fn output_up_to_the_limit_is_kept_whole() {
    let limits = Limits { output: 4, ..LONG };
    let (ran, _) = shell("printf 1234", &limits);
    assert_eq!(("1234", Ended::Exited(0)), (&*ran.text, ran.ended));
}

#[test]
fn a_loop_without_an_end_is_ended() {
    let (ran, took) = shell("while :; do :; done", &SHORT);
    assert_eq!(Ended::TooSlow, ran.ended);
    assert!((SHORT.time..LONG.time).contains(&took), "{took:?}");
}

#[test]
fn what_ignores_sigterm_is_ended_all_the_same() {
    let (ran, _) = shell("trap '' TERM; echo $$; while :; do :; done", &SHORT);
    assert_eq!(Ended::TooSlow, ran.ended);
    ends(&ran.text);
}

#[test]
fn a_grandchild_does_not_outlive_its_parent() {
    let (ran, took) = shell("sleep 60 & echo $!", &LONG);
    assert_eq!(Ended::Exited(0), ran.ended);
    ends(&ran.text);
    assert!(took < LONG.time, "it held the pipe open, and was waited for: {took:?}");
}

#[test]
fn a_grandchild_of_a_program_that_is_too_slow_is_ended_with_it() {
    let (ran, _) = shell("sleep 60 & echo $!; wait", &SHORT);
    assert_eq!(Ended::TooSlow, ran.ended);
    ends(&ran.text);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let error = run(&mut Command::new("/no/such"), &LONG).err().expect("no program");
    assert!(format!("{error:#}").contains("/no/such"), "{error:#}");
}
