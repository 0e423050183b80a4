//! A project of the learner's own, as `start` makes it.

mod common;

use common::{below, output, read, root, stderr, stdout, write, xtask};
use exercises::course::EXERCISES;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A project for one test, always in the same folder.
fn project(test: &str, from: usize) -> PathBuf {
    let place = format!("project-{test}-{from}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(place);
    let _ = fs::remove_dir_all(&folder);
    let mut start = xtask();
    start.arg("start").arg(&folder).args(["--from", &from.to_string()]);
    let made = output(&mut start);
    assert!(made.status.success(), "{}", stderr(&made));
    folder
}

/// cargo as a learner runs it, with one target folder for all projects.
fn cargo(project: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects");
    let mut command = Command::new("cargo");
    command.current_dir(project).env("CARGO_TARGET_DIR", target);
    output(command.args(arguments).args(["--locked", "--offline"]))
}

#[test]
fn solved_exercises_pass_the_others_fail_and_the_first_stages_run() {
    const FROM: usize = 3;
    let project = project("whole", FROM);
    let built = cargo(&project, &["test", "--no-run"]);
    assert!(built.status.success(), "{}", stderr(&built));
    assert!(!stderr(&built).contains("warning"), "{}", stderr(&built));
    let begun = stdout(&cargo(&project, &["test"]));
    for expected in [
        "01 the JSON-RPC codec: all 7 tasks written",
        "the first lines of tests/03_server_dispatch/main.rs",
        "judge  cargo test --test 03_server_dispatch t3_1",
    ] {
        assert!(begun.contains(expected), "{expected}: {begun}");
    }
    for exercise in EXERCISES {
        let judged = cargo(&project, &["test", "--test", exercise.target]);
        let solved = exercise.number.parse::<usize>().expect("a number") < FROM;
        let text = stdout(&judged);
        assert_eq!(solved, judged.status.success(), "{text}");
        let none = if solved { "; 0 failed;" } else { " 0 passed;" };
        assert!(text.contains(none), "{text}");
    }
    let ran = cargo(&project, &["run", "--bin", "01-jsonrpc-codec"]);
    let transcript = read(project.join("chapters/01-jsonrpc-codec/transcript.txt"));
    assert_eq!(transcript, stdout(&ran), "{}", stderr(&ran));
}

#[test]
fn no_solution_and_no_mark_is_in_a_project() {
    let project = project("clean", 1);
    for module in EXERCISES.iter().flat_map(|exercise| exercise.modules) {
        let stub = read(root().join("exercises/src").join(module));
        assert_eq!(stub, read(project.join("src").join(module)), "{module}");
    }
    for path in below(&project) {
        let text = read(&path);
        assert!(!text.contains("// ANCHOR"), "{}", path.display());
        assert!(!text.contains("<summary>Solution"), "{}", path.display());
    }
}

#[test]
fn a_folder_that_is_not_empty_is_left_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path().join("full/file"), "mine");
    let made = output(xtask().arg("start").arg(folder.path().join("full")));
    assert_eq!(Some(1), made.status.code());
    let full = folder.path().join("full").display().to_string();
    assert_eq!(format!("error: {full} is not empty\n"), stderr(&made));
    assert_eq!(1, below(folder.path()).len());
}

#[test]
fn an_empty_folder_is_used_and_a_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = output(xtask().arg("start").arg(folder.path()));
    assert!(made.status.success(), "{}", stderr(&made));
    let file = folder.path().join("README.md");
    let made = output(xtask().arg("start").arg(&file));
    assert_eq!(format!("error: {} is not a folder\n", file.display()), stderr(&made));
}

#[test]
fn a_number_without_an_exercise_is_a_usage_error() {
    let made = output(xtask().args(["start", "/nowhere/at-all", "--from", "8"]));
    assert_eq!(Some(2), made.status.code());
}

#[test]
fn texts_name_the_folders_of_the_project_and_promise_no_solution() {
    let project = project("text", 1);
    for exercise in EXERCISES {
        let brief = read(project.join(format!("tests/{}/main.rs", exercise.target)));
        let head = Vec::from_iter(brief.lines().take_while(|l| l.starts_with("//!")));
        let hints = read(project.join(exercise.hints()));
        assert!(!hints.to_lowercase().contains("solution"), "{hints}");
        for text in [head.join("\n"), hints] {
            for other in
                ["exercises/src", "exercises/tests", "-p exercises", "git restore"]
            {
                assert!(!text.contains(other), "{text}");
            }
        }
    }
}
