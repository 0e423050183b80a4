//! A grader's head comment, and the names of its tests.

use exercises::course::Exercise;

const LABELS: [&str; 7] = ["Where", "Tasks", "Order", "Given", "Read", "Judge", "Then"];

/// What is wrong with a grader's head comment.
pub fn head(exercise: &Exercise, grader: &str) -> Vec<String> {
    let lines: Vec<&str> =
        grader.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let mut wrong = Vec::new();
    let label = |line: &str| {
        let word = line.strip_prefix(' ')?.split(' ').next()?;
        LABELS.iter().position(|label| *label == word)
    };
    let labels: Vec<_> = lines.iter().filter_map(|line| label(line)).collect();
    if labels != (0..LABELS.len()).collect::<Vec<_>>() {
        wrong.push(format!("the labels are not {}, in this order", LABELS.join(", ")));
    }
    let chapter = exercise.number.trim_start_matches('0');
    let title = format!(" Exercise {chapter}: {}", exercise.title);
    if lines.first() != Some(&&*title) {
        wrong.push(format!("the first line is not `//!{title}`"));
    }
    let tasks = lines.iter().skip_while(|line| label(line) != Some(1));
    let tasks =
        tasks.enumerate().take_while(|(at, line)| *at == 0 || label(line).is_none());
    let tasks: Vec<_> = tasks.flat_map(|(_, line)| line.split_whitespace()).collect();
    let expected = exercise.tasks.iter().map(|t| format!(" {} {}", t.number, t.title));
    let expected = format!("Tasks{}", expected.collect::<String>());
    if tasks.join(" ") != expected {
        wrong.push(format!("expected {expected}, got {}", tasks.join(" ")));
    }
    wrong
}

/// What is wrong with the names of a grader's tests.
pub fn tests(exercise: &Exercise, grader: &str) -> Vec<String> {
    let lines: Vec<&str> = grader.lines().collect();
    let tests = lines.windows(2).filter(|pair| pair[0] == "#[test]");
    let name = |pair: &[&str]| {
        let name = pair[1].trim_start_matches("async ").strip_prefix("fn ")?;
        name.split_once('(').map(|parts| parts.0.to_owned())
    };
    let tests: Vec<_> = tests.filter_map(name).collect();
    let prefix = |number: &str| format!("t{}_", number.replace('.', "_"));
    let prefixes: Vec<_> = exercise.tasks.iter().map(|t| prefix(t.number)).collect();
    let strays =
        tests.iter().filter(|test| !prefixes.iter().any(|p| test.starts_with(p)));
    let bare = prefixes.iter().filter(|p| !tests.iter().any(|t| t.starts_with(*p)));
    let strays = strays.map(|test| format!("{test} belongs to no task"));
    strays.chain(bare.map(|prefix| format!("no test begins with {prefix}"))).collect()
}

const HEAD: &str = "//! Exercise 9: a sample\n//!\n//! Words.\n//!\n//! Where   here\n\
    //! Tasks   9.1  read a\n//!              line\n//!         9.2  write it\n\
    //! Order   as numbered\n//! Given   nothing\n//! Read    this\n//! Judge   so\n\
    //! Then    rest\n\nuse x;\n";

#[test]
fn a_brief_that_says_other_tasks_is_found() {
    assert_eq!(Vec::<String>::new(), head(&super::SAMPLE, HEAD));
    let expected = "expected Tasks 9.1 read a line 9.2 write it, got ";
    for (other, got) in [
        (HEAD.replace("write it", "write"), "Tasks 9.1 read a line 9.2 write"),
        (HEAD.replace("9.2", "9.3"), "Tasks 9.1 read a line 9.3 write it"),
        (HEAD.replace("//!         9.2  write it\n", ""), "Tasks 9.1 read a line"),
    ] {
        assert_eq!([format!("{expected}{got}")], head(&super::SAMPLE, &other)[..]);
    }
}

#[test]
fn a_brief_without_a_label_or_under_another_title_is_found() {
    let labels = "the labels are not Where, Tasks, Order, Given, Read, Judge, Then, in \
                  this order";
    let other = HEAD.replace("//! Given   nothing\n", "");
    assert_eq!([labels], head(&super::SAMPLE, &other)[..]);
    let title = "the first line is not `//! Exercise 9: a sample`";
    assert_eq!([title], head(&super::SAMPLE, &HEAD.replace("sample", "test"))[..]);
}

#[test]
fn a_test_without_a_task_and_a_task_without_a_test_are_found() {
    let both = "#[test]\nfn t9_1_a() {}\n#[test]\nfn t9_2_a() {}\n";
    assert_eq!(Vec::<String>::new(), tests(&super::SAMPLE, both));
    let other = both.replace("t9_2_a", "t9_3_a");
    let expected = ["t9_3_a belongs to no task", "no test begins with t9_2_"];
    assert_eq!(expected, tests(&super::SAMPLE, &other)[..]);
}
