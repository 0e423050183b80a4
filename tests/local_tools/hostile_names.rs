//! Names that try to leave the directory, to hide, or to look like something else.

use crate::{House, call_in};
use serde_json::json;

const NOT_A_NAME: &str = "argument `name` must be a plain file name, without a path";

#[test]
fn a_name_that_is_no_plain_file_name_touches_nothing() {
    let house = House::new();
    house.write("a.md", "a note");
    std::fs::create_dir(house.notes().join("sub")).expect("a directory");
    let absolute = house.root.path().join("diary.md");
    let absolute = absolute.to_str().expect("UTF-8");
    let before = house.tree();
    for name in [
        absolute, // Path::join would drop the directory
        "../diary.md",
        "..\\diary.md",
        "sub/../../diary.md",
        "./a.md",
        "sub/b.md",
        "a.md/",
        "/",
        "\\",
        "\\\\server\\share",
        "C:diary.md",
        "C:\\diary.md",
        "a.md:stream",
        "file:///etc/passwd",
        "~/diary.md",
        "",
        ".",
        "..",
        "...",
        ".a.md.new",
        ".hidden",
        "a.md\0",
        "\0",
        "a\n.md",
        "a\r.md",
        "\t",
        "\u{7f}",
        "a\u{85}.md",
        "a\u{1b}[2J.md",
        // These print as something that they are not.
        "exe\u{202e}dm.md",
        "a\u{200b}.md",
        "a\u{2028}.md",
        "\u{feff}a.md",
        "a\u{e0061}.md",
    ] {
        house.assert_failed(NOT_A_NAME, &house.write(name, "x"));
        house.assert_failed(NOT_A_NAME, &house.delete(name));
        assert_eq!(before, house.tree(), "{name:?}");
    }
}

/// No message tells whether something outside is there.
#[test]
fn what_is_outside_and_what_is_not_there_get_the_same_answer() {
    let house = House::new();
    assert_eq!(house.delete("../diary.md"), house.delete("../missing.md"));
}

#[test]
fn a_name_that_is_no_string_is_a_failure_that_names_the_argument() {
    let house = House::new();
    for name in [json!(5), json!(null), json!(["a.md"]), json!({ "a": 1 })] {
        let outcome = call_in(&house.notes(), "delete_file", json!({ "name": name }));
        let said = crate::text(&outcome);
        assert!(outcome.is_error && said.starts_with("argument `name`: "), "{said}");
    }
    let outcome = call_in(&house.notes(), "write_note", json!({ "name": "a.md" }));
    house.assert_failed("argument `text` is missing", &outcome);
    assert_eq!(["diary.md: mine", "notes/"], house.tree()[..]);
}
