//! A learner's progress: which tasks are written, according to the sources.

use crate::course::{EXERCISES, Exercise, Task};
use std::{fmt::Write, fs, path::Path};

/// The body of a stub.
pub fn mark(task: &Task) -> String {
    format!("todo!(\"task {}: {}\")", task.number, task.title)
}

/// Whether a module holds the stub of a task. A missing module counts as a stub.
fn holds_stub(sources: &Path, module: &str, task: &Task) -> bool {
    let text = fs::read_to_string(sources.join(module));
    text.map_or(true, |text| text.contains(&mark(task)))
}

/// The first module with a stub of a task.
fn open_module(sources: &Path, task: &Task) -> Option<&'static str> {
    let mut modules = task.regions.iter().map(|(module, _)| *module);
    modules.find(|module| holds_stub(sources, module, task))
}

/// The number of tasks of an exercise that still have a stub.
fn open_tasks(sources: &Path, exercise: &Exercise) -> usize {
    exercise.tasks.iter().filter(|task| open_module(sources, task).is_some()).count()
}

/// Where a learner works, for the texts.
pub struct Place {
    /// The folder of `src` and `tests`, from the root; empty or ending in `/`.
    pub folder: &'static str,
    /// The command that runs the tests.
    pub judge: &'static str,
}

/// The course's own repository.
pub const COURSE: Place =
    Place { folder: "exercises/", judge: "cargo test -p exercises" };
/// A learner's own project, made by `cargo xtask start`.
pub const PROJECT: Place = Place { folder: "", judge: "cargo test" };

/// The progress in each exercise, and the next task; and whether anything is written
/// yet.
pub fn standing(sources: &Path, place: &Place) -> (String, bool) {
    let open = |exercise: &Exercise| open_tasks(sources, exercise);
    let untouched = |exercise: &&Exercise| open(exercise) == exercise.tasks.len();
    let begun = !EXERCISES.iter().all(|exercise| untouched(&exercise));
    let mut text = String::new();
    let _ = match begun {
        false => writeln!(
            text,
            "This is the start: nothing is written yet, so every test fails, as \
             expected.\n"
        ),
        true => writeln!(text, "Your progress:\n"),
    };
    for exercise in EXERCISES {
        let (tasks, open) = (exercise.tasks.len(), open(exercise));
        let state = match tasks - open {
            0 => format!("{tasks} tasks, none written"),
            all if all == tasks => format!("all {tasks} tasks written"),
            written => format!("{written} of {tasks} tasks written"),
        };
        let Exercise { number, title, target, .. } = exercise;
        let line = format!("  {number} {title}: {state}");
        let _ = writeln!(text, "{line:<67} --test {target}");
    }
    if begun {
        text.push_str(
            "\nWritten does not mean correct: the tests below report what fails.\n",
        );
    }
    let next = EXERCISES.iter().find_map(|exercise| {
        let open = |task| Some((exercise, task, open_module(sources, task)?));
        exercise.tasks.iter().find_map(open)
    });
    if let Some((exercise, Task { number, title, .. }, module)) = next {
        let Place { folder, judge } = place;
        let target = exercise.target;
        let _ = write!(
            text,
            "\nNext is task {number}, {title}, in {folder}src/{module}.\n\
             \x20 brief  the first lines of {folder}tests/{target}/main.rs\n\
             \x20 hints  {}\n\
             \x20 judge  {judge} --test {target} t{}\n",
            exercise.hints(),
            number.replace('.', "_"),
        );
    }
    (text, begun)
}
