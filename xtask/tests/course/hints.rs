//! A page of hints: a heading for each task, three hints, the solution.

use exercises::course::{Exercise, Task};

/// The errors on the page of an exercise.
pub fn page(exercise: &Exercise, text: &str) -> Vec<String> {
    let mut parts = text.split("\n## ");
    let introduction = parts.next().unwrap_or_default();
    let mut wrong = Vec::new();
    let number = super::chapter_number(exercise);
    let title = format!("# Exercise {number}: {}", exercise.title);
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
    // Without the empty lines Markdown reads the content as HTML.
    let fold = |fold| -> Option<(&str, &str)> {
        let (summary, rest) = str::split_once(fold, "</summary>\n\n")?;
        let (content, _) = rest.split_once("\n\n</details>\n")?;
        Some((summary, content)).filter(|_| !content.trim().is_empty())
    };
    let folds = body.split("<details>\n<summary>").skip(1).map(fold);
    let folds: Vec<_> = folds.map(Option::unwrap_or_default).collect();
    let [one, two, three, solution] = folds[..] else {
        return vec![format!("expected three hints and a solution, got {folds:?}")];
    };
    for ((summary, content), number) in [one, two, three].into_iter().zip(1..) {
        if !summary.starts_with(&format!("Hint {number}: ")) {
            wrong.push(format!("expected hint {number}, got `{summary}`"));
        }
        if content.contains("{{#include") {
            wrong.push(format!("hint {number} includes code"));
        }
    }
    if solution.0 != "Solution" {
        wrong.push(format!("expected the solution, got `{}`", solution.0));
    }
    for (module, region) in task.regions {
        let include = format!("{{{{#include ../../../src/{module}:{region}}}}}");
        if !solution.1.contains(&include) {
            wrong.push(format!("the solution lacks {include}"));
        }
    }
    wrong
}

#[test]
fn an_error_on_a_page_is_found() {
    let fold = |head: &str, text: &str| {
        format!("<details>\n<summary>{head}</summary>\n\n{text}\n\n</details>\n")
    };
    let hints: String = (1..=3).map(|n| fold(&format!("Hint {n}: x"), "y")).collect();
    let include = |name| format!("{{{{#include ../../../src/m.rs:{name}}}}}\n");
    let sample = format!(
        "# Exercise 9: a sample\n\n## 9.1 Read a line\n\n{hints}{}\n## 9.2 Write it\n\n\
         {hints}{}",
        fold("Solution", &(include("line") + &include("end"))),
        fold("Solution", &include("write")),
    );
    assert_eq!(Vec::<String>::new(), page(&super::SAMPLE, &sample));
    for (from, to, expected) in [
        ("9.2 Write", "9.2 write", "expected the headings"),
        ("a sample", "a test", "the first line is not"),
        ("Hint 2: x", "Hint 2", "9.1: expected hint 2"),
        ("Hint 1: x", "Hint 2: x", "9.1: expected hint 1"),
        (">Solution<", ">Solution 1<", "9.1: expected the solution"),
        ("m.rs:end", "m.rs:start", "9.1: the solution lacks"),
        ("\ny\n", "\n{{#include a}}\n", "9.1: hint 1 includes code"),
        ("\ny\n", "\n \n", "9.1: expected hint 1, got ``"),
        ("</summary>\n\n", "</summary>\n", "9.1: expected hint 1, got ``"),
        ("<summary>Hint 3", "Hint 3", "9.1: expected three hints and a solution"),
    ] {
        let wrong = page(&super::SAMPLE, &sample.replacen(from, to, 1));
        assert!(wrong[0].starts_with(expected), "{wrong:?}");
    }
}
