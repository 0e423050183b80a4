use super::*;

const TEXT: &str =
    "// ANCHOR: sum\nfn sum() -> u8 {\n    1 + 二()\n}\n// ANCHOR_END: sum\n";

fn mutant(from: (usize, usize), to: (usize, usize), replacement: &str) -> Mutant {
    let place = |(line, column)| Place { line, column };
    Mutant {
        file: "src/a.rs".into(),
        name: "src/a.rs:3:7: replace + with - in sum".into(),
        replacement: replacement.into(),
        span: Span { start: place(from), end: place(to) },
    }
}

#[test]
fn a_mutant_replaces_its_span() {
    let minus = apply(TEXT, &mutant((3, 7), (3, 8), "-"));
    assert_eq!(Some(TEXT.replace('+', "-")), minus);
    let whole = apply(TEXT, &mutant((3, 5), (3, 12), "0"));
    assert_eq!(Some(TEXT.replace("1 + 二()", "0")), whole);
    assert_eq!(None, apply(TEXT, &mutant((3, 7), (9, 1), "-")));
}

#[test]
fn only_lines_between_the_marks_are_mutated() {
    let inside: Vec<_> = (0..8).filter(|line| is_inside(TEXT, "sum", *line)).collect();
    assert_eq!([2, 3, 4], inside[..]);
    assert!(!is_inside(TEXT, "other", 3));
}

#[test]
fn every_survivor_has_a_reason_and_every_reason_its_survivor() {
    let known = |reason: &str| Survivor {
        mutant: "src/a.rs: replace + with - in sum".into(),
        reason: reason.into(),
    };
    let name = mutant((3, 7), (3, 8), "-").name;
    let errors = |known: &[Survivor], names: &[&String]| {
        let names = Vec::from_iter(names.iter().map(|name| (*name).clone()));
        compare(known, &names).len()
    };
    assert_eq!(0, errors(&[known("both are right")], &[&name, &name]));
    assert_eq!(1, errors(&[known(" ")], &[&name]));
    assert_eq!(1, errors(&[known("both are right")], &[]));
    assert_eq!(1, errors(&[], &[&name]));
}
