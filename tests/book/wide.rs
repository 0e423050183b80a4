//! A line break in a paragraph is rendered as a space, and between Chinese characters
//! there is no space.

use crate::pages::{Page, pages};

/// Breaks inside the paragraphs of a page that are next to a wide character.
fn breaks(page: &Page) -> Vec<String> {
    let is_wide = |c: char| c >= '\u{3000}';
    let mut wrong = Vec::new();
    let mut before = "";
    let mut fenced = false;
    for (number, line) in page.text.lines().enumerate() {
        fenced ^= line.starts_with("```");
        let line = if fenced || !is_prose(line) { "" } else { line };
        let both = !before.is_empty() && !line.is_empty();
        if both && (before.ends_with(is_wide) || line.starts_with(is_wide)) {
            wrong.push(format!("{}:{}: {line}", page.path, number + 1));
        }
        before = line;
    }
    wrong
}

/// Not a heading, a row, a fence or an HTML element.
fn is_prose(line: &str) -> bool {
    !line.starts_with("```") && !line.starts_with(['#', '|', '<'])
}

#[test]
fn no_line_breaks_next_to_a_chinese_character() {
    let mut pages = pages();
    pages.retain(|page| page.path.ends_with(".zh.md"));
    assert!(!pages.is_empty(), "there is a Chinese page");
    assert_eq!(Vec::<String>::new(), pages.iter().flat_map(breaks).collect::<Vec<_>>());
}

#[test]
fn a_break_next_to_a_chinese_character_is_found() {
    let page = |text: &str| Page { path: "p".into(), text: text.into() };
    for fine in ["# 一\n\n二\n\n三", "| 一 |\n| 二 |", "```text\n一\n二\n```", "a\nb"]
    {
        assert_eq!(Vec::<String>::new(), breaks(&page(fine)), "{fine}");
    }
    assert_eq!(["p:2: 二"], breaks(&page("一\n二"))[..]);
    assert_eq!(["p:2: b"], breaks(&page("一。\nb"))[..]);
    assert_eq!(["p:2: 二"], breaks(&page("a\n二"))[..]);
}
