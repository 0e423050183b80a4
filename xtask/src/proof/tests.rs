use super::*;
use tempfile::TempDir;

const EXERCISE: Exercise = Exercise {
    number: "09",
    title: "a sample",
    target: "09_sample",
    modules: &["m.rs", "given.rs"],
    tasks: &[
        Task { number: "9.1", title: "a", section: "S", regions: &[("m.rs", "one")] },
        Task { number: "9.2", title: "b", section: "S", regions: &[("m.rs", "two")] },
    ],
};

const MODULE: &str = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR_END: one\n\
    // ANCHOR: two\nfn b() {\n    2;\n}\n// ANCHOR_END: two\n";

const FAULT: &str = "what = \"it is off by one\"\nsource = \"case X1\"\n\n[fails]\n\
    t9_1_a = \"off\"\n\n[[edit]]\nmodule = \"m.rs\"\nfind = \"1;\"\nreplace = \"7;\"\n";

/// A repository with these files beside the course's modules.
fn root(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    let modules = [("src/m.rs", MODULE), ("src/given.rs", "fn g() {}\n")];
    for (path, text) in modules.iter().chain(files) {
        files::write(&root.path().join(path), text).expect("a file");
    }
    root
}

fn all(files: &[(&str, &str)]) -> Result<Vec<Solution>> {
    solutions(root(files).path(), &EXERCISE)
}

/// What is wrong with a fault's description.
fn refused(fault: &str) -> String {
    let error = all(&[("exercises/proof/09/fault-x.toml", fault)]).err();
    format!("{:#}", error.expect("it is refused"))
}

fn open(solution: &Solution) -> Vec<bool> {
    let text = &solution.changed["m.rs"];
    let is_open = |task: &Task| text.contains(&exercises::standing::mark(task));
    EXERCISE.tasks.iter().map(is_open).collect()
}

#[test]
fn the_reference_the_stubs_and_each_task_in_between_need_no_file() {
    let all = all(&[]).expect("solutions");
    let names: Vec<_> = all.iter().map(|solution| &*solution.name).collect();
    assert_eq!(["reference", "stubs", "up-to-9.1"], names[..]);
    assert!(all[0].changed.is_empty(), "the course's modules as they are");
    assert_eq!([true, true], open(&all[1])[..]);
    assert_eq!([false, true], open(&all[2])[..]);
    let Expected::Pass(tasks) = &all[2].expected else { panic!("it passes some") };
    assert_eq!(["t9_1_"], tasks.iter().collect::<Vec<_>>()[..]);
}

#[test]
fn a_fault_is_the_courses_module_with_its_edits_one_after_the_other() {
    let second = "[[edit]]\nmodule = \"m.rs\"\nfind = \"7;\"\nreplace = \"8;\"\n";
    let text = format!("{FAULT}\n{second}");
    let all = all(&[("exercises/proof/09/fault-x.toml", &text)]).expect("solutions");
    let fault = all.last().expect("a fault");
    assert_eq!(("fault-x", "fault"), (&*fault.name, fault.kind()));
    assert_eq!(MODULE.replace("1;", "8;"), fault.changed["m.rs"]);
    let Expected::Fail(tests) = &fault.expected else { panic!("it fails some") };
    assert_eq!(
        [("t9_1_a", "off")],
        tests.iter().map(|(a, b)| (&**a, &**b)).collect::<Vec<_>>()[..]
    );
}

#[test]
fn an_unusual_solution_is_a_folder_of_modules() {
    let all = all(&[
        ("exercises/proof/09/unusual-y/m.rs", "fn a() {}\n"),
        ("exercises/proof/09/unusual-y/m/deep.rs", "fn d() {}\n"),
        ("exercises/proof/09/fault-x.txt", "what a learner reads"),
    ])
    .expect("solutions");
    let unusual = all.last().expect("one");
    assert_eq!(("unusual-y", "unusual"), (&*unusual.name, unusual.kind()));
    let modules: Vec<_> = unusual.changed.keys().collect();
    assert_eq!(["m.rs", "m/deep.rs"], modules[..]);
    assert!(matches!(unusual.expected, Expected::AllPass));
}

#[test]
fn a_key_that_a_fault_does_not_have_is_refused() {
    for text in [format!("why = \"x\"\n{FAULT}"), format!("{FAULT}times = 2\n")] {
        let refused = refused(&text);
        assert!(refused.contains("unknown field"), "{refused}");
        assert!(refused.starts_with("exercises/proof/09/fault-x.toml: "), "{refused}");
    }
}

#[test]
fn a_fault_says_what_and_whence() {
    for text in [FAULT.replace("it is off by one", ""), FAULT.replace("case X1", "")] {
        let refused = refused(&text);
        assert!(refused.ends_with("it does not say what and whence"), "{refused}");
    }
}

#[test]
fn a_fault_that_names_no_test_is_refused() {
    let refused = refused(&FAULT.replace("t9_1_a = \"off\"\n", ""));
    assert!(refused.ends_with("it changes or fails nothing"), "{refused}");
}

#[test]
fn an_edit_that_says_no_words_of_a_test_is_refused() {
    let refused = refused(&FAULT.replace("\"off\"", "\"\""));
    assert!(refused.ends_with("t9_1_a: it names no words"), "{refused}");
}

/// The module has changed since, or the edit could mean two places.
#[test]
fn an_edit_whose_text_does_not_stand_there_once_is_refused() {
    for (find, times) in [("3;", 0), ("fn", 2)] {
        let refused = refused(&FAULT.replace("1;", find));
        let expected = format!("`{find}` stands {times} times in m.rs");
        assert!(refused.ends_with(&expected), "{refused}");
    }
}

#[test]
fn a_module_that_is_not_there_is_named() {
    let refused = refused(&FAULT.replace("m.rs", "n.rs"));
    assert!(refused.contains("src/n.rs"), "{refused}");
}
