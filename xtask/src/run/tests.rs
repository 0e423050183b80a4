use super::*;
use std::fs;

const SHORT: Limits = Limits { time: Duration::from_millis(300), output: 1 << 16 };
const LONG: Limits = Limits { time: Duration::from_secs(20), output: 1 << 16 };

fn shell(script: &str, limits: &Limits) -> Ran {
    run(Command::new("sh").args(["-c", script]), limits).expect("a shell starts")
}

/// Whether a process runs. A killed one can stay a zombie for a while.
fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    let state = stat.as_deref().ok().and_then(|stat| stat.rsplit_once(") "));
    state.is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// The system removes a killed process a moment later.
#[track_caller]
fn ends(pid: &str) {
    let start = Instant::now();
    while runs(pid) {
        assert!(start.elapsed() < LONG.time, "process {pid} still runs");
        thread::yield_now();
    }
}

#[test]
fn the_output_and_the_exit_code_are_returned() {
    assert!(runs(&std::process::id().to_string()), "`runs` sees no process");
    let ran = shell("cat; echo err >&2; echo out; exit 7", &LONG);
    assert_eq!(("out\nerr\n", Ended::Exited(7)), (&*ran.text, ran.ended));
    assert_eq!(Ended::Killed(6), shell("kill -ABRT $$", &LONG).ended);
    assert_eq!(Ended::Killed(6), shell("sh -c 'kill -ABRT $$'; exit $?", &LONG).ended);
}

#[test]
fn output_is_limited_on_stdout_and_on_stderr() {
    for script in ["while :; do echo yes; done", "while :; do echo no >&2; done"] {
        let ran = shell(script, &LONG);
        assert_eq!((Ended::TooMuchOutput, LONG.output), (ran.ended, ran.text.len()));
    }
    let ran = shell("printf 1234", &Limits { output: 4, ..LONG });
    assert_eq!(("1234", Ended::Exited(0)), (&*ran.text, ran.ended));
}

#[test]
fn a_program_that_is_too_slow_is_killed_with_its_group() {
    let ran = shell("trap '' TERM; echo $$; while :; do :; done", &SHORT);
    assert_eq!(Ended::TooSlow, ran.ended);
    ends(&ran.text);
    let ran = shell("sleep 60 & echo $!; wait", &SHORT);
    assert_eq!(Ended::TooSlow, ran.ended);
    ends(&ran.text);
}

/// It holds the pipe of stdout open, too.
#[test]
fn a_grandchild_does_not_outlive_its_parent() {
    let ran = shell("sleep 60 & echo $!", &LONG);
    assert_eq!(Ended::Exited(0), ran.ended);
    ends(&ran.text);
}

#[test]
fn a_missing_program_is_named_in_the_error() {
    let error = run(&mut Command::new("/no/such"), &LONG).err().expect("no program");
    assert!(format!("{error:#}").contains("/no/such"), "{error:#}");
}
