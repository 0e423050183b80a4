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

const FAULT: &str = "[[fault]]\nname = \"x\"\nwhat = \"off by one\"\n\
    fails = [\"t9_1::a\"]\n\
    [[fault.edit]]\nmodule = \"m.rs\"\nfind = \"1;\"\nreplace = \"7;\"\n";

/// A repository with this fault and one unusual solution.
fn root(fault: &str) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        ("src/m.rs", MODULE),
        ("src/given.rs", "fn g() {}\n"),
        ("exercises/proof/09.toml", fault),
        ("exercises/proof/09/unusual-y/m/deep.rs", "fn d() {}\n"),
    ] {
        files::write(&root.path().join(path), text).expect("a file");
    }
    root
}

fn all(fault: &str) -> Result<Vec<Solution>> {
    solutions(root(fault).path(), &EXERCISE)
}

fn unwritten(solution: &Solution) -> Vec<bool> {
    let text = &solution.changed["m.rs"];
    let holds_stub = |task: &Task| text.contains(&exercises::standing::mark(task));
    EXERCISE.tasks.iter().map(holds_stub).collect()
}

#[test]
fn solutions_are_the_reference_the_stubs_each_task_and_the_files() {
    let second = "[[fault.edit]]\nmodule = \"m.rs\"\nfind = \"7;\"\nreplace = \"8;\"\n";
    let all = all(&format!("{FAULT}{second}")).expect("solutions");
    let names: Vec<_> = all.iter().map(|solution| &*solution.name).collect();
    assert_eq!(["reference", "stubs", "up-to-9.1", "fault-x", "unusual-y"], names[..]);
    assert!(all[0].changed.is_empty(), "the course's modules, unchanged");
    assert_eq!([true, true], unwritten(&all[1])[..]);
    assert_eq!([false, true], unwritten(&all[2])[..]);
    let Expected::Pass(tasks) = &all[2].expected else { panic!("it passes some") };
    assert_eq!(["t9_1"], tasks[..]);
    assert_eq!(MODULE.replace("1;", "8;"), all[3].changed["m.rs"]);
    let Expected::Fail(tests) = &all[3].expected else { panic!("it fails some") };
    assert_eq!(["t9_1::a"], Vec::from_iter(tests)[..]);
    assert!(all[4].changed.contains_key("m/deep.rs"));
}

#[test]
fn a_fault_that_cannot_be_applied_is_refused() {
    for (other, expected) in [
        (FAULT.replace("name = \"x\"", "name = \"x\"\nwhy = \"\""), "unknown field"),
        (FAULT.replace("off by one", ""), "`what` is empty"),
        (FAULT.replace("\"t9_1::a\"", ""), "it fails no test"),
        (FAULT.replace("1;", "3;"), "fault-x: `3;` occurs 0 times in m.rs"),
        (FAULT.replace("1;", "fn"), "`fn` occurs 2 times in m.rs"),
        (FAULT.replace("m.rs", "n.rs"), "src/n.rs"),
    ] {
        let error = format!("{:#}", all(&other).err().expect("it is refused"));
        assert!(error.contains(expected), "{error}");
    }
}
