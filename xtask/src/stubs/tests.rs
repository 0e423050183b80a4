use super::*;

const TASKS: &[Task] = &[
    Task { number: "9.1", title: "begin", section: "S", regions: &[("m.rs", "one")] },
    Task { number: "9.2", title: "go on", section: "S", regions: &[("m.rs", "two")] },
];

fn made(text: &str) -> String {
    stub(text, &TASKS[..1], "m.rs").expect("a stub")
}

/// What is wrong with a module, from the outside in.
fn refused(text: &str) -> String {
    let error = stub(text, TASKS, "m.rs").expect_err("no stub can be made");
    format!("{error:#}")
}

#[test]
fn a_function_keeps_everything_but_its_body() {
    let stub = made(
        "//! About.\n//! More.\n\nuse a::b;\n\n// ANCHOR: one\n/// Says.\n#[must_use]\n\
         pub fn f<'a>(x: &'a str) -> Option<&'a str> {\n    if x.is_empty() {\n        \
         return None;\n    }\n    Some(x)\n}\n// ANCHOR_END: one\n\nfn g() {\n    1;\n}\n",
    );
    assert_eq!(
        "//! About.\n//! More.\n\n#![allow(unused)]\n\nuse a::b;\n\n/// Says.\n\
         #[must_use]\npub fn f<'a>(x: &'a str) -> Option<&'a str> {\n    \
         todo!(\"task 9.1: begin\")\n}\n\nfn g() {\n    1;\n}\n",
        stub
    );
}

#[test]
fn every_function_of_a_region_is_emptied_however_it_is_declared() {
    let stub = made(
        "impl T {\n    // ANCHOR: one\n    pub(super) const fn a() -> u8 {\n        1\n    \
         }\n\n    pub async fn b(\n        &self,\n    ) -> u8 {\n        2\n    }\n\n    \
         fn c<F>(f: F) -> u8\n    where\n        F: Fn() -> u8,\n    {\n        f()\n    \
         }\n    // ANCHOR_END: one\n}\n",
    );
    assert_eq!(3, stub.matches("        todo!(\"task 9.1: begin\")\n    }\n").count());
    for head in [
        "    pub(super) const fn a() -> u8 {\n",
        "    pub async fn b(\n        &self,\n    ) -> u8 {\n",
        "    fn c<F>(f: F) -> u8\n    where\n        F: Fn() -> u8,\n    {\n",
    ] {
        assert!(stub.contains(&format!("{head}        todo!")), "{head}in\n{stub}");
    }
}

#[test]
fn two_tasks_of_one_module_each_get_their_own_mark() {
    let text = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR_END: one\n\
                // ANCHOR: two\nfn b() {\n    2;\n}\n// ANCHOR_END: two\n";
    let both = stub(text, TASKS, "m.rs").expect("a stub");
    assert!(both.contains("fn a() {\n    todo!(\"task 9.1: begin\")\n}\n"), "{both}");
    assert!(both.contains("fn b() {\n    todo!(\"task 9.2: go on\")\n}\n"), "{both}");
    let second = stub(text, &TASKS[1..], "m.rs").expect("a stub");
    assert!(second.contains("fn a() {\n    1;\n}\n"), "{second}");
}

#[test]
fn a_region_of_another_module_is_left_alone() {
    let text = "fn a() {\n    1;\n}\n";
    let stub = stub(text, TASKS, "other.rs").expect("nothing to empty");
    assert_eq!(format!("\n#![allow(unused)]\n{text}"), stub);
}

#[test]
fn a_region_that_is_not_there_is_named() {
    assert_eq!("region `one`: it does not begin", refused("fn a() {\n    1;\n}\n"));
}

#[test]
fn a_region_that_is_not_closed_is_named() {
    let text = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR_END: two\n";
    assert_eq!("region `one`: it does not end", refused(text));
}

#[test]
fn a_region_that_ends_before_it_begins_is_refused() {
    let text = "// ANCHOR_END: one\nfn a() {\n    1;\n}\n// ANCHOR: one\n";
    assert_eq!("region `one`: it ends before it begins", refused(text));
}

#[test]
fn a_mark_that_stands_twice_is_refused() {
    let one = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR_END: one\n";
    assert_eq!("region `one`: it begins twice", refused(&one.repeat(2)));
}

#[test]
fn a_region_without_a_function_is_refused() {
    for inside in ["", "struct S;\n", "/// fn in a comment\nconst N: u8 = 1;\n"] {
        let text = format!("// ANCHOR: one\n{inside}// ANCHOR_END: one\n");
        assert_eq!("region `one`: it holds no function", refused(&text), "{inside}");
    }
}

/// Its brace does not stand where the body's end is looked for.
#[test]
fn a_function_in_one_line_is_refused() {
    for line in ["fn a() {}", "fn a() -> u8 { 1 }"] {
        let text = format!("// ANCHOR: one\n{line}\n// ANCHOR_END: one\n");
        let refused = refused(&text);
        assert_eq!(format!("region `one`: no body below `{line}`"), refused);
    }
}

#[test]
fn a_function_that_is_cut_by_the_end_of_its_region_is_refused() {
    let text = "// ANCHOR: one\nfn a() {\n    1;\n// ANCHOR_END: one\n}\n";
    assert_eq!("region `one`: no end of `fn a() {`", refused(text));
}

/// What stands in both would belong to two tasks.
#[test]
fn regions_that_overlap_or_stand_in_each_other_are_refused() {
    let overlapping = "// ANCHOR: one\nfn a() {\n    1;\n}\n// ANCHOR: two\n\
        fn b() {\n    2;\n}\n// ANCHOR_END: one\nfn c() {\n    3;\n}\n// ANCHOR_END: two\n";
    assert_eq!(
        "region `two`: another task has emptied `fn b() {`",
        refused(overlapping)
    );
    let nested = "// ANCHOR: one\n// ANCHOR: two\nfn b() {\n    2;\n}\n\
        // ANCHOR_END: two\n// ANCHOR_END: one\n";
    assert_eq!("region `two`: another task has emptied `fn b() {`", refused(nested));
}
