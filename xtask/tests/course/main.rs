//! The course's list of tasks, the briefs, the hints and the book's table of contents
//! say the same. Each check is a function over text that says what is wrong, so that it
//! can be shown a bad sample. An exercise without tasks is not made yet.

mod brief;
mod chapters;
mod hints;
mod summary;

use exercises::course::{EXERCISES, Exercise};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the repository's root").into()
}

fn read(path: &str) -> String {
    let file = root().join(path);
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn made() -> impl Iterator<Item = &'static Exercise> {
    EXERCISES.iter().filter(|exercise| !exercise.tasks.is_empty())
}

/// What is wrong with the list itself.
fn list(exercise: &Exercise) -> Vec<String> {
    let mut wrong = Vec::new();
    let chapter = exercise.number.trim_start_matches('0');
    if !exercise.target.starts_with(&format!("{}_", exercise.number)) {
        wrong.push(format!("the target `{}` has another number", exercise.target));
    }
    for (task, count) in exercise.tasks.iter().zip(1..) {
        let number = task.number;
        if number != format!("{chapter}.{count}") {
            wrong.push(format!(
                "task {number} stands in the place of {chapter}.{count}"
            ));
        }
        if task.regions.is_empty() {
            wrong.push(format!("task {number} has no region"));
        }
        for (module, region) in task.regions {
            if !exercise.modules.contains(module) {
                wrong.push(format!("task {number}: `{module}` is none of the modules"));
            }
            let same = |task: &exercises::course::Task| {
                task.regions.iter().filter(|r| **r == (*module, *region)).count()
            };
            if exercise.tasks.iter().map(same).sum::<usize>() > 1 {
                wrong.push(format!("`{region}` of {module} is asked for twice"));
            }
        }
    }
    wrong
}

#[test]
fn the_list_of_tasks_is_in_order() {
    for exercise in EXERCISES {
        assert_eq!(
            Vec::<String>::new(),
            list(exercise),
            "exercise {}",
            exercise.number
        );
    }
}

#[test]
fn each_task_has_tests_and_each_test_a_task() {
    for exercise in made() {
        let wrong = brief::tests(exercise, &read(&exercise.brief()));
        assert_eq!(Vec::<String>::new(), wrong, "{}", exercise.brief());
    }
}

#[test]
fn each_brief_says_the_tasks() {
    for exercise in made() {
        let wrong = brief::head(exercise, &read(&exercise.brief()));
        assert_eq!(Vec::<String>::new(), wrong, "{}", exercise.brief());
    }
}

#[test]
fn each_task_has_three_hints_and_its_solution() {
    for exercise in made() {
        let wrong = hints::page(exercise, &read(&exercise.hints()));
        assert_eq!(Vec::<String>::new(), wrong, "{}", exercise.hints());
    }
}

/// mdBook says nothing of an include that finds nothing.
#[test]
fn what_the_pages_include_is_there() {
    for page in summary::pages(&root().join("book/src")) {
        let folder = Path::new("book/src").join(&page);
        let folder = folder.parent().expect("below the book");
        let wrong = hints::includes(&read(&format!("book/src/{page}")), |path| {
            fs::read_to_string(root().join(folder).join(path)).ok()
        });
        assert_eq!(Vec::<String>::new(), wrong, "{page}");
    }
}

#[test]
fn the_table_of_contents_lists_every_page() {
    let pages = summary::pages(&root().join("book/src"));
    let wrong = summary::compare(&read("book/src/SUMMARY.md"), &pages);
    assert_eq!(Vec::<String>::new(), wrong);
}

/// Two tasks in one module, for the samples.
const SAMPLE: Exercise = Exercise {
    number: "09",
    title: "a sample",
    target: "09_sample",
    modules: &["m.rs"],
    tasks: &[
        exercises::course::Task {
            number: "9.1",
            title: "read a line",
            section: "Lines",
            regions: &[("m.rs", "line"), ("m.rs", "end")],
        },
        exercises::course::Task {
            number: "9.2",
            title: "write it",
            section: "Bytes",
            regions: &[("m.rs", "write")],
        },
    ],
};

#[test]
fn a_list_that_is_out_of_order_is_found() {
    assert_eq!(Vec::<String>::new(), list(&SAMPLE));
    let sample = Exercise { number: "08", ..SAMPLE };
    assert_eq!(
        [
            "the target `09_sample` has another number",
            "task 9.1 stands in the place of 8.1",
            "task 9.2 stands in the place of 8.2",
        ],
        list(&sample)[..]
    );
    let sample = Exercise { modules: &["n.rs"], ..SAMPLE };
    assert_eq!("task 9.1: `m.rs` is none of the modules", list(&sample)[0]);
}
