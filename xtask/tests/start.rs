//! A project of the learner's own, as `start` makes it.

mod common;

use common::{below, output, read, root, stderr, stdout, write, xtask};
use exercises::course::{EXERCISES, Exercise};
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

/// Lines of a region that occur nowhere else in the sources of a project.
fn distinctive(exercise: &Exercise) -> Vec<(&'static str, Vec<String>)> {
    let root = root();
    let mut all = Vec::new();
    for folder in ["src", "chapters", "exercises/grading", "exercises/tests"] {
        all.extend(below(&root.join(folder)).into_iter().map(read));
    }
    let all = all.join("\n");
    let lines = Vec::from_iter(all.lines().map(str::trim));
    let regions = exercise.tasks.iter().flat_map(|task| task.regions);
    let of_region = |(module, region): &(&str, &'static str)| {
        let text = read(root.join("src").join(module));
        let marks =
            ["ANCHOR", "ANCHOR_END"].map(|mark| format!("// {mark}: {region}\n"));
        let inner = text.split_once(&marks[0]).expect("a region").1;
        let inner = inner.split_once(&marks[1]).expect("an end").0;
        let stub = read(root.join("exercises/src").join(module));
        let own = inner.lines().map(str::trim).filter(|line| {
            let count = lines.iter().filter(|other| other == &line).count();
            line.len() > 8 && count == 1 && !stub.contains(line)
        });
        (*region, own.map(str::to_owned).collect())
    };
    regions.map(of_region).collect()
}

#[test]
fn no_solution_and_no_mark_is_in_a_project() {
    let project = project("clean", 1);
    let files = below(&project).into_iter().map(|path| (read(&path), path));
    let files = Vec::from_iter(files);
    for exercise in EXERCISES {
        for (region, lines) in distinctive(exercise) {
            assert!(!lines.is_empty(), "{region} has no distinctive line");
            for (text, path) in &files {
                let shown = text.lines().map(str::trim);
                let mut solution = shown.filter(|line| lines.iter().any(|l| l == line));
                assert_eq!(None, solution.next(), "{}", path.display());
            }
        }
    }
    for (text, path) in &files {
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
