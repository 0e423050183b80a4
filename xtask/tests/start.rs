//! A project of the learner's own, as `start` makes it.

mod common;

use common::{below, output, read, root, stderr, stdout, write, xtask};
use exercises::course::{EXERCISES, Exercise};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A project for one test, at a place that stays the same.
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

/// cargo as a learner has it, with one target folder for all projects. For cargo they
/// are one package, so each must be made after the one before it was built.
fn cargo(project: &Path, arguments: &[&str]) -> Output {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects");
    let mut command = Command::new("cargo");
    command.current_dir(project).env("CARGO_TARGET_DIR", target);
    output(command.args(arguments).args(["--locked", "--offline"]))
}

fn number(exercise: &Exercise) -> usize {
    exercise.number.parse().expect("a number")
}

fn with_tasks() -> impl Iterator<Item = &'static Exercise> {
    EXERCISES.iter().filter(|exercise| !exercise.tasks.is_empty())
}

/// What `cargo test` says before it judges anything.
fn standing(from: usize) -> &'static [&'static str] {
    match from {
        1 => &[
            "This is the start",
            "Next is task 1.1, write a message, in src/jsonrpc.rs.",
            "the first lines of tests/01_jsonrpc_codec.rs",
            "judge  cargo test --test 01_jsonrpc_codec",
        ],
        _ => &["Where you stand:", "01 the JSON-RPC codec: all 7 tasks written"],
    }
}

#[test]
fn solved_exercises_pass_the_others_fail_and_the_first_stages_run() {
    for from in [1, 3, 7] {
        let project = project("whole", from);
        let built = cargo(&project, &["test", "--no-run"]);
        assert!(built.status.success(), "from {from}: {}", stderr(&built));
        assert!(!stderr(&built).contains("warning"), "from {from}: {}", stderr(&built));
        let tested = cargo(&project, &["test"]);
        let said = stdout(&tested);
        for expected in standing(from) {
            assert!(said.contains(expected), "from {from}: {expected}: {said}");
        }
        for exercise in with_tasks() {
            let judged = cargo(&project, &["test", "--test", exercise.target]);
            let (solved, said) = (number(exercise) < from, stdout(&judged));
            assert_eq!(solved, judged.status.success(), "from {from}: {said}");
            let none = if solved { "; 0 failed;" } else { " 0 passed;" };
            assert!(said.contains(none), "from {from}: {said}");
        }
        if from > 1 {
            let ran = cargo(&project, &["run", "--bin", "01-jsonrpc-codec"]);
            let transcript =
                read(project.join("chapters/01-jsonrpc-codec/transcript.txt"));
            assert_eq!(transcript, stdout(&ran), "{}", stderr(&ran));
        }
    }
}

/// Lines of a region that stand nowhere else in what a project is made from.
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
    for exercise in with_tasks() {
        for (region, lines) in distinctive(exercise) {
            assert!(!lines.is_empty(), "{region} has a line of its own");
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
    assert!(!project.join(".git").exists());
}

#[test]
fn a_folder_with_something_in_it_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path().join("full/file"), "mine");
    let made = output(xtask().arg("start").arg(folder.path().join("full")));
    assert_eq!(Some(1), made.status.code());
    let full = folder.path().join("full").display().to_string();
    assert_eq!(format!("error: {full} is not empty\n"), stderr(&made));
    assert_eq!(1, below(folder.path()).len());
}

#[test]
fn an_empty_folder_is_taken_and_a_file_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = output(xtask().arg("start").arg(folder.path()));
    assert!(made.status.success(), "{}", stderr(&made));
    let file = folder.path().join("README.md");
    let made = output(xtask().arg("start").arg(&file));
    assert_eq!(format!("error: {} is no folder\n", file.display()), stderr(&made));
}

#[test]
fn a_number_that_is_no_exercise_is_an_error_of_usage() {
    let made = output(xtask().args(["start", "/nowhere/at-all", "--from", "8"]));
    assert_eq!(Some(2), made.status.code());
}

#[test]
fn briefs_and_hints_name_the_folders_of_the_project() {
    let project = project("text", 1);
    for exercise in with_tasks() {
        let brief = read(project.join(format!("tests/{}.rs", exercise.target)));
        let hints = read(project.join(exercise.hints()));
        let head = Vec::from_iter(brief.lines().take_while(|l| l.starts_with("//!")));
        for text in [head.join("\n"), hints] {
            assert!(!text.contains("exercises/src"), "{text}");
            assert!(!text.contains("-p exercises"), "{text}");
            assert!(!text.contains("copy your"), "{text}");
            assert!(!text.contains("git restore"), "{text}");
        }
    }
}

#[test]
fn hints_promise_no_solution_and_the_readme_says_where_the_book_is() {
    let project = project("promises", 1);
    for exercise in with_tasks() {
        let hints = read(project.join(exercise.hints()));
        assert!(hints.contains("Try before you\nunfold."), "{hints}");
        assert!(!hints.to_lowercase().contains("solution"), "{hints}");
    }
    let readme = read(project.join("README.md"));
    assert!(readme.contains("in the course's repository: `mdbook serve book`"));
}
