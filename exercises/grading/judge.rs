//! One test: a rule, a time limit, and the learner's code.

use crate::{
    clock::Clock,
    course::Task,
    differ::{Failure, Verdict},
};
use std::{
    any::Any,
    cell::RefCell,
    cmp::Ordering,
    env,
    fmt::Write,
    panic::{self, resume_unwind},
    path::Path,
    process::Command,
    sync::{Once, mpsc},
    thread,
    time::Duration,
};

/// A correct solution needs a small part of this. Waiting for a processor does not count.
const LIMIT: Duration = Duration::from_secs(2);
/// How often the limit is checked.
const INTERVAL: Duration = Duration::from_millis(50);
const JUDGED: &str = "judged";
/// Set in the process of a test that runs in its own process.
const APART: &str = "JUDGED_APART";

/// The payload of a panic whose message is already printed.
struct Reported;

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `body`, which checks that `rule` holds. If it does not, prints a report and
/// fails the test. A panic and an endless loop fail this test only.
///
/// # Panics
///
/// If the rule does not hold: this fails the test.
pub fn judge(task: &str, rule: &str, body: impl FnOnce() -> Verdict + Send + 'static) {
    if let Err(text) = report(task, rule, body) {
        eprintln!("{text}");
        resume_unwind(Box::new(Reported));
    }
}

/// Like [`judge`], but returns the report instead of failing.
pub fn report(
    task: &str,
    rule: &str,
    body: impl FnOnce() -> Verdict + Send + 'static,
) -> Result<(), String> {
    catch_panics_quietly();
    let (started, clock) = mpsc::channel();
    let (done, verdict) = mpsc::channel();
    let number = task.to_owned();
    let judged = thread::Builder::new().name(JUDGED.into()).spawn(move || {
        let _ = started.send(Clock::start());
        let ended = panic::catch_unwind(panic::AssertUnwindSafe(body));
        let verdict = ended.unwrap_or_else(|payload| Err(of_panic(&*payload, &number)));
        let _ = done.send(verdict);
    });
    judged.unwrap_or_else(|error| panic!("no thread for a test: {error}"));
    let clock = clock.recv().expect("the thread starts with this");
    let verdict = loop {
        match verdict.recv_timeout(INTERVAL) {
            Ok(verdict) => break verdict,
            Err(_) if clock.time() > LIMIT => break Err(of_a_loop()),
            Err(_) => {}
        }
    };
    verdict.map_err(|failure| text_of(task, rule, &failure))
}

/// Like [`judge`], on its own runtime.
pub fn judge_async<F>(task: &str, rule: &str, body: impl FnOnce() -> F + Send + 'static)
where
    F: Future<Output = Verdict>,
{
    judge(task, rule, move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::new(format!("no runtime: {error}")))?;
        runtime.block_on(body())
    });
}

/// Like [`judge`], in its own process, for code that could end the process: endless
/// recursion would end all tests. `test` is the name of the calling test.
///
/// # Panics
///
/// If the rule does not hold.
pub fn judge_apart(
    test: &str,
    task: &str,
    rule: &str,
    body: impl FnOnce() -> Verdict + Send + 'static,
) {
    if env::var_os(APART).is_some() {
        return judge(task, rule, body);
    }
    let ended = env::current_exe().and_then(|program| {
        let arguments = [test, "--exact", "--nocapture"];
        Command::new(program).args(arguments).env(APART, "1").output()
    });
    match ended {
        Ok(ended) if ended.status.success() => {}
        Ok(ended) if ended.status.code().is_some() => {
            eprint!("{}", String::from_utf8_lossy(&ended.stderr));
            resume_unwind(Box::new(Reported));
        }
        Ok(_) => judge(task, rule, || Err(of_an_abort())),
        Err(error) => panic!("no process for a test: {error}"),
    }
}

fn text_of(task: &str, rule: &str, failure: &Failure) -> String {
    let (exercise, task) = Task::find(task).expect("a test names a task of the course");
    let mut text = format!("task {}, {}\n\n", task.number, task.title);
    let _ = writeln!(text, "  rule      {rule}");
    text.push_str(&failure.to_string());
    let chapter = exercise.number.trim_start_matches('0');
    let section = task.section;
    let _ = writeln!(text, "  read      chapter {chapter}, “{section}”");
    let _ = writeln!(text, "  hints     {}", exercise.hints());
    text
}

/// The default hook prints a thread's id and a backtrace. This one keeps the place of
/// the panic for the report.
fn catch_panics_quietly() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(JUDGED) {
                return default(info);
            }
            let place = info
                .location()
                .map(|place| format!("{}:{}", source(place.file()), place.line()));
            PANIC.with_borrow_mut(|kept| *kept = place);
        }));
    });
}

/// `exercises/tests/01_jsonrpc_codec/../../src/x.rs` is `exercises/src/x.rs`.
fn source(file: &str) -> String {
    let module = file.split_once("/../../").and_then(|(grader, module)| {
        Some(Path::new(grader).ancestors().nth(2)?.join(module))
    });
    module.map_or(file.into(), |module| module.display().to_string())
}

fn of_panic(payload: &(dyn Any + Send), judged: &str) -> Failure {
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    let place = PANIC.with_borrow_mut(Option::take).unwrap_or_default();
    match text.strip_prefix("not yet implemented: task ") {
        Some(task) => {
            of_a_stub(task.split(':').next().unwrap_or_default(), judged, &place)
        }
        None => Failure::new(format!("a panic: {text}\nat {place}"))
            .because("an `unwrap`, an index or a subtraction got an unexpected value"),
    }
}

/// A test of the task `judged` reached the stub of `task`. Numbers such as 1.2 are
/// compared as text: no exercise has ten tasks.
fn of_a_stub(task: &str, judged: &str, place: &str) -> Failure {
    let likely = match task.cmp(judged) {
        Ordering::Equal => "start here: write this function".to_owned(),
        Ordering::Less => format!("write task {task} first"),
        Ordering::Greater => format!(
            "the input of this test should not reach task {task}: what task {judged} \
             returns for it leads there"
        ),
    };
    Failure::new(format!("the stub of task {task}, at {place}")).because(&likely)
}

fn of_an_abort() -> Failure {
    Failure::new("the whole process ended")
        .because("endless recursion, until the stack overflowed")
}

fn of_a_loop() -> Failure {
    Failure::new(format!("no end within {} s", LIMIT.as_secs()))
        .because("an endless loop, or a wait for an event that never happens")
}
