//! How the exercises are judged: the text about a difference, a panic and an endless
//! loop, and about the progress so far.

use exercises::{
    Explain, Verdict,
    course::{EXERCISES, Exercise},
    holds, judge, judge_async, report, same, same_bytes,
    standing::{COURSE, mark, standing},
};
use std::{fs, panic, path::Path, thread};

fn text_of(verdict: Verdict) -> String {
    verdict.expect_err("the rule is broken").to_string()
}

fn report_of(body: impl FnOnce() -> Verdict + Send + 'static) -> String {
    report("1.4", "it holds", body).expect_err("the rule is broken")
}

#[test]
fn equal_values_pass() {
    for verdict in [
        same(1, 1),
        same_bytes("a", b"a"),
        holds(true, "so", ()),
        same(1, 1).given("x").likely("y"),
    ] {
        assert!(verdict.is_ok());
    }
}

#[test]
fn a_difference_is_marked_where_it_begins() {
    let text = text_of(same(Some("ab"), Some("ac")).given("x").likely("y"));
    let at = " ".repeat("  got       Some(\"a".len());
    let expected = format!(
        "  given     x\n  expected  Some(\"ab\")\n  got       Some(\"ac\")\n{at}^\n  \
         likely    y\n"
    );
    assert_eq!(expected, text);
    assert_eq!("  expected  1\n  got       2\n", text_of(same(1, 2)));
}

/// If one is a prefix of the other, the difference is at its end.
#[test]
fn the_first_different_byte_is_named() {
    let text = text_of(same_bytes("你好\r\n", "你好\n"));
    let at = " ".repeat("  expected  你好".chars().count());
    assert_eq!(
        format!("  expected  你好\\r\\n\n  got       你好\\n\n{at}^ byte 6\n"),
        text
    );
    let text = text_of(same_bytes("abc", "ab"));
    assert!(text.contains("\n  got       ab\n              ^ byte 2\n"), "{text}");
    let text = text_of(same_bytes("a", ""));
    assert!(text.contains("\n  got       nothing\n            ^ byte 0\n"), "{text}");
    let text = text_of(same_bytes(b"\x1b\xff", b"\x1b"));
    assert!(text.contains("\\xff") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn several_lines_are_aligned() {
    let text = text_of(holds(false, "one\ntwo", 7));
    assert_eq!("  expected  one\n            two\n  got       7\n", text);
}

#[test]
fn a_failed_test_shows_the_task_the_rule_and_where_to_read() {
    let task = &EXERCISES[0].tasks[3];
    let expected = format!(
        "task 1.4, {}\n\n  rule      it holds\n  expected  1\n  got       2\n  read      \
         chapter 1, “{}”\n  hints     book/src/exercises/01-jsonrpc-codec.md\n",
        task.title, task.section
    );
    assert_eq!(expected, report_of(|| same(1, 2)));
}

#[test]
fn a_panic_is_reported_with_its_place_and_without_a_backtrace() {
    let text = report_of(|| {
        let first = Vec::new().pop();
        same(1, first.unwrap())
    });
    assert!(text.contains("  got       a panic: called `Option::unwrap()`"), "{text}");
    assert!(text.contains("\n            at xtask/tests/grading.rs:"), "{text}");
    assert!(text.contains("  likely    an `unwrap`, an index"), "{text}");
    assert!(!text.contains("thread"), "{text}");
}

#[test]
fn an_endless_loop_ends_after_two_seconds() {
    let text = report_of(|| {
        loop {
            thread::park();
        }
    });
    assert!(text.contains("  got       no end within 2 s\n"), "{text}");
}

#[test]
fn a_stub_that_was_reached_is_named() {
    for (task, likely) in [
        ("task 1.4: x", "start here: write this function"),
        ("task 1.3: x", "write task 1.3 first"),
        ("task 1.5: x", "the input of this test should not reach task 1.5"),
    ] {
        let text = report_of(move || panic!("not yet implemented: {task}"));
        let stub = format!("  got       the stub of {}, at xtask/tests", &task[..8]);
        assert!(text.contains(&stub) && text.contains(likely), "{text}");
    }
}

#[test]
fn a_test_fails_if_and_only_if_its_rule_is_broken() {
    judge("1.1", "it holds", || Ok(()));
    judge_async("1.1", "it holds", || async { Ok(()) });
    for broken in [
        panic::catch_unwind(|| judge("1.1", "it holds", || same(1, 2))),
        panic::catch_unwind(|| judge("1.1", "it holds", || panic!("no"))),
        panic::catch_unwind(|| {
            judge_async("1.1", "it holds", || async { same(1, 2) });
        }),
    ] {
        assert!(broken.is_err());
    }
}

/// The progress with modules in which the first `written` tasks are not stubs.
fn progress(written: impl Fn(&Exercise) -> usize) -> (String, bool) {
    let folder = tempfile::tempdir().expect("a folder");
    for exercise in EXERCISES {
        for module in exercise.modules {
            let open = exercise.tasks.iter().skip(written(exercise));
            let here = |(place, _): &(&str, &str)| place == module;
            let open = open.filter(|task| task.regions.iter().any(here));
            let text: String = open.map(|task| mark(task) + "\n").collect();
            let path = folder.path().join(module);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("a module");
        }
    }
    standing(folder.path(), &COURSE)
}

#[test]
fn progress_names_the_next_task() {
    let missing = standing(Path::new("/no/such/folder"), &COURSE);
    for (text, begun) in [progress(|_| 0), missing] {
        assert!(!begun && text.starts_with("This is the start"), "{text}");
        assert!(
            text.contains("  01 the JSON-RPC codec: 7 tasks, none written"),
            "{text}"
        );
        let next =
            "\nNext is task 1.1, write a message, in exercises/src/jsonrpc.rs.\n";
        assert!(text.contains(next), "{text}");
    }
    for (of_first, state, next) in
        [(1, "1 of 7 tasks written", "1.2"), (7, "all 7 tasks written", "2.1")]
    {
        let of =
            |exercise: &Exercise| if exercise.number == "01" { of_first } else { 0 };
        let (text, begun) = progress(of);
        assert!(begun && text.contains(state), "{text}");
        assert!(text.contains(&format!("\nNext is task {next}, ")), "{text}");
    }
    let (text, begun) = progress(|exercise| exercise.tasks.len());
    assert!(begun && !text.contains("Next is"), "{text}");
}
