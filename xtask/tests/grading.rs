//! How the exercises are judged: what a learner reads about a difference, a panic and
//! an endless loop, and about the progress so far.

use exercises::{
    Explain, Verdict, account,
    course::{EXERCISES, Exercise},
    holds, judge, judge_async, same, same_bytes,
    standing::{COURSE, mark, standing},
};
use std::{fs, panic, path::Path, thread};

/// What a learner reads about a verdict.
fn text_of(verdict: Verdict) -> String {
    verdict.expect_err("the rule is broken").to_string()
}

/// What a learner reads about a failed test.
fn account_of(body: impl FnOnce() -> Verdict + Send + 'static) -> String {
    account("1.1", "it holds", body).expect_err("the rule is broken")
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
}

#[test]
fn a_difference_in_the_first_character_has_no_mark() {
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
}

#[test]
fn bytes_that_are_not_text_are_escaped() {
    let text = text_of(same_bytes(b"\x1b\xff", b"\x1b"));
    assert!(text.contains("\\xff") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn a_broken_rule_shows_what_was_expected() {
    let text = text_of(holds(false, "at most 5", 7));
    assert_eq!("  expected  at most 5\n  got       7\n", text);
}

#[test]
fn several_lines_are_aligned() {
    let text = text_of(holds(false, "one\ntwo", 7));
    assert_eq!("  expected  one\n            two\n  got       7\n", text);
}

#[test]
fn a_failed_test_shows_the_task_the_rule_and_where_to_read() {
    let task = &EXERCISES[0].tasks[0];
    let expected = format!(
        "task 1.1, {}\n\n  rule      it holds\n  expected  1\n  got       2\n  read      \
         chapter 1, “{}”\n  hints     book/src/exercises/01-jsonrpc-codec.md\n",
        task.title, task.section
    );
    assert_eq!(expected, account_of(|| same(1, 2)));
}

#[test]
fn a_panic_is_reported_with_its_place_and_without_a_backtrace() {
    let text = account_of(|| {
        let first = Vec::new().pop();
        same(1, first.unwrap())
    });
    assert!(text.contains("  got       a panic: called `Option::unwrap()`"), "{text}");
    assert!(text.contains("\n            at xtask/tests/grading.rs:"), "{text}");
    assert!(text.contains("  likely    an `unwrap`, an index"), "{text}");
    assert!(!text.contains("thread"), "{text}");
}

#[test]
fn an_unwritten_function_is_not_a_mistake() {
    let text = account_of(|| todo!("task 1.1: write a message"));
    assert!(text.contains("  got       nothing yet, at xtask/tests"), "{text}");
    assert!(text.contains("  likely    this is where to begin"), "{text}");
}

#[test]
fn an_endless_loop_ends_after_two_seconds() {
    let text = account_of(|| {
        loop {
            thread::park();
        }
    });
    assert!(text.contains("  got       no end within 2 s\n"), "{text}");
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

/// Modules in which the first `written` tasks are not stubs.
fn sources(written: impl Fn(&Exercise) -> usize) -> tempfile::TempDir {
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
    folder
}

#[test]
fn at_the_start_nothing_is_written() {
    let (text, begun) = standing(sources(|_| 0).path(), &COURSE);
    assert!(!begun && text.starts_with("This is the start"), "{text}");
    assert!(text.contains("  01 the JSON-RPC codec: 7 tasks, none written"), "{text}");
    assert!(text.contains(
        "\nNext is task 1.1, write a message, in exercises/src/jsonrpc.rs.\n"
    ));
}

#[test]
fn a_missing_module_is_not_written() {
    let (text, begun) = standing(Path::new("/no/such/folder"), &COURSE);
    assert!(!begun && text.contains("7 tasks, none written"), "{text}");
}

#[test]
fn one_written_task_is_progress() {
    let first = |exercise: &Exercise| usize::from(exercise.number == "01");
    let (text, begun) = standing(sources(first).path(), &COURSE);
    assert!(begun && text.starts_with("Where you stand:"), "{text}");
    assert!(text.contains("  01 the JSON-RPC codec: 1 of 7 tasks written"), "{text}");
    assert!(text.contains("\nNext is task 1.2, "), "{text}");
}

#[test]
fn the_next_exercise_is_the_first_unfinished_one() {
    let done = |exercise: &Exercise| match exercise.number {
        "01" => exercise.tasks.len(),
        _ => 0,
    };
    let (text, begun) = standing(sources(done).path(), &COURSE);
    assert!(begun && text.contains("all 7 tasks written"), "{text}");
    let next = EXERCISES[1..].iter().find(|exercise| !exercise.tasks.is_empty());
    let next = next.map(|next| format!("\nNext is task {}, ", next.tasks[0].number));
    assert!(next.is_none_or(|next| text.contains(&next)), "{text}");
}

#[test]
fn after_the_last_task_nothing_is_next() {
    let (text, begun) =
        standing(sources(|exercise| exercise.tasks.len()).path(), &COURSE);
    assert!(begun && !text.contains("Next is"), "{text}");
}

/// The stub that was reached decides which task the text names.
#[test]
fn the_stub_of_another_task_is_named() {
    let reached = |task: &'static str| {
        let text =
            account("1.4", "it is so", move || panic!("not yet implemented: {task}"));
        text.expect_err("the rule does not hold")
    };
    assert!(reached("task 1.4: x").contains("this is where to begin"));
    assert!(reached("task 1.3: x").contains("task 1.3 comes first"));
    let late = reached("task 1.5: x");
    assert!(late.contains("a call of task 1.5, which is not written yet"), "{late}");
    assert!(late.contains("what task 1.4 returns for it sends it on"), "{late}");
}
