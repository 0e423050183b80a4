//! The book's table of contents.

use std::{collections::BTreeSet, fs, path::Path};

/// All pages below a folder but the table of contents, by their path from it.
pub fn pages(folder: &Path) -> BTreeSet<String> {
    let (mut pages, mut open) = (BTreeSet::new(), vec![folder.to_owned()]);
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(&inner).expect("a folder of the book") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                let page = path.strip_prefix(folder).expect("below the folder");
                pages.insert(page.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
    pages.remove("SUMMARY.md");
    pages
}

/// What is wrong with a table of contents for these pages.
pub fn compare(summary: &str, pages: &BTreeSet<String>) -> Vec<String> {
    let link = |part: &str| part.split_once(')').map(|(path, _)| path.to_owned());
    let listed: Vec<String> = summary.split("](").skip(1).filter_map(link).collect();
    let mut wrong = Vec::new();
    for page in pages {
        let count = listed.iter().filter(|listed| *listed == page).count();
        if count != 1 {
            wrong.push(format!("{page} is listed {count} times"));
        }
    }
    let strays = listed.iter().filter(|listed| !pages.contains(*listed));
    wrong.extend(strays.map(|stray| format!("there is no {stray}")));
    wrong
}

#[test]
fn a_page_that_is_not_listed_and_a_stray_are_found() {
    let pages = ["a.md", "b/c.md"].map(String::from).into();
    let fine = "# Summary\n\n[A](a.md)\n\n- [C](b/c.md)\n";
    assert_eq!(Vec::<String>::new(), compare(fine, &pages));
    let wrong = compare(&fine.replace("b/c.md", "c.md"), &pages);
    assert_eq!(["b/c.md is listed 0 times", "there is no c.md"], wrong[..]);
    let wrong = compare(&fine.repeat(2), &pages);
    assert_eq!(["a.md is listed 2 times", "b/c.md is listed 2 times"], wrong[..]);
}

#[test]
fn every_page_of_the_book_is_found() {
    let pages = pages(&super::root().join("book/src"));
    assert!(pages.contains("exercises/01-jsonrpc-codec.md"), "{pages:?}");
    assert!(!pages.contains("SUMMARY.md"));
}
