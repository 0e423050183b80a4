use super::{check::check, is_complaint};
use crate::files;
use anyhow::Result;

/// The problems of a book with these files.
fn problems(written: &[(&str, &str)]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    for (name, text) in written {
        files::write(&folder.path().join(name), text)?;
    }
    Ok(check(folder.path())?.1)
}

#[test]
fn a_page_without_a_problem_passes() -> Result<()> {
    let page = "<a href='b/c.html#here'>1</a> <a href='#top'>2</a> \
                <a href='https://example.org/'>3</a> \
                <a href='b/c.html#%E4%BD%A0'>4</a> \
                <img src='p.svg'> <h1 id='top'></h1> <pre><code>x</code></pre>\
                <script>let a = \"<a href='gone.html'>\";</script>";
    let other = "<h2 id='here'></h2><h2 id='你'></h2><a href='../a.html'>back</a>";
    let large = "x".repeat(301 * 1024);
    let book =
        [("a.html", page), ("b/c.html", other), ("p.svg", ""), ("print.html", &large)];
    assert_eq!(Vec::<String>::new(), problems(&book)?);
    Ok(())
}

#[test]
fn a_problem_of_a_page_is_reported() -> Result<()> {
    let large = "x".repeat(301 * 1024);
    for (html, expected) in [
        ("<a href='gone.html'>x</a>", "`gone.html` leads to no file"),
        ("<img src='p.png'>", "`p.png` leads to no file"),
        ("<script src='s.js'></script>", "`s.js` leads to no file"),
        ("<a href='#x'>1</a>", "`#x`: a.html has no `x`"),
        ("<a href='b.html#y'>2</a>", "`b.html#y`: b.html has no `y`"),
        (
            "<script src='https://example.org/s.js'></script>",
            "`https://example.org/s.js` is on another site",
        ),
        (
            "<link href='//example.org/s.css'>",
            "`//example.org/s.css` is on another site",
        ),
        (&large, "301 KiB, the largest allowed page has 300"),
        ("<p>{{#include x.rs}}</p>", "a `{{#` that mdBook did not resolve"),
    ] {
        let expected = vec![format!("a.html: {expected}")];
        assert_eq!(expected, problems(&[("a.html", html), ("b.html", "")])?);
    }
    Ok(())
}

#[test]
fn mdbook_s_warnings_are_complaints() {
    assert!(is_complaint(" WARN a file is missing"));
    assert!(is_complaint("ERROR cannot include"));
    assert!(!is_complaint(" INFO Book building has started"));
}
