use super::{check::check, is_complaint};
use crate::files;
use anyhow::Result;

/// What is wrong with a book of these files.
fn problems(written: &[(&str, &str)]) -> Result<Vec<String>> {
    let folder = tempfile::tempdir()?;
    for (name, text) in written {
        files::write(&folder.path().join(name), text)?;
    }
    Ok(check(folder.path())?.1)
}

#[test]
fn a_page_whose_links_lead_somewhere_is_fine() -> Result<()> {
    let links = "<a href='b/c.html#here'>1</a> <a href='#top'>2</a> \
                 <a href='https://example.org/'>3</a> \
                 <a href='b/c.html#%E4%BD%A0'>4</a> \
                 <img src='p.svg'> <h1 id='top'></h1> <pre><code>x</code></pre>";
    let other = "<h2 id='here'></h2><h2 id='你'></h2><a href='../a.html'>back</a>";
    let nothing: Vec<String> = Vec::new();
    let book = [("a.html", links), ("b/c.html", other), ("p.svg", "")];
    assert_eq!(nothing, problems(&book)?);
    Ok(())
}

#[test]
fn a_link_to_no_file_is_found() -> Result<()> {
    let expected = vec!["a.html: `gone.html` leads to no file"];
    assert_eq!(expected, problems(&[("a.html", "<a href='gone.html'>x</a>")])?);
    Ok(())
}

#[test]
fn a_picture_and_a_script_that_are_missing_are_found() -> Result<()> {
    let html = "<img src='p.png'><script src='s.js'></script>";
    let expected =
        vec!["a.html: `p.png` leads to no file", "a.html: `s.js` leads to no file"];
    assert_eq!(expected, problems(&[("a.html", html)])?);
    Ok(())
}

#[test]
fn a_fragment_that_is_on_no_page_is_found() -> Result<()> {
    let expected = vec![
        "a.html: `#x`: a.html has no `x`",
        "a.html: `b.html#y`: b.html has no `y`",
    ];
    let html = "<a href='#x'>1</a><a href='b.html#y'>2</a>";
    assert_eq!(expected, problems(&[("a.html", html), ("b.html", "")])?);
    Ok(())
}

#[test]
fn what_a_browser_would_fetch_elsewhere_is_found() -> Result<()> {
    let html = "<script src='https://example.org/s.js'></script>\
                <link href='//example.org/s.css'>";
    let expected = vec![
        "a.html: `https://example.org/s.js` is somebody else's",
        "a.html: `//example.org/s.css` is somebody else's",
    ];
    assert_eq!(expected, problems(&[("a.html", html)])?);
    Ok(())
}

#[test]
fn a_page_that_is_too_large_is_found_unless_it_is_the_printed_book() -> Result<()> {
    let large = "x".repeat(301 * 1024);
    let expected = vec!["a.html: 301 KiB, the largest page has 300"];
    assert_eq!(expected, problems(&[("a.html", &large), ("print.html", &large)])?);
    Ok(())
}

#[test]
fn an_include_that_was_left_is_found() -> Result<()> {
    let expected = vec!["a.html: a `{{#` that mdBook did not resolve"];
    assert_eq!(expected, problems(&[("a.html", "<p>{{#include x.rs}}</p>")])?);
    Ok(())
}

#[test]
fn an_empty_listing_is_found() -> Result<()> {
    let html = "<pre><code class='language-rust'>\n</code></pre>\
                <pre><code><span>fn</span></code></pre><code></code>";
    let expected = vec!["a.html: 1 empty code block(s)"];
    assert_eq!(expected, problems(&[("a.html", html)])?);
    Ok(())
}

#[test]
fn markup_in_a_script_is_no_markup() -> Result<()> {
    let html = "<script>let a = \"<a href='gone.html'>\";</script>";
    let nothing: Vec<String> = Vec::new();
    assert_eq!(nothing, problems(&[("a.html", html)])?);
    Ok(())
}

#[test]
fn mdbook_s_warnings_are_complaints() {
    assert!(is_complaint(" WARN a file is missing"));
    assert!(is_complaint("ERROR cannot include"));
    assert!(!is_complaint(" INFO Book building has started"));
}
