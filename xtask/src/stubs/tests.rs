use super::*;

const TASKS: &[Task] = &[
    Task { number: "9.1", title: "begin", section: "S", regions: &[("m.rs", "one")] },
    Task { number: "9.2", title: "end", section: "S", regions: &[("m.rs", "two")] },
];
const TWO: &str = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR_END: one\n\
    // ANCHOR: two\nfn b() {\n    2;\n}\n// ANCHOR_END: two\n";

fn made(text: &str, tasks: &[Task]) -> String {
    stub(text, tasks, "m.rs").expect("a stub")
}

#[test]
fn a_function_keeps_everything_but_its_body() {
    let stub = made(
        "//! About.\n//! More.\n\nuse a::b;\n\n// ANCHOR: one\n/// Says.\n#[must_use]\n\
         pub fn f<'a>(x: &'a str) -> Option<&'a str> {\n    if x.is_empty() {\n        \
         return None;\n    }\n    Some(x)\n}\n// ANCHOR_END: one\n\nfn g() {\n    1;\n}\n",
        &TASKS[..1],
    );
    assert_eq!(
        "//! About.\n//! More.\n\n#![allow(unused)]\n\nuse a::b;\n\n/// Says.\n\
         #[must_use]\npub fn f<'a>(x: &'a str) -> Option<&'a str> {\n    \
         todo!(\"task 9.1: begin\")\n}\n\nfn g() {\n    1;\n}\n",
        stub
    );
}

#[test]
fn every_function_of_a_region_is_emptied() {
    let heads = [
        "    pub(super) const fn a() -> u8 {\n",
        "    pub async fn b(\n        &self,\n    ) -> u8 {\n",
        "    fn c<F>(f: F) -> u8\n    where\n        F: Fn() -> u8,\n    {\n",
    ];
    let functions = heads.map(|head| format!("{head}        1\n    }}\n")).concat();
    let region = format!("    // ANCHOR: one\n{functions}    // ANCHOR_END: one\n");
    let stub = made(&format!("impl T {{\n{region}}}\n"), &TASKS[..1]);
    for head in heads {
        let emptied = format!("{head}        todo!(\"task 9.1: begin\")\n    }}\n");
        assert!(stub.contains(&emptied), "{head}in\n{stub}");
    }
}

#[test]
fn only_the_regions_of_the_given_tasks_and_module_are_emptied() {
    let both = made(TWO, TASKS);
    assert!(both.contains("fn a() {\n    todo!(\"task 9.1: begin\")\n}\n"), "{both}");
    assert!(both.contains("fn b() {\n    todo!(\"task 9.2: end\")\n}\n"), "{both}");
    assert!(made(TWO, &TASKS[1..]).contains("fn a() {\n    1;\n}\n"));
    let other = stub("fn a() {}\n", TASKS, "other.rs").expect("a stub");
    assert_eq!("\n#![allow(unused)]\nfn a() {}\n", other);
}

#[test]
fn a_region_that_cannot_be_emptied_is_refused() {
    let one = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR_END: one\n";
    let nested = "// ANCHOR: one\n// ANCHOR: two\nfn b() {\n    2;\n}\n\
        // ANCHOR_END: two\n// ANCHOR_END: one\n";
    for (text, expected) in [
        (one.replace("ANCHOR: one", ""), "region `one`: no `// ANCHOR: one`"),
        (one.replace("ANCHOR_END", ""), "region `one`: no `// ANCHOR_END: one`"),
        (one.repeat(2), "region `one`: more than one `// ANCHOR: one`"),
        (
            one.replace("fn a() {\n    1;\n}", "use x;"),
            "region `one`: no function in it",
        ),
        (
            one.replace("{\n    1;\n}", "{ 1 }"),
            "region `one`: no body of `fn a() { 1 }`",
        ),
        (one.replace("\n}\n", "\n"), "region `one`: no end of `fn a() {`"),
        (nested.into(), "region `two`: another task has emptied `fn b() {`"),
    ] {
        let error = stub(&text, TASKS, "m.rs").expect_err("no stub can be made");
        assert_eq!(expected, format!("{error:#}"));
    }
}
