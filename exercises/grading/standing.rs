//! Where a learner stands: which tasks are written, read off the sources.

use crate::course::{EXERCISES, Exercise, Task};
use std::{fmt::Write, fs, path::Path};

/// What a stub says in place of a task's code.
pub fn mark(task: &Task) -> String {
    format!("todo!(\"task {}: {}\")", task.number, task.title)
}

/// Whether a module holds the stub of a task. One that cannot be read counts as such,
/// for it is not there.
fn holds_stub(sources: &Path, module: &str, task: &Task) -> bool {
    let text = fs::read_to_string(sources.join(module));
    text.map_or(true, |text| text.contains(&mark(task)))
}

/// The first module in which something of a task is left to write.
fn open_module(sources: &Path, task: &Task) -> Option<&'static str> {
    let mut modules = task.regions.iter().map(|(module, _)| *module);
    modules.find(|module| holds_stub(sources, module, task))
}

/// How many tasks of an exercise still hold a stub.
fn open_tasks(sources: &Path, exercise: &Exercise) -> usize {
    exercise.tasks.iter().filter(|task| open_module(sources, task).is_some()).count()
}

/// Where a learner works, which the texts name.
pub struct Place {
    /// The folder that holds `src` and `tests`, from the root; empty or ending in `/`.
    pub folder: &'static str,
    /// What runs the tests.
    pub judge: &'static str,
}

/// The course's own repository.
pub const COURSE: Place =
    Place { folder: "exercises/", judge: "cargo test -p exercises" };
/// A project of the learner's own, made by `cargo xtask start`.
pub const PROJECT: Place = Place { folder: "", judge: "cargo test" };

/// One line for each exercise, below a sentence that says what to do next; and whether
/// anything is written yet.
pub fn standing(sources: &Path, place: &Place) -> (String, bool) {
    let open = |exercise: &Exercise| open_tasks(sources, exercise);
    let untouched = |exercise: &&Exercise| open(exercise) == exercise.tasks.len();
    let begun = !EXERCISES.iter().all(|exercise| untouched(&exercise));
    let mut text = String::new();
    let _ = match begun {
        false => writeln!(
            text,
            "This is the start: nothing is written yet, so everything fails. So it \
             should be.\n"
        ),
        true => writeln!(text, "Where you stand:\n"),
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
        text.push_str("\nWritten is not yet right: what fails is said below.\n");
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
