//! A page of hints: a heading for each task, three hints, the solution.

use exercises::course::{Exercise, Task};

/// What is wrong with the page of an exercise.
pub fn page(exercise: &Exercise, text: &str) -> Vec<String> {
    let mut parts = text.split("\n## ");
    let introduction = parts.next().unwrap_or_default();
    let mut wrong = Vec::new();
    let chapter = exercise.number.trim_start_matches('0');
    let title = format!("# Exercise {chapter}: {}", exercise.title);
    if introduction.lines().next() != Some(&*title) {
        wrong.push(format!("the first line is not `{title}`"));
    }
    let sections: Vec<(&str, &str)> =
        parts.map(|part| part.split_once('\n').unwrap_or((part, ""))).collect();
    let expected: Vec<String> = exercise.tasks.iter().map(heading).collect();
    let headings: Vec<&str> = sections.iter().map(|(heading, _)| *heading).collect();
    if headings != expected {
        wrong.push(format!("expected the headings {expected:?}, got {headings:?}"));
        return wrong;
    }
    for (task, (_, body)) in exercise.tasks.iter().zip(sections) {
        let of_task = section(task, body).into_iter();
        wrong.extend(of_task.map(|what| format!("{}: {what}", task.number)));
    }
    wrong
}

/// `9.1 Read a line`
fn heading(task: &Task) -> String {
    let mut title = task.title.chars();
    let first = title.next().map(char::to_uppercase).into_iter().flatten();
    format!("{} {}", task.number, first.chain(title).collect::<String>())
}

fn section(task: &Task, body: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let folds: Vec<&str> = body.split("<details>\n").skip(1).collect();
    let summary = |fold: &&str| {
        let line = fold.lines().next().unwrap_or_default();
        let text = line.strip_prefix("<summary>")?.strip_suffix("</summary>")?;
        Some(text.to_owned())
    };
    let summaries: Vec<_> = folds.iter().filter_map(summary).collect();
    let begin = ["Hint 1: ", "Hint 2: ", "Hint 3: ", "Solution"];
    let fits = |(text, begin): (&String, &str)| {
        text.starts_with(begin) && (begin == "Solution") == (text == begin)
    };
    if summaries.len() != 4
        || folds.len() != 4
        || !summaries.iter().zip(begin).all(fits)
    {
        wrong.push(format!("expected three hints and a solution, got {summaries:?}"));
        return wrong;
    }
    for (fold, summary) in folds.iter().zip(&summaries) {
        // Without the blank lines Markdown takes what is inside for HTML.
        let inside = fold.split_once("</summary>\n\n").map(|parts| parts.1);
        let inside = inside.and_then(|inside| inside.split_once("\n\n</details>\n"));
        match inside {
            None => {
                wrong.push(format!("no blank lines around the inside of `{summary}`"))
            }
            Some((text, _)) if text.trim().is_empty() => {
                wrong.push(format!("nothing in `{summary}`"));
            }
            Some(_) => {}
        }
    }
    for (module, region) in task.regions {
        let include = format!("{{{{#include ../../../src/{module}:{region}}}}}");
        if !folds[3].contains(&include) {
            wrong.push(format!("the solution lacks {include}"));
        }
    }
    let hints = folds[..3].concat();
    if hints.contains("{{#include") {
        wrong.push("a hint includes code".into());
    }
    wrong
}

/// What is wrong with what a page includes; `read` gets a path as the page says it.
pub fn includes(page: &str, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    for include in page.split("{{#include ").skip(1) {
        let Some((place, _)) = include.split_once("}}") else {
            wrong.push("an include without an end".into());
            continue;
        };
        let (path, anchor) = place.split_once(':').unwrap_or((place, ""));
        let Some(text) = read(path) else {
            wrong.push(format!("there is no {path}"));
            continue;
        };
        for mark in ["ANCHOR", "ANCHOR_END"] {
            let line = format!("// {mark}: {anchor}");
            let count = text.lines().filter(|l| l.trim_start() == line).count();
            if !anchor.is_empty() && count != 1 {
                wrong.push(format!("`{line}` stands {count} times in {path}"));
            }
        }
    }
    wrong
}

fn sample() -> String {
    let fold = |head: &str, text: &str| {
        format!("<details>\n<summary>{head}</summary>\n\n{text}\n\n</details>\n")
    };
    let hints: String = (1..=3).map(|n| fold(&format!("Hint {n}: x"), "y")).collect();
    let include = |name: &str| {
        format!("```rust\n{{{{#include ../../../src/m.rs:{name}}}}}\n```\n")
    };
    let both = include("line") + &include("end");
    format!(
        "# Exercise 9: a sample\n\nWords.\n\n## 9.1 Read a line\n\n{hints}{}\n## 9.2 Write it\n\n{hints}{}",
        fold("Solution", &both),
        fold("Solution", &include("write")),
    )
}

#[test]
fn a_page_with_all_that_belongs_to_it_is_right() {
    assert_eq!(Vec::<String>::new(), page(&super::SAMPLE, &sample()));
}

#[test]
fn another_heading_is_found() {
    for (from, to) in
        [("9.2 Write", "9.2 write"), ("## 9.2 Write it", "### 9.2 Write it")]
    {
        let wrong = page(&super::SAMPLE, &sample().replace(from, to));
        assert!(wrong[0].starts_with("expected the headings"), "{wrong:?}");
    }
    let wrong = page(&super::SAMPLE, &sample().replace("a sample", "a test"));
    assert_eq!(["the first line is not `# Exercise 9: a sample`"], wrong[..]);
}

#[test]
fn a_hint_too_few_or_without_a_subject_is_found() {
    for other in [
        sample().replacen("Hint 3: x", "Solution", 1),
        sample().replacen("Hint 2: x", "Hint 2", 1),
        sample().replacen("Hint 1: x", "Hint 2: x", 1),
        sample().replacen(
            "<summary>Solution</summary>",
            "<summary>Solution 1</summary>",
            1,
        ),
    ] {
        let wrong = page(&super::SAMPLE, &other);
        assert_eq!(1, wrong.len(), "{wrong:?}");
        assert!(wrong[0].starts_with("9.1: expected three hints"), "{wrong:?}");
    }
}

#[test]
fn a_solution_that_lacks_a_region_is_found() {
    let wrong = page(&super::SAMPLE, &sample().replace("m.rs:end", "m.rs:start"));
    assert_eq!(
        ["9.1: the solution lacks {{#include ../../../src/m.rs:end}}"],
        wrong[..]
    );
}

#[test]
fn a_hint_that_gives_the_code_or_nothing_is_found() {
    let wrong =
        page(&super::SAMPLE, &sample().replacen("\ny\n", "\n{{#include a}}\n", 1));
    assert_eq!(["9.1: a hint includes code"], wrong[..]);
    let wrong = page(&super::SAMPLE, &sample().replacen("\ny\n", "\n \n", 1));
    assert_eq!(["9.1: nothing in `Hint 1: x`"], wrong[..]);
}

#[test]
fn html_that_markdown_does_not_look_into_is_found() {
    let wrong =
        page(&super::SAMPLE, &sample().replacen("</summary>\n\n", "</summary>\n", 1));
    assert_eq!(["9.1: no blank lines around the inside of `Hint 1: x`"], wrong[..]);
}

#[test]
fn an_include_that_finds_nothing_is_found() {
    let read = |path: &str| {
        (path == "a.rs")
            .then(|| "  // ANCHOR: x\n  // ANCHOR_END: x\n// ANCHOR: y\n".into())
    };
    let page = |place: &str| includes(&format!("{{{{#include {place}}}}}"), read);
    assert_eq!(Vec::<String>::new(), page("a.rs"));
    assert_eq!(Vec::<String>::new(), page("a.rs:x"));
    assert_eq!(["there is no b.rs"], page("b.rs:x")[..]);
    assert_eq!(["`// ANCHOR_END: y` stands 0 times in a.rs"], page("a.rs:y")[..]);
}
