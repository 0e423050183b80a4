//! The course's list of tasks, the graders, the hints and the book agree. Each check is
//! a function that returns the errors it finds, so that a wrong sample can show that it
//! finds them.

#[path = "../common/mod.rs"]
mod common;
mod hints;

use common::{below, read, root};
use exercises::course::{EXERCISES, Exercise, Task};

const LABELS: [&str; 7] = ["Where", "Tasks", "Order", "Given", "Read", "Judge", "Then"];

fn chapter_number(exercise: &Exercise) -> &str {
    exercise.number.trim_start_matches('0')
}

/// The errors in the list itself.
fn list(exercise: &Exercise) -> Vec<String> {
    let mut wrong = Vec::new();
    if !exercise.target.starts_with(&format!("{}_", exercise.number)) {
        wrong.push(format!("the target `{}` has another number", exercise.target));
    }
    let mut regions = Vec::new();
    for (Task { number, regions: of_task, .. }, count) in exercise.tasks.iter().zip(1..)
    {
        let expected = format!("{}.{count}", chapter_number(exercise));
        if *number != expected {
            wrong.push(format!("expected task {expected}, got {number}"));
        }
        if of_task.is_empty() {
            wrong.push(format!("task {number} has no region"));
        }
        for region in *of_task {
            if !exercise.modules.contains(&region.0) || regions.contains(region) {
                wrong.push(format!("task {number}: {region:?} is not a free region"));
            }
            regions.push(*region);
        }
    }
    wrong
}

/// The errors in a grader's head comment.
fn brief(exercise: &Exercise, grader: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let lines = grader.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = Vec::from_iter(lines);
    let label = |line: &&str| {
        let word = line.strip_prefix(' ')?.split(' ').next()?;
        LABELS.into_iter().find(|label| *label == word)
    };
    let labels = Vec::from_iter(lines.iter().filter_map(label));
    if labels != LABELS {
        wrong.push(format!("expected the labels {LABELS:?}, got {labels:?}"));
    }
    let title = format!(" Exercise {}: {}", chapter_number(exercise), exercise.title);
    if lines.first() != Some(&&*title) {
        wrong.push(format!("the first line is not `//!{title}`"));
    }
    let from_tasks = lines.iter().skip_while(|line| label(line) != Some("Tasks"));
    let of_tasks =
        from_tasks.take_while(|line| label(line).is_none_or(|label| label == "Tasks"));
    let words = Vec::from_iter(of_tasks.flat_map(|line| line.split_whitespace()));
    let expected = exercise.tasks.iter().map(|t| format!(" {} {}", t.number, t.title));
    let expected = format!("Tasks{}", expected.collect::<String>());
    if words.join(" ") != expected {
        wrong.push(format!("expected {expected}, got {}", words.join(" ")));
    }
    wrong
}

/// The sections of tasks that are not headings of a chapter.
fn missing_sections<'a>(chapter: &str, tasks: &'a [Task]) -> Vec<&'a str> {
    let headings = chapter.lines().filter(|line| line.starts_with("##"));
    let headings = headings.map(|line| line.trim_start_matches('#').trim());
    let headings = Vec::from_iter(headings);
    let sections = tasks.iter().map(|task| task.section);
    sections.filter(|section| !headings.contains(section)).collect()
}

/// The errors in a table of contents of these pages.
fn summary(text: &str, pages: &[String]) -> Vec<String> {
    let link = |part: &str| part.split_once(')').map(|(path, _)| path.to_owned());
    let mut listed = Vec::from_iter(text.split("](").skip(1).filter_map(link));
    let mut wrong = Vec::new();
    for page in pages {
        match listed.iter().position(|path| path == page) {
            Some(at) => drop(listed.remove(at)),
            None => wrong.push(format!("{page} is not listed")),
        }
    }
    wrong.extend(listed.into_iter().map(|path| format!("{path} is one too many")));
    wrong
}

#[test]
fn the_list_of_tasks_is_in_order() {
    for exercise in EXERCISES {
        assert_eq!(Vec::<String>::new(), list(exercise), "{}", exercise.number);
    }
}

#[test]
fn each_brief_lists_the_tasks() {
    for exercise in EXERCISES {
        let wrong = brief(exercise, &read(root().join(exercise.brief())));
        assert_eq!(Vec::<String>::new(), wrong, "{}", exercise.brief());
    }
}

#[test]
fn each_task_has_a_file_of_tests() {
    for exercise in EXERCISES {
        let folder = root().join(exercise.brief()).with_file_name("");
        let mut files = below(&folder);
        files.retain(|file| read(file).contains("#[test]\n"));
        files.sort();
        let file =
            |task: &Task| folder.join(format!("t{}.rs", task.number.replace('.', "_")));
        assert_eq!(Vec::from_iter(exercise.tasks.iter().map(file)), files);
    }
}

#[test]
fn each_section_that_a_task_names_is_in_its_chapter() {
    for exercise in EXERCISES {
        let is_chapter = |path: &std::path::PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(&format!("{}-", exercise.number)))
        };
        let pages = std::fs::read_dir(root().join("book/src")).expect("the book");
        let mut pages = pages.flatten().map(|page| page.path());
        let chapter = read(pages.find(is_chapter).expect("a chapter"));
        let missing = missing_sections(&chapter, exercise.tasks);
        assert_eq!(Vec::<&str>::new(), missing, "{}", exercise.number);
    }
}

#[test]
fn each_task_has_three_hints_and_its_solution() {
    for exercise in EXERCISES {
        let wrong = hints::page(exercise, &read(root().join(exercise.hints())));
        assert_eq!(Vec::<String>::new(), wrong, "{}", exercise.hints());
    }
}

#[test]
fn the_table_of_contents_lists_every_page_once() {
    let book = root().join("book/src");
    let pages = below(&book).into_iter().filter_map(|path| {
        let page = path.strip_prefix(&book).ok()?.to_str()?.to_owned();
        (page.ends_with(".md") && page != "SUMMARY.md").then_some(page)
    });
    let wrong = summary(&read(book.join("SUMMARY.md")), &Vec::from_iter(pages));
    assert_eq!(Vec::<String>::new(), wrong);
}

const SAMPLE: Exercise = Exercise {
    number: "09",
    title: "a sample",
    target: "09_sample",
    modules: &["m.rs"],
    tasks: &[
        Task {
            number: "9.1",
            title: "read a line",
            section: "Lines",
            regions: &[("m.rs", "line"), ("m.rs", "end")],
        },
        Task {
            number: "9.2",
            title: "write it",
            section: "Bytes",
            regions: &[("m.rs", "write")],
        },
    ],
};

#[test]
fn an_error_in_a_list_is_found() {
    assert_eq!(Vec::<String>::new(), list(&SAMPLE));
    assert_eq!(3, list(&Exercise { number: "08", ..SAMPLE }).len());
    assert_eq!(3, list(&Exercise { modules: &["n.rs"], ..SAMPLE }).len());
    let [first, _] = SAMPLE.tasks else { panic!("two tasks") };
    let again = Task { number: "9.2", ..*first };
    let tasks = vec![Task { ..*first }, again].leak();
    assert_eq!(2, list(&Exercise { tasks, ..SAMPLE }).len());
}

#[test]
fn an_error_in_a_brief_is_found() {
    let head = "//! Exercise 9: a sample\n//!\n//! Where   here\n\
        //! Tasks   9.1  read a\n//!              line\n//!         9.2  write it\n\
        //! Order   as numbered\n//! Given   nothing\n//! Read    this\n\
        //! Judge   so\n//! Then    rest\n\nuse x;\n";
    assert_eq!(Vec::<String>::new(), brief(&SAMPLE, head));
    for (from, to) in [
        ("write it", "write"),
        ("9.2", "9.3"),
        ("//!         9.2  write it\n", ""),
        ("//! Given   nothing\n", ""),
        ("sample", "test"),
    ] {
        assert_eq!(1, brief(&SAMPLE, &head.replace(from, to)).len(), "{from}");
    }
}

#[test]
fn an_error_in_a_chapter_or_in_the_table_of_contents_is_found() {
    let chapter = "# Title\n\n### Lines\n\nBytes\n";
    assert_eq!(["Bytes"], missing_sections(chapter, SAMPLE.tasks)[..]);
    let pages = ["a.md", "b/c.md"].map(String::from);
    let text = "# Summary\n\n[A](a.md)\n\n- [C](b/c.md)\n";
    assert_eq!(Vec::<String>::new(), summary(text, &pages));
    let wrong = summary(&text.replace("b/c.md", "a.md"), &pages);
    assert_eq!(["b/c.md is not listed", "a.md is one too many"], wrong[..]);
}
